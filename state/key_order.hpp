// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

#include "weir/state/key_equal.hpp"

namespace weir::state {
namespace internal {

/// The canonical bits of a number, in the order of the numbers: every NaN behind all of them.
constexpr std::uint64_t ordered_bits(double number) {
  constexpr std::uint64_t sign = 1ull << 63;
  const auto bits = weir::internal::canonical_bits(number);
  return (bits & sign) != 0 ? ~bits : bits | sign;
}

}  // namespace internal

/// Whether key `a` comes before key `b`, in an order that is the same in every process and in which
/// neither is before the other only if they are one key: see `key_equal`. By value, or by the parts
/// from the first to the last; nothing before something, every NaN behind all numbers.
template <class T>
constexpr bool key_before(const T& a, const T& b) {
  using namespace weir::internal;
  if constexpr (std::is_convertible_v<const T&, std::string_view>) {
    return std::string_view{a} < std::string_view{b};
  } else if constexpr (std::is_floating_point_v<T>) {
    return internal::ordered_bits(a) < internal::ordered_bits(b);
  } else if constexpr (is_optional<T>) {
    return a && b ? key_before(*a, *b) : !a && b;
  } else if constexpr (is_sequence<T>) {
    return std::lexicographical_compare(
        a.begin(), a.end(), b.begin(), b.end(),
        [](const auto& x, const auto& y) { return key_before(x, y); });
  } else if constexpr (is_tuple<T> || reflectable<T>) {
    const auto& x = internal::elements_of(a);
    const auto& y = internal::elements_of(b);
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      int order = 0;
      static_cast<void>(((order = key_before(std::get<I>(x), std::get<I>(y))   ? -1
                                  : key_before(std::get<I>(y), std::get<I>(x)) ? 1
                                                                               : 0,
                          order != 0) ||
                         ...));
      return order < 0;
    }(std::make_index_sequence<std::tuple_size_v<std::remove_cvref_t<decltype(x)>>>{});
  } else {
    return a < b;
  }
}

}  // namespace weir::state
