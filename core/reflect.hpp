// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

namespace weir {

/// The most fields an aggregate may have to be taken apart.
inline constexpr std::size_t max_reflected_fields = 16;

namespace internal {

/// Converts to whatever a field wants. Never evaluated: it only answers "would this compile?".
/// It has a body because clang instantiates the constructors of `std::optional` that would call it.
template <std::size_t>
struct any_value {
  template <class T>
  operator T() const {
    __builtin_unreachable();
  }
};

/// Converts to a base class of `Whole` and to nothing else.
template <class Whole>
struct any_base {
  template <class T>
    requires(std::is_base_of_v<T, Whole> && !std::is_same_v<T, Whole>)
  operator T() const;
};

template <class T>
inline constexpr bool is_std_array = false;
template <class T, std::size_t N>
inline constexpr bool is_std_array<std::array<T, N>> = true;

template <class T, std::size_t... I>
consteval bool braces_take(std::index_sequence<I...>) {
  return requires { T{any_value<I>{}...}; };
}

/// The most values that fit in T{…}, where a C array takes one for each element;
/// one more than `max_reflected_fields` when there are more, or when no number fits.
template <class T, std::size_t N = max_reflected_fields + 1>
consteval std::size_t count_initializers() {
  if constexpr (braces_take<T>(std::make_index_sequence<N>{})) {
    return N;
  } else if constexpr (N == 0) {
    return max_reflected_fields + 1;
  } else {
    return count_initializers<T, N - 1>();
  }
}

template <class T, std::size_t... Before, std::size_t... Inner, std::size_t... After>
consteval bool nested_braces_take(std::index_sequence<Before...>, std::index_sequence<Inner...>,
                                  std::index_sequence<After...>) {
  return requires { T{any_value<Before>{}..., {any_value<Inner>{}...}, any_value<After>{}...}; };
}

/// Whether T{…} takes `Inner` values in braces of their own between `Before` and `After` others.
template <class T, std::size_t Before, std::size_t Inner, std::size_t After>
inline constexpr bool takes_nested =
    nested_braces_take<T>(std::make_index_sequence<Before>{}, std::make_index_sequence<Inner>{},
                          std::make_index_sequence<After>{});

/// A C array at `Position` of `Length` or more elements swallows the values of that many places:
/// with it in braces, one value less fits behind it than behind an ordinary field.
template <class T, std::size_t Count, std::size_t Position, std::size_t Length = 2>
consteval bool array_at() {
  if constexpr (Position + Length > Count) {
    return false;
  } else if constexpr (Length == 2 && takes_nested<T, Position, 0, Count - Position - 1>) {
    return false;  // the cheap answer for every field that has a default
  } else if constexpr (takes_nested<T, Position, Length, Count - Position - Length> &&
                       !takes_nested<T, Position, Length, Count - Position - Length + 1>) {
    return true;
  } else {
    return array_at<T, Count, Position, Length + 1>();
  }
}

template <class T, std::size_t Count, std::size_t... Position>
consteval bool array_anywhere(std::index_sequence<Position...>) {
  return (array_at<T, Count, Position>() || ...);
}

}  // namespace internal

/// A struct without constructors, that is not a `std::array`.
template <class T>
concept plain_aggregate =
    std::is_class_v<T> && std::is_aggregate_v<T> && !internal::is_std_array<T>;

/// Whether the aggregate `T` derives from another class: its parts cannot be listed.
template <plain_aggregate T>
inline constexpr bool has_base_class = requires { T{internal::any_base<T>{}}; };

/// Whether the aggregate `T` has a C array of two or more elements: its parts cannot be counted.
template <plain_aggregate T>
inline constexpr bool has_array_field = [] {
  constexpr std::size_t count = internal::count_initializers<T>();
  if constexpr (count > max_reflected_fields) {
    return false;
  } else {
    return internal::array_anywhere<T, count>(std::make_index_sequence<count>{});
  }
}();

/// Whether the aggregate `T` has more fields than can be listed.
template <plain_aggregate T>
inline constexpr bool has_too_many_fields =
    internal::count_initializers<T>() > max_reflected_fields;

/// A struct that `fields()` takes apart: no constructors, no base class, no C array, no bit-field
/// (which cannot be detected, and does not compile), at most `max_reflected_fields` fields.
template <class T>
concept reflectable =
    plain_aggregate<T> && !has_base_class<T> && !has_too_many_fields<T> && !has_array_field<T>;

/// How many fields `T` has.
template <reflectable T>
inline constexpr std::size_t field_count = internal::count_initializers<T>();

/// References to the fields of `value`, in the order of declaration, as a `std::tuple`.
/// They live as long as `value`.
template <class T>
  requires reflectable<std::remove_const_t<T>>
constexpr auto fields(T& value) {
  constexpr std::size_t count = field_count<std::remove_const_t<T>>;
  if constexpr (count == 0) {
    return std::tuple<>{};
  } else if constexpr (count == 1) {
    auto& [a] = value;
    return std::tie(a);
  } else if constexpr (count == 2) {
    auto& [a, b] = value;
    return std::tie(a, b);
  } else if constexpr (count == 3) {
    auto& [a, b, c] = value;
    return std::tie(a, b, c);
  } else if constexpr (count == 4) {
    auto& [a, b, c, d] = value;
    return std::tie(a, b, c, d);
  } else if constexpr (count == 5) {
    auto& [a, b, c, d, e] = value;
    return std::tie(a, b, c, d, e);
  } else if constexpr (count == 6) {
    auto& [a, b, c, d, e, f] = value;
    return std::tie(a, b, c, d, e, f);
  } else if constexpr (count == 7) {
    auto& [a, b, c, d, e, f, g] = value;
    return std::tie(a, b, c, d, e, f, g);
  } else if constexpr (count == 8) {
    auto& [a, b, c, d, e, f, g, h] = value;
    return std::tie(a, b, c, d, e, f, g, h);
  } else if constexpr (count == 9) {
    auto& [a, b, c, d, e, f, g, h, i] = value;
    return std::tie(a, b, c, d, e, f, g, h, i);
  } else if constexpr (count == 10) {
    auto& [a, b, c, d, e, f, g, h, i, j] = value;
    return std::tie(a, b, c, d, e, f, g, h, i, j);
  } else if constexpr (count == 11) {
    auto& [a, b, c, d, e, f, g, h, i, j, k] = value;
    return std::tie(a, b, c, d, e, f, g, h, i, j, k);
  } else if constexpr (count == 12) {
    auto& [a, b, c, d, e, f, g, h, i, j, k, l] = value;
    return std::tie(a, b, c, d, e, f, g, h, i, j, k, l);
  } else if constexpr (count == 13) {
    auto& [a, b, c, d, e, f, g, h, i, j, k, l, m] = value;
    return std::tie(a, b, c, d, e, f, g, h, i, j, k, l, m);
  } else if constexpr (count == 14) {
    auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n] = value;
    return std::tie(a, b, c, d, e, f, g, h, i, j, k, l, m, n);
  } else if constexpr (count == 15) {
    auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o] = value;
    return std::tie(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o);
  } else if constexpr (count == 16) {
    auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p] = value;
    return std::tie(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p);
  }
}

/// The type of field `I` of `T`, without const and reference.
template <reflectable T, std::size_t I>
using field_type =
    std::remove_cvref_t<std::tuple_element_t<I, decltype(fields(std::declval<T&>()))>>;

}  // namespace weir
