// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

#include "weir/core/hash.hpp"
#include "weir/core/reflect.hpp"

namespace weir::state {
namespace internal {

template <class T>
constexpr decltype(auto) elements_of(const T& value) {
  if constexpr (weir::internal::is_tuple<T>)
    return (value);
  else
    return fields(value);
}

}  // namespace internal

/// True when `a` and `b` are one key. Agrees with `stable_hash`: views equal strings, a struct
/// equals a tuple of its fields, numbers compare by value whatever their width, −0.0 is 0.0 and
/// every NaN is the same key.
template <class A, class B>
constexpr bool key_equal(const A& a, const B& b) {
  using namespace weir::internal;
  if constexpr (std::is_convertible_v<const A&, std::string_view>) {
    return std::string_view{a} == std::string_view{b};
  } else if constexpr (std::is_integral_v<A> && std::is_integral_v<B>) {
    return static_cast<std::uint64_t>(a) == static_cast<std::uint64_t>(b) && (a < A{}) == (b < B{});
  } else if constexpr (std::is_floating_point_v<A>) {
    return canonical_bits(a) == canonical_bits(b);
  } else if constexpr (is_optional<A>) {
    return a && b ? key_equal(*a, *b) : !a && !b;
  } else if constexpr (is_sequence<A>) {
    if (a.size() != b.size()) return false;
    for (std::size_t i = 0; i < a.size(); ++i)
      if (!key_equal(a[i], b[i])) return false;
    return true;
  } else if constexpr (is_tuple<A> || reflectable<A>) {
    const auto& x = internal::elements_of(a);
    const auto& y = internal::elements_of(b);
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      return (key_equal(std::get<I>(x), std::get<I>(y)) && ...);
    }(std::make_index_sequence<std::tuple_size_v<std::remove_cvref_t<decltype(x)>>>{});
  } else {
    return a == b;
  }
}

}  // namespace weir::state
