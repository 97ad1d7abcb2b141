// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <concepts>
#include <cstddef>
#include <string>
#include <string_view>
#include <type_traits>

#include "weir/core/bytes.hpp"
#include "weir/core/ids.hpp"
#include "weir/core/reflect.hpp"
#include "weir/core/time.hpp"

namespace weir {

/// Turns values of `T` into bytes and back, for snapshots, disk and wire. Include
/// "weir/core/codec.hpp", which brings the codecs of all types that have one.
///
/// A type of yours that has none (a class with constructors, or more than 16 fields) gets one by
/// a specialisation of this template, right behind the type:
///
///     template <>
///     struct weir::codec<money> {
///       static void write(weir::byte_writer& out, const money& value);
///       static money read(weir::byte_reader& in);
///       static std::string identity() { return "money"; }
///     };
///
/// - `write` writes at least one byte, and the same bytes in every build.
/// - `read` takes what `write` wrote and no more. Bytes that cannot be right make it call
///   `in.fail()`; what it returns then is thrown away. It trusts nothing: no count of elements
///   makes it allocate more than the rest of the input could fill.
/// - `identity` describes the bytes: it changes when they change meaning, and only then. It has no
///   braces: these are for plain structs, see `fields_compatible`.
template <class T>
struct codec;

/// A type whose values can be written and read.
template <class T>
concept encodable = std::same_as<T, std::remove_cvref_t<T>> && !requires {
  typename codec<T>::no_codec;
} && requires(byte_writer& out, byte_reader& in, const T& value) {
  codec<T>::write(out, value);
  { codec<T>::read(in) } -> std::same_as<T>;
  { codec<T>::identity() } -> std::convertible_to<std::string>;
};

namespace internal {

template <class T>
inline constexpr bool never = false;

/// Does not compile, and says why `T` has no codec.
template <class T>
consteval void explain_missing_codec();

template <class T, std::size_t... I>
consteval void explain_missing_field(std::index_sequence<I...>) {
  (explain_missing_codec<field_type<T, I>>(), ...);
}

template <class T>
consteval void explain_missing_codec() {
  if constexpr (encodable<T>) {
    return;
  } else if constexpr (std::is_pointer_v<T> || std::is_reference_v<T>) {
    static_assert(never<T>, "weir: a pointer or reference has no codec: store the value itself");
  } else if constexpr (std::is_same_v<T, std::string_view>) {
    static_assert(never<T>, "weir: a view has no codec, as it does not own its bytes: use string");
  } else if constexpr (plain_aggregate<T>) {
    static_assert(!has_base_class<T>,
                  "weir: a struct with a base class has no codec: make the base a field, or "
                  "specialise weir::codec for the struct");
    static_assert(!has_array_field<T>,
                  "weir: a struct with a C array has no codec: use std::array, or specialise "
                  "weir::codec for the struct");
    static_assert(!has_too_many_fields<T>,
                  "weir: a struct with more than 16 fields (elements of a C array count) has no "
                  "codec: group fields in structs, or specialise weir::codec for the struct");
    if constexpr (reflectable<T>) {
      explain_missing_field<T>(std::make_index_sequence<field_count<T>>{});
    }
  } else if constexpr (requires { typename T::value_type; }) {
    static_assert(encodable<typename T::value_type>,
                  "weir: this type has no codec, as what it holds has none");
    static_assert(!encodable<typename T::value_type>,
                  "weir: this type has no codec: specialise weir::codec for it");
  } else {
    static_assert(never<T>,
                  "weir: this type, or one it holds, has no codec: specialise weir::codec for it");
  }
}

/// The numbers that are stored as they lie in memory, on machines that all agree about that.
template <class T>
concept raw_number = (std::is_arithmetic_v<T> && !std::is_same_v<T, bool> &&
                      !std::is_same_v<T, wchar_t> && sizeof(T) <= 8) ||
                     std::is_same_v<T, std::byte>;

template <raw_number T>
std::string number_identity() {
  if (std::is_same_v<T, char>) return "char";
  const char* kind = std::is_floating_point_v<T> ? "f" : std::is_signed_v<T> ? "i" : "u";
  return kind + std::to_string(8 * sizeof(T));
}

/// A codec for a type that is stored as a `Number`.
template <class T, class Number>
struct number_codec {
  static T read(byte_reader& in) { return static_cast<T>(codec<Number>::read(in)); }
  static void write(byte_writer& out, const T& value) {
    codec<Number>::write(out, static_cast<Number>(value));
  }
  static std::string identity() { return codec<Number>::identity(); }
};

}  // namespace internal

template <class T>
struct codec {
  using no_codec = void;
  static void write(byte_writer&, const T&) { internal::explain_missing_codec<T>(); }
  static T read(byte_reader&) { internal::explain_missing_codec<T>(); }
  static std::string identity() { return internal::explain_missing_codec<T>(), std::string{}; }
};

/// Numbers: their bytes, little-endian. Every bit of a NaN is kept.
template <internal::raw_number T>
struct codec<T> {
  static void write(byte_writer& out, T value) { out.fixed(value); }
  static T read(byte_reader& in) { return in.fixed<T>(); }
  static std::string identity() { return internal::number_identity<T>(); }
};

template <>
struct codec<std::byte> : internal::number_codec<std::byte, unsigned char> {};

/// One byte, 0 or 1.
template <>
struct codec<bool> {
  static void write(byte_writer& out, bool value) { out.fixed<unsigned char>(value ? 1 : 0); }
  static bool read(byte_reader& in) {
    const auto byte = in.fixed<unsigned char>();
    if (byte > 1) in.fail();
    return byte == 1;
  }
  static std::string identity() { return "bool"; }
};

/// Enums: as the number they are, of which nothing says that it has a name.
template <class T>
  requires std::is_enum_v<T>
struct codec<T> : internal::number_codec<T, std::underlying_type_t<T>> {};

/// Lengths of time: their count.
template <encodable Rep, class Period>
struct codec<std::chrono::duration<Rep, Period>> {
  using value_type = std::chrono::duration<Rep, Period>;
  static void write(byte_writer& out, const value_type& value) {
    codec<Rep>::write(out, value.count());
  }
  static value_type read(byte_reader& in) { return value_type{codec<Rep>::read(in)}; }
  static std::string identity() {
    return "duration<" + codec<Rep>::identity() + "," + std::to_string(Period::num) + "/" +
           std::to_string(Period::den) + ">";
  }
};

/// Ids: their number.
template <class Tag, encodable Number>
struct codec<strong_id<Tag, Number>> {
  static void write(byte_writer& out, strong_id<Tag, Number> id) {
    codec<Number>::write(out, id.value);
  }
  static strong_id<Tag, Number> read(byte_reader& in) { return {codec<Number>::read(in)}; }
  static std::string identity() { return codec<Number>::identity(); }
};

template <>
struct codec<event_time> {
  static void write(byte_writer& out, event_time time) { out.fixed(time.ms); }
  static event_time read(byte_reader& in) { return {in.fixed<std::int64_t>()}; }
  static std::string identity() { return "event_time"; }
};

template <>
struct codec<clock_time> {
  static void write(byte_writer& out, clock_time time) { out.fixed(time.ms); }
  static clock_time read(byte_reader& in) { return {in.fixed<std::int64_t>()}; }
  static std::string identity() { return "clock_time"; }
};

/// Length as varint, then the bytes.
template <>
struct codec<std::string> {
  static void write(byte_writer& out, const std::string& value) { out.block(value); }
  static std::string read(byte_reader& in) { return std::string{in.block()}; }
  static std::string identity() { return "str"; }
};

}  // namespace weir
