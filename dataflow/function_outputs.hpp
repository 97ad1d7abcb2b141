// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <tuple>
#include <type_traits>

#include "weir/dataflow/functions.hpp"

namespace weir::dataflow::internal {

/// The record types of the main outputs of a function, in order.
template <class... R>
struct output_types {
  static constexpr std::size_t count = sizeof...(R);
};

template <class Found, class... Arguments>
struct collected_types {
  using type = Found;
};
template <class... Found, class Next, class... Rest>
struct collected_types<output_types<Found...>, Next, Rest...> {
  using mine = typename collected<Next>::type;
  using type =
      typename std::conditional_t<std::is_void_v<mine>,
                                  collected_types<output_types<Found...>, Rest...>,
                                  collected_types<output_types<Found..., mine>, Rest...>>::type;
};

template <class Arguments>
struct outputs_among;
template <class... Arguments>
struct outputs_among<std::tuple<Arguments...>> : collected_types<output_types<>, Arguments...> {};

/// Of the member function `Method`: the types of the `collector<R>&` among its parameters.
template <class Method>
using outputs_of = typename outputs_among<typename signature<Method>::arguments>::type;

}  // namespace weir::dataflow::internal
