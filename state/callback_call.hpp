// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <tuple>
#include <type_traits>
#include <utility>

#include "weir/state/async_access.hpp"
#include "weir/state/state_error.hpp"

namespace weir::state::internal {

/// The parameters of a function or of the one operator() of a class; nothing is known of others.
template <class F>
struct callable_arguments {};
template <class F>
  requires requires { &F::operator(); }
struct callable_arguments<F> : callable_arguments<decltype(&F::operator())> {};
template <class R, class... A>
struct callable_arguments<R (*)(A...)> {
  using type = std::tuple<A...>;
};
template <class C, class R, class... A>
struct callable_arguments<R (C::*)(A...)> : callable_arguments<R (*)(A...)> {};
template <class C, class R, class... A>
struct callable_arguments<R (C::*)(A...) const> : callable_arguments<R (*)(A...)> {};
template <class C, class R, class... A>
struct callable_arguments<R (C::*)(A...) noexcept> : callable_arguments<R (*)(A...)> {};
template <class C, class R, class... A>
struct callable_arguments<R (C::*)(A...) const noexcept> : callable_arguments<R (*)(A...)> {};

template <class F>
concept has_known_arguments = requires { typename callable_arguments<F>::type; };

/// The elements of a tuple behind the first `Skip`.
template <class Tuple, std::size_t Skip, class Indices>
struct rest_of;
template <class Tuple, std::size_t Skip, std::size_t... I>
struct rest_of<Tuple, Skip, std::index_sequence<I...>> {
  using type = std::tuple<std::tuple_element_t<Skip + I, Tuple>...>;
};

template <class F, std::size_t Results>
consteval auto wanted_arguments() {
  if constexpr (has_known_arguments<F>) {
    using all = typename callable_arguments<F>::type;
    constexpr auto count = std::tuple_size_v<all>;
    if constexpr (count > Results)
      return rest_of<all, Results, std::make_index_sequence<count - Results>>{};
    else
      return std::type_identity<std::tuple<>>{};
  } else {
    return std::type_identity<std::tuple<>>{};
  }
}

/// What `F` wants behind a result of `R`, as a tuple of references.
template <class F, class... R>
using wanted_of = typename decltype(wanted_arguments<F, sizeof...(R)>())::type;

/// The engine's object for argument number `n` of a callback, `T&`; `seen` of those before it have
/// the same type.
template <class T>
T& argument_for(const async_port* port, std::size_t seen) {
  static_assert(std::is_lvalue_reference_v<T&> && !std::is_const_v<T>);
  void* object = port == nullptr ? nullptr : port->argument(type_identity<T>(), seen);
  if (object == nullptr)
    throw state_error{
        "then(f): f takes a collector that the function does not have: take the `collector<R>&` of "
        "process_record"};
  return *static_cast<T*>(object);
}

template <class Wanted, std::size_t I>
consteval std::size_t same_before() {
  return []<std::size_t... J>(std::index_sequence<J...>) {
    return (
        std::size_t{0} + ... +
        (std::is_same_v<std::tuple_element_t<J, Wanted>, std::tuple_element_t<I, Wanted>> ? 1 : 0));
  }(std::make_index_sequence<I>{});
}

template <class F, class Wanted, class... R>
inline constexpr bool takes = false;
template <class F, class... W, class... R>
inline constexpr bool takes<F, std::tuple<W...>, R...> =
    std::is_invocable_v<F&, R..., W...> && (std::is_lvalue_reference_v<W> && ...);

/// How `F` is called with a result, and with what it wants beside.
template <class F, class... R>
class callback {
  using wanted = wanted_of<F, R...>;

 public:
  static decltype(auto) call(F& f, [[maybe_unused]] const async_port* port, R... result) {
    static_assert(takes<F, wanted, R...>,
                  "then(f): f must be callable with what the access returns, and behind it with "
                  "nothing or with the `collector<R>&` of process_record, not with `auto&`");
    if constexpr (takes<F, wanted, R...>) {
      return [&]<std::size_t... I>(std::index_sequence<I...>) -> decltype(auto) {
        return std::invoke(f, std::forward<R>(result)...,
                           argument_for<std::remove_reference_t<std::tuple_element_t<I, wanted>>>(
                               port, same_before<wanted, I>())...);
      }(std::make_index_sequence<std::tuple_size_v<wanted>>{});
    }
  }

  using result = decltype(call(std::declval<F&>(), nullptr, std::declval<R>()...));
};

}  // namespace weir::state::internal
