// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <type_traits>
#include <utility>

#include "weir/windowing/window_contents.hpp"
#include "weir/windowing/window_functions.hpp"

namespace weir::windowing {

/// Stands where records are not evicted.
struct no_evictor {};

// What is to become of the records of a window. Each can give the contents that do that work:
// `contents(evictor)` with a state for each key, and where it `adds_up`, `sums()`, for operators
// that keep a window's keys together.

/// They are reduced to one.
template <class T, class F>
struct window_reduce {
  using result_type = T;
  static constexpr bool adds_up = true;

  reducing<T, F> sums() && { return reducing<T, F>{std::move(function)}; }

  template <class Evictor>
  auto contents(Evictor evictor) && {
    if constexpr (std::is_same_v<Evictor, no_evictor>)
      return reduced_contents<T, F>{std::move(function)};
    else
      return evicting_contents<T, Evictor, reduce_all<T, F>>{std::move(evictor),
                                                             {std::move(function)}};
  }

  F function;
};

/// They are added to an accumulator.
template <class T, class A>
struct window_aggregate {
  using result_type = state::aggregate_output<A>;
  static constexpr bool adds_up = true;

  aggregating<T, A> sums() && { return aggregating<T, A>{std::move(function)}; }

  template <class Evictor>
  auto contents(Evictor evictor) && {
    if constexpr (std::is_same_v<Evictor, no_evictor>)
      return aggregated_contents<T, A>{std::move(function)};
    else
      return evicting_contents<T, Evictor, aggregate_all<T, A>>{std::move(evictor),
                                                                {std::move(function)}};
  }

  A function;
};

/// They are all kept.
template <class T>
struct window_records {
  using result_type = std::span<const T>;
  static constexpr bool adds_up = false;

  template <class Evictor>
  auto contents([[maybe_unused]] Evictor evictor) && {
    if constexpr (std::is_same_v<Evictor, no_evictor>)
      return all_contents<T>{};
    else
      return evicting_contents<T, Evictor, give_all<T>>{std::move(evictor), {}};
  }
};

}  // namespace weir::windowing
