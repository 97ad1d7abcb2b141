// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstring>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <variant>
#include <vector>

#include "weir/core/codec_base.hpp"

namespace weir {

namespace internal {

/// "a,b" for the codecs of A and B.
template <class... T>
std::string identities() {
  std::string all;
  ((all += codec<T>::identity() + ","), ...);
  if (!all.empty()) all.pop_back();
  return all;
}

/// A number of elements, each of which takes a byte or more: fails if they cannot all be there.
inline std::size_t read_count(byte_reader& in) {
  const std::uint64_t count = in.varint();
  if (count > in.remaining()) in.fail();
  return in.failed() ? 0 : static_cast<std::size_t>(count);
}

/// `count` numbers as they lie in memory.
template <raw_number T>
void write_raw(byte_writer& out, const T* numbers, std::size_t count) {
  if (count > 0) out.raw({reinterpret_cast<const char*>(numbers), count * sizeof(T)});
}

/// Number of elements as varint, then the elements. The smallest key need not come first.
/// `Element` is what `Container` takes: for a map, a pair.
template <class Container, class Element>
struct associative_codec {
  static void write_count(byte_writer& out, const Container& value) { out.varint(value.size()); }

  /// Two equal keys fail: no container ever had them.
  static Container read(byte_reader& in) {
    Container value;
    for (std::size_t left = read_count(in); left > 0; --left) {
      Element element = codec<Element>::read(in);
      if (in.failed()) break;
      const std::size_t before = value.size();
      value.insert(value.end(), std::move(element));
      if (value.size() == before) in.fail();
    }
    return value;
  }
};

template <class Container>
struct set_codec : associative_codec<Container, typename Container::key_type> {
  using key_type = typename Container::key_type;
  static void write(byte_writer& out, const Container& value) {
    set_codec::write_count(out, value);
    for (const auto& key : value) codec<key_type>::write(out, key);
  }
  static std::string identity() { return "set<" + identities<key_type>() + ">"; }
};

template <class Container>
struct map_codec
    : associative_codec<Container,
                        std::pair<typename Container::key_type, typename Container::mapped_type>> {
  using key_type = typename Container::key_type;
  using mapped_type = typename Container::mapped_type;
  static void write(byte_writer& out, const Container& value) {
    map_codec::write_count(out, value);
    for (const auto& [key, mapped] : value) {
      codec<key_type>::write(out, key);
      codec<mapped_type>::write(out, mapped);
    }
  }
  static std::string identity() { return "map<" + identities<key_type, mapped_type>() + ">"; }
};

}  // namespace internal

/// Number of elements as varint, then the elements.
template <encodable T, class Allocator>
struct codec<std::vector<T, Allocator>> {
  static void write(byte_writer& out, const std::vector<T, Allocator>& value) {
    out.varint(value.size());
    if constexpr (internal::raw_number<T>) {
      internal::write_raw(out, value.data(), value.size());
    } else {
      for (const T& element : value) codec<T>::write(out, element);
    }
  }

  static std::vector<T, Allocator> read(byte_reader& in) {
    std::vector<T, Allocator> value;
    const std::size_t count = internal::read_count(in);
    if constexpr (internal::raw_number<T>) {
      const auto bytes = in.raw(std::uint64_t{count} * sizeof(T));
      value.resize(bytes.size() / sizeof(T));
      if (!bytes.empty()) std::memcpy(value.data(), bytes.data(), bytes.size());
    } else {
      // Elements may be larger than their bytes: reserve no more memory than there is input.
      value.reserve(std::min(count, in.remaining() / sizeof(T)));
      for (std::size_t left = count; left > 0 && !in.failed(); --left) {
        value.push_back(codec<T>::read(in));
      }
    }
    return value;
  }

  static std::string identity() { return "vec<" + codec<T>::identity() + ">"; }
};

/// The elements.
template <encodable T, std::size_t N>
  requires(N > 0)
struct codec<std::array<T, N>> {
  static void write(byte_writer& out, const std::array<T, N>& value) {
    if constexpr (internal::raw_number<T>) {
      internal::write_raw(out, value.data(), N);
    } else {
      for (const T& element : value) codec<T>::write(out, element);
    }
  }

  static std::array<T, N> read(byte_reader& in) {
    if constexpr (std::default_initializable<T> && std::movable<T>) {
      std::array<T, N> value;
      for (T& element : value) element = codec<T>::read(in);
      return value;
    } else {
      return read_braced(in, std::make_index_sequence<N>{});
    }
  }

  static std::string identity() {
    return "array<" + codec<T>::identity() + "," + std::to_string(N) + ">";
  }

 private:
  template <std::size_t... I>
  static std::array<T, N> read_braced(byte_reader& in, std::index_sequence<I...>) {
    return {{(static_cast<void>(I), codec<T>::read(in))...}};
  }
};

/// The two parts, like a tuple.
template <encodable First, encodable Second>
struct codec<std::pair<First, Second>> {
  static void write(byte_writer& out, const std::pair<First, Second>& value) {
    codec<First>::write(out, value.first);
    codec<Second>::write(out, value.second);
  }
  static std::pair<First, Second> read(byte_reader& in) {
    return std::pair<First, Second>{codec<First>::read(in), codec<Second>::read(in)};
  }
  static std::string identity() { return "tuple<" + internal::identities<First, Second>() + ">"; }
};

/// The elements.
template <encodable... T>
  requires(sizeof...(T) > 0)
struct codec<std::tuple<T...>> {
  static void write(byte_writer& out, const std::tuple<T...>& value) {
    std::apply([&](const T&... element) { (codec<T>::write(out, element), ...); }, value);
  }
  static std::tuple<T...> read(byte_reader& in) { return std::tuple<T...>{codec<T>::read(in)...}; }
  static std::string identity() { return "tuple<" + internal::identities<T...>() + ">"; }
};

/// A byte, 1 if there is a value, and the value.
template <encodable T>
struct codec<std::optional<T>> {
  static void write(byte_writer& out, const std::optional<T>& value) {
    codec<bool>::write(out, value.has_value());
    if (value) codec<T>::write(out, *value);
  }
  static std::optional<T> read(byte_reader& in) {
    if (!codec<bool>::read(in)) return std::nullopt;
    return std::optional<T>{codec<T>::read(in)};
  }
  static std::string identity() { return "opt<" + codec<T>::identity() + ">"; }
};

/// One byte, 0: so that this, too, takes a byte.
template <>
struct codec<std::monostate> {
  static void write(byte_writer& out, std::monostate) { out.fixed<unsigned char>(0); }
  static std::monostate read(byte_reader& in) {
    if (in.fixed<unsigned char>() != 0) in.fail();
    return {};
  }
  static std::string identity() { return "unit"; }
};

/// Index as varint, then the alternative. A variant that lost its value to an exception is written
/// as an index that cannot be read.
template <encodable... T>
struct codec<std::variant<T...>> {
  using value_type = std::variant<T...>;

  static void write(byte_writer& out, const value_type& value) {
    out.varint(value.index());
    if (value.valueless_by_exception()) return;
    std::visit([&]<class Alternative>(
                   const Alternative& alternative) { codec<Alternative>::write(out, alternative); },
               value);
  }

  static value_type read(byte_reader& in) {
    std::uint64_t index = in.varint();
    if (index >= sizeof...(T)) in.fail(), index = 0;
    return read_alternative(in, index, std::index_sequence_for<T...>{});
  }

  static std::string identity() { return "variant<" + internal::identities<T...>() + ">"; }

 private:
  template <std::size_t... I>
  static value_type read_alternative(byte_reader& in, std::uint64_t index,
                                     std::index_sequence<I...>) {
    using read_function = value_type (*)(byte_reader&);
    static constexpr read_function functions[] = {[](byte_reader& input) {
      return value_type{std::in_place_index<I>, codec<T>::read(input)};
    }...};
    return functions[index](in);
  }
};

/// Sets: in the order of the container. An unordered one has other bytes for equal values.
template <encodable Key, class Compare, class Allocator>
struct codec<std::set<Key, Compare, Allocator>>
    : internal::set_codec<std::set<Key, Compare, Allocator>> {};

template <encodable Key, class Hash, class Equal, class Allocator>
struct codec<std::unordered_set<Key, Hash, Equal, Allocator>>
    : internal::set_codec<std::unordered_set<Key, Hash, Equal, Allocator>> {};

/// Maps: in the order of the container. An unordered one has other bytes for equal values.
template <encodable Key, encodable Mapped, class Compare, class Allocator>
struct codec<std::map<Key, Mapped, Compare, Allocator>>
    : internal::map_codec<std::map<Key, Mapped, Compare, Allocator>> {};

template <encodable Key, encodable Mapped, class Hash, class Equal, class Allocator>
struct codec<std::unordered_map<Key, Mapped, Hash, Equal, Allocator>>
    : internal::map_codec<std::unordered_map<Key, Mapped, Hash, Equal, Allocator>> {};

}  // namespace weir
