// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <tuple>
#include <vector>

#include "weir/core/ids.hpp"
#include "weir/core/reflect.hpp"
#include "weir/core/time.hpp"

namespace weir {

/// A 64-bit number for 64 bits, one to one, that depends on each of them in each of its bits.
/// Source: Steele, Lea, Flood, "Fast Splittable Pseudorandom Number Generators", 2014 (the step of
/// SplitMix64; multipliers by D. Stafford, variant 13).
constexpr std::uint64_t mix_bits(std::uint64_t bits) {
  bits += 0x9E3779B97F4A7C15ull;
  bits = (bits ^ (bits >> 30)) * 0xBF58476D1CE4E5B9ull;
  bits = (bits ^ (bits >> 27)) * 0x94D049BB133111EBull;
  return bits ^ (bits >> 31);
}

/// Both halves of the 128-bit product a · b in 64 bits.
constexpr std::uint64_t fold_multiply(std::uint64_t a, std::uint64_t b) {
  __extension__ using wide = unsigned __int128;
  const wide product = static_cast<wide>(a) * b;
  return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
}

/// The hash of a sequence whose part so far has the hash `so_far` and whose next has `next`.
/// The order counts.
constexpr std::uint64_t combine_hash(std::uint64_t so_far, std::uint64_t next) {
  return fold_multiply(std::rotl(so_far, 23) ^ 0xD6E8FEB86659FD93ull, next ^ 0xA0761D6478BD642Full);
}

/// The hash of a string of bytes; good in its low and in its high bits. The value of each length
/// and content is pinned by tests/golden.
/// Source: folding of 128-bit products as in wyhash (Wang Yi, 2019); the layout is weir's own.
std::uint64_t hash_bytes(std::string_view bytes) noexcept;

namespace internal {

inline constexpr std::uint64_t sequence_seed = 0x2545F4914F6CDD1Dull;
inline constexpr std::uint64_t record_seed = 0x9FB21C651E98DF25ull;
inline constexpr std::uint64_t nothing_hash = 0xA24BAED4963EE407ull;

template <class T>
inline constexpr bool is_byte =
    std::is_same_v<T, std::byte> || std::is_same_v<T, unsigned char> || std::is_same_v<T, char>;

template <class T>
inline constexpr bool is_sequence = is_std_array<T>;
template <class T, class Allocator>
inline constexpr bool is_sequence<std::vector<T, Allocator>> = true;
template <class T, std::size_t N>
inline constexpr bool is_sequence<std::span<T, N>> = true;

template <class T>
inline constexpr bool is_optional = false;
template <class T>
inline constexpr bool is_optional<std::optional<T>> = true;

template <class T>
inline constexpr bool is_tuple = false;
template <class... T>
inline constexpr bool is_tuple<std::tuple<T...>> = true;
template <class First, class Second>
inline constexpr bool is_tuple<std::pair<First, Second>> = true;

template <class T>
inline constexpr bool is_strong_id = false;
template <class Tag, class Number>
inline constexpr bool is_strong_id<strong_id<Tag, Number>> = true;

template <class T>
inline constexpr bool is_duration = false;
template <class Rep, class Period>
inline constexpr bool is_duration<std::chrono::duration<Rep, Period>> = true;

template <class T>
inline constexpr bool is_time = std::is_same_v<T, event_time> || std::is_same_v<T, clock_time>;

template <class T>
inline constexpr bool is_character = std::is_same_v<T, char> || std::is_same_v<T, wchar_t>;

template <class T>
consteval bool can_hash();

template <class Tuple, std::size_t... I>
consteval bool can_hash_elements(std::index_sequence<I...>) {
  return (can_hash<std::remove_cvref_t<std::tuple_element_t<I, Tuple>>>() && ...);
}

template <class T>
consteval bool can_hash() {
  if constexpr (std::is_convertible_v<const T&, std::string_view>) {
    return true;
  } else if constexpr (std::is_integral_v<T> || std::is_enum_v<T> || is_strong_id<T> ||
                       is_duration<T>) {
    return true;
  } else if constexpr (std::is_floating_point_v<T>) {
    return sizeof(T) <= sizeof(double);
  } else if constexpr (is_optional<T> || is_sequence<T>) {
    return can_hash<std::remove_cv_t<typename T::value_type>>();
  } else if constexpr (is_tuple<T>) {
    return can_hash_elements<T>(std::make_index_sequence<std::tuple_size_v<T>>{});
  } else if constexpr (reflectable<T>) {
    using parts = decltype(fields(std::declval<const T&>()));
    return can_hash_elements<parts>(std::make_index_sequence<field_count<T>>{});
  } else {
    return false;
  }
}

/// The bits of the number as those of a double, with one zero and one NaN. Looks at bits and not
/// at comparisons, which -ffast-math would fold away.
constexpr std::uint64_t canonical_bits(double number) {
  constexpr std::uint64_t sign = 1ull << 63;
  constexpr std::uint64_t infinity = 0x7FF0000000000000ull;
  const auto bits = std::bit_cast<std::uint64_t>(number);
  if ((bits & ~sign) == 0) return 0;
  return (bits & ~sign) > infinity ? infinity + 1 : bits;
}

}  // namespace internal

/// A type whose values have the same hash in every process, build and machine.
template <class T>
concept stable_hashable = internal::can_hash<std::remove_cvref_t<T>>();

/// The hash by which a key finds its key group, its table segment and its slot: equal across
/// processes, builds, compilers and machines, and for keys that are equal as keys.
///
/// - Integers and enums hash by value: the same value has the same hash whatever its width and
///   sign, so a table of `int64_t` is searched with an `int`. `char` counts as unsigned.
/// - Numbers with a fraction hash as `double`: −0.0 is 0.0, every NaN is the same key, and a
///   `float` is found with a `double`. They do not hash like integers.
/// - `std::string`, `std::string_view`, `const char*` (not null; up to its NUL) hash by their
///   bytes; vectors, spans and arrays of `std::byte`, `char` and `unsigned char` like a string.
/// - Other vectors, spans and arrays hash by their elements and their number.
/// - Tuples, pairs and plain structs hash alike, by their fields: a table of structs is searched
///   with a tuple of views.
/// - An empty optional is a key of its own; ids, durations and times hash as their number.
template <class T>
constexpr std::uint64_t stable_hash(const T& value) {
  static_assert(!std::is_pointer_v<T> || std::is_convertible_v<T, std::string_view>,
                "weir: a key may not be a pointer: its address differs in the next process");
  static_assert(
      stable_hashable<T>,
      "weir: this type has no stable hash, so it cannot be (in) a key. Numbers, enums, "
      "strings, tuples, optionals, vectors and plain structs of such have one. A protobuf "
      "message has none, as its bytes are not canonical: key by a field or by a tuple of "
      "fields");
  if constexpr (!stable_hashable<T>) {
    return 0;
  } else if constexpr (std::is_convertible_v<const T&, std::string_view>) {
    return hash_bytes(value);
  } else if constexpr (internal::is_character<T>) {
    return mix_bits(static_cast<std::make_unsigned_t<T>>(value));
  } else if constexpr (std::is_integral_v<T>) {
    return mix_bits(static_cast<std::uint64_t>(value));
  } else if constexpr (std::is_enum_v<T>) {
    return stable_hash(static_cast<std::underlying_type_t<T>>(value));
  } else if constexpr (std::is_floating_point_v<T>) {
    return mix_bits(internal::canonical_bits(value));
  } else if constexpr (internal::is_strong_id<T>) {
    return stable_hash(value.value);
  } else if constexpr (internal::is_duration<T>) {
    return stable_hash(value.count());
  } else if constexpr (internal::is_time<T>) {
    return stable_hash(value.ms);
  } else if constexpr (internal::is_optional<T>) {
    return value ? combine_hash(internal::sequence_seed, stable_hash(*value))
                 : internal::nothing_hash;
  } else if constexpr (internal::is_sequence<T>) {
    using element_type = std::remove_cv_t<typename T::value_type>;
    if constexpr (internal::is_byte<element_type>) {
      return hash_bytes({reinterpret_cast<const char*>(value.data()), value.size()});
    } else {
      std::uint64_t hash = combine_hash(internal::sequence_seed, value.size());
      for (const element_type& element : value) hash = combine_hash(hash, stable_hash(element));
      return hash;
    }
  } else {
    const auto by_elements = [](const auto&... element) {
      std::uint64_t hash = internal::record_seed;
      ((hash = combine_hash(hash, stable_hash(element))), ...);
      return hash;
    };
    if constexpr (internal::is_tuple<T>) {
      return std::apply(by_elements, value);
    } else {
      return std::apply(by_elements, fields(value));
    }
  }
}

}  // namespace weir
