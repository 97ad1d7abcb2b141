// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>

#include "weir/core/codec_base.hpp"
#include "weir/core/reflect.hpp"

namespace weir {

namespace internal {

/// What a function `inspect` is looked for with.
struct inspect_probe {
  using result_type = void;
  template <class... Fields>
  void operator()(Fields&&...) {}
};

/// A class with a function `inspect(Inspector&, T&)` beside it that calls the inspector with the
/// class's fields, as CAF 0.17 has it. `T` must be default constructible.
template <class T>
concept inspectable = std::is_class_v<T> && std::default_initializable<T> &&
                      requires(inspect_probe& probe, T& value) { inspect(probe, value); };

/// Calls `Visitor` for each field that `inspect` names. An argument that is no lvalue is an
/// annotation for other inspectors, and no field.
template <class Visitor>
struct field_inspector {
  using result_type = void;
  Visitor visit;

  template <class... Fields>
  void operator()(Fields&&... field) {
    (one<Fields>(field), ...);
  }

 private:
  template <class Field, class Lvalue>
  void one(Lvalue& field) {
    if constexpr (std::is_lvalue_reference_v<Field>) visit(field);
  }
};

template <class T, class Visitor>
void inspect_fields(T& value, Visitor visit) {
  field_inspector<Visitor> inspector{std::move(visit)};
  inspect(inspector, value);
}

template <class T, std::size_t... I>
consteval bool fields_encodable(std::index_sequence<I...>) {
  return (encodable<field_type<T, I>> && ...);
}

/// A plain struct of encodable fields, without an `inspect`.
template <class T>
concept encodable_struct = reflectable<T> && !inspectable<T> &&
                           fields_encodable<T>(std::make_index_sequence<field_count<T>>{});

}  // namespace internal

/// Plain structs: the number of fields as varint, then the fields.
///
/// Fields may be appended to the struct later: when older bytes are read, they get their default
/// initialisers. Bytes with more fields than the struct has cannot be read.
/// A struct that holds itself (in a vector, say) needs a codec of its own.
template <internal::encodable_struct T>
struct codec<T> {
  static void write(byte_writer& out, const T& value) {
    out.varint(field_count<T>);
    std::apply(
        [&]<class... Field>(const Field&... field) { (codec<Field>::write(out, field), ...); },
        fields(value));
  }

  static T read(byte_reader& in) {
    const std::uint64_t stored = in.varint();
    if (stored != field_count<T>) [[unlikely]] {
      return read_older<0>(in, stored);
    }
    return read_first(in, std::make_index_sequence<field_count<T>>{});
  }

  static std::string identity() {
    return "agg{" + identities(std::make_index_sequence<field_count<T>>{}) + "}";
  }

 private:
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"
  /// Braces are read from left to right, and need neither default nor assignment.
  template <std::size_t... I>
  static T read_first(byte_reader& in, std::index_sequence<I...>) {
    static_cast<void>(in);
    return T{codec<field_type<T, I>>::read(in)...};
  }
#pragma GCC diagnostic pop

  /// Reads a struct of `stored` fields, of which it is known that they are `Known` or more.
  template <std::size_t Known>
  [[gnu::noinline]] static T read_older(byte_reader& in, std::uint64_t stored) {
    if constexpr (Known == field_count<T>) {
      in.fail();
      return read_first(in, std::make_index_sequence<Known>{});
    } else {
      using indices = std::make_index_sequence<Known>;
      if constexpr (internal::braces_take<T>(indices{})) {
        if (stored == Known) return read_first(in, indices{});
      }
      return read_older<Known + 1>(in, stored);
    }
  }

  template <std::size_t... I>
  static std::string identities(std::index_sequence<I...>) {
    std::string all;
    ((all += (I == 0 ? "" : ",") + codec<field_type<T, I>>::identity()), ...);
    return all;
  }
};

/// Classes with an `inspect`: like a plain struct of the fields that it names, in its order.
/// `inspect` names the same fields for every value, and changes none.
template <internal::inspectable T>
struct codec<T> {
  static void write(byte_writer& out, const T& value) {
    auto& fields = const_cast<T&>(value);  // one function serves writing and reading
    std::uint64_t count = 0;
    internal::inspect_fields(fields, [&](auto&) { ++count; });
    out.varint(count);
    internal::inspect_fields(
        fields, [&]<class Field>(const Field& field) { codec<Field>::write(out, field); });
  }

  static T read(byte_reader& in) {
    T value{};
    std::uint64_t left = in.varint();
    internal::inspect_fields(value, [&]<class Field>(Field& field) {
      if (left == 0) return;
      --left;
      field = codec<Field>::read(in);
    });
    if (left > 0) in.fail();
    return value;
  }

  static std::string identity() {
    std::string all;
    T value{};
    internal::inspect_fields(value, [&]<class Field>(const Field&) {
      all += (all.empty() ? "" : ",") + codec<Field>::identity();
    });
    return "agg{" + all + "}";
  }
};

}  // namespace weir
