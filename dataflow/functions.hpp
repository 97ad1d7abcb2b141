// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tuple>
#include <type_traits>

#include "weir/dataflow/collector.hpp"

namespace weir::dataflow {

namespace internal {

template <class F>
struct signature;
template <class C, class R, class... A>
struct signature<R (C::*)(A...)> {
  using arguments = std::tuple<A...>;
};
template <class C, class R, class... A>
struct signature<R (C::*)(A...) const> {
  using arguments = std::tuple<A...>;
};
template <class C, class R, class... A>
struct signature<R (C::*)(A...) noexcept> {
  using arguments = std::tuple<A...>;
};
template <class C, class R, class... A>
struct signature<R (C::*)(A...) const noexcept> {
  using arguments = std::tuple<A...>;
};

template <class T>
struct collected {
  using type = void;
};
template <class R>
struct collected<collector<R>&> {
  using type = R;
};

template <class Tuple>
struct first_collected;
template <>
struct first_collected<std::tuple<>> {
  using type = void;
};
template <class First, class... Rest>
struct first_collected<std::tuple<First, Rest...>> {
  using mine = typename collected<First>::type;
  using type =
      typename std::conditional_t<std::is_void_v<mine>, first_collected<std::tuple<Rest...>>,
                                  std::type_identity<mine>>::type;
};

}  // namespace internal

/// R of the `collector<R>&` among the parameters of `F::process_record`.
template <class F>
using output_of = typename internal::first_collected<
    typename internal::signature<decltype(&F::process_record)>::arguments>::type;

template <class F>
concept has_process_record = requires { &F::process_record; };

template <class F>
concept has_declared_states = requires(F& f) { f.uses_states(); };

}  // namespace weir::dataflow
