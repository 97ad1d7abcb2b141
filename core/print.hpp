// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <charconv>
#include <concepts>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>

#include "weir/core/ids.hpp"
#include "weir/core/reflect.hpp"
#include "weir/core/time.hpp"

namespace weir {

template <class T>
void print_value(std::string& out, const T& value);

namespace internal {

template <class T>
concept has_to_string = requires(const T& value) {
  { to_string(value) } -> std::convertible_to<std::string_view>;
};

template <class T>
concept printable_range = requires(const T& value) {
  typename T::value_type;
  value.begin() != value.end();
};

template <class T>
concept map_like = printable_range<T> && requires { typename T::mapped_type; };

template <class T>
concept optional_like = requires(const T& value) {
  typename T::value_type;
  { value.has_value() } -> std::same_as<bool>;
  *value;
};

template <class T>
concept variant_like = requires(const T& value) {
  value.valueless_by_exception();
  value.index();
};

template <class T>
concept tuple_like = requires { std::tuple_size<T>::value; };

/// Numbers as std::to_chars writes them, so that a double reads back as the same double.
template <class Number>
void print_number(std::string& out, Number number) {
  char digits[64];
  const auto end = std::to_chars(digits, digits + sizeof digits, number);
  out.append(digits, end.ptr);
}

template <class Tuple>
void print_parts(std::string& out, const Tuple& parts) {
  const char* before = "";
  std::apply(
      [&](const auto&... part) { ((out += before, print_value(out, part), before = ", "), ...); },
      parts);
}

template <class Range>
void print_elements(std::string& out, const Range& range) {
  const char* before = "";
  for (const typename Range::value_type& element : range) {
    out += before;
    if constexpr (map_like<Range>) {
      print_value(out, element.first);
      out += ": ";
      print_value(out, element.second);
    } else {
      print_value(out, element);
    }
    before = ", ";
  }
}

template <class T>
inline constexpr bool not_printable = false;

template <class T>
inline constexpr bool is_id = false;
template <class Tag, class Number>
inline constexpr bool is_id<strong_id<Tag, Number>> = true;

}  // namespace internal

/// Appends `value` as a person reads it; used by sinks that print, and by tests.
///
/// Strings as they are; numbers so that they read back the same; an enum as its number; times and
/// durations as their count (of milliseconds, for weir's own); a tuple or pair "(a, b)"; a plain
/// struct or a set "{a, b}"; a map "{a: 1, b: 2}"; other containers "[a, b]"; an empty optional
/// "none". A class or enum with a function `to_string` beside it is printed by that.
template <class T>
void print_value(std::string& out, const T& value) {
  using namespace internal;
  if constexpr (std::convertible_to<const T&, std::string_view>) {
    out += std::string_view{value};
  } else if constexpr (std::is_same_v<T, bool>) {
    out += value ? "true" : "false";
  } else if constexpr (std::is_same_v<T, char>) {
    out += value;
  } else if constexpr (std::is_arithmetic_v<T>) {
    print_number(out, +value);
  } else if constexpr (has_to_string<T>) {
    out += to_string(value);
  } else if constexpr (std::is_enum_v<T>) {
    print_number(out, +static_cast<std::underlying_type_t<T>>(value));
  } else if constexpr (std::is_same_v<T, event_time> || std::is_same_v<T, clock_time>) {
    print_number(out, value.ms);
  } else if constexpr (requires { typename T::period; }) {
    print_value(out, value.count());
  } else if constexpr (is_id<T>) {
    print_value(out, value.value);
  } else if constexpr (optional_like<T>) {
    value.has_value() ? print_value(out, *value) : static_cast<void>(out += "none");
  } else if constexpr (variant_like<T>) {
    visit([&](const auto& alternative) { print_value(out, alternative); }, value);
  } else if constexpr (printable_range<T>) {
    constexpr bool is_set_or_map = requires { typename T::key_type; };
    out += is_set_or_map ? '{' : '[';
    print_elements(out, value);
    out += is_set_or_map ? '}' : ']';
  } else if constexpr (tuple_like<T>) {
    out += '(';
    print_parts(out, value);
    out += ')';
  } else if constexpr (reflectable<T>) {
    out += '{';
    print_parts(out, fields(value));
    out += '}';
  } else {
    static_assert(not_printable<T>,
                  "weir: this type cannot be printed: give it a function `to_string` beside it, "
                  "that returns a std::string");
  }
}

}  // namespace weir
