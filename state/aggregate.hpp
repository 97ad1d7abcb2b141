// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <type_traits>
#include <utility>

namespace weir::state {

/// What an aggregate makes of an accumulator.
template <class A>
using aggregate_output = std::remove_cvref_t<decltype(std::declval<A&>().get_result(
    std::declval<const typename A::accumulator&>()))>;

/// A function with an accumulator of its own, which begins as `accumulator{}`:
///
///     struct mean {
///       struct accumulator { std::int64_t count = 0, sum = 0; };
///       void add(std::int64_t in, accumulator& into) const;
///       void merge(const accumulator& from, accumulator& into) const;
///       double get_result(const accumulator& a) const;
///     };
template <class A>
concept aggregate =
    requires(A& a, typename A::accumulator& into, const typename A::accumulator& from) {
      requires std::is_default_constructible_v<typename A::accumulator>;
      a.merge(from, into);
      requires !std::is_void_v<aggregate_output<A>>;
    };

}  // namespace weir::state
