// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

#include "weir/state/state_handle.hpp"

namespace weir::dataflow {

/// What a user's function is given: one stream, or two connected ones.
enum class function_input : std::uint8_t {
  global,
  keyed,
  non_keyed,
  two_global,
  two_keyed,
  two_non_keyed,
  keyed_and_broadcast,
  non_keyed_and_broadcast
};

/// "a keyed stream", "two non-keyed streams".
std::string_view to_string(function_input input) noexcept;

/// Whether a function with that input may declare a state that is spread in that way. State that is
/// not redistributed needs a partition that stays what it is; state that is identical needs all
/// subtasks to see the same records, which only a broadcast stream shows them.
///
/// Source: the tables of Apache Flink's DataStream V2. There one global stream takes what two do
/// not: it is kept.
constexpr bool may_declare(function_input input, state::redistribution mode) noexcept {
  const bool broadcast = input == function_input::keyed_and_broadcast ||
                         input == function_input::non_keyed_and_broadcast;
  switch (mode) {
    case state::redistribution::redistributable: return true;
    case state::redistribution::identical: return broadcast;
    case state::redistribution::none: break;
  }
  return input == function_input::global || input == function_input::keyed ||
         input == function_input::two_keyed || input == function_input::keyed_and_broadcast;
}

namespace internal {

template <class List>
struct listed_modes;
template <class... State>
struct listed_modes<std::tuple<State&...>> {
  static constexpr bool legal(function_input input, state::redistribution mode) {
    return may_declare(input, mode) || ((State::mode != mode) && ...);
  }
};

}  // namespace internal

/// Whether `F` declares no state of `mode` that it may not with `input`. True without states.
template <class F>
constexpr bool declares_legally(function_input input, state::redistribution mode) {
  if constexpr (requires(F& f) { f.uses_states(); }) {
    return internal::listed_modes<decltype(std::declval<F&>().uses_states())>::legal(input, mode);
  } else {
    return true;
  }
}

}  // namespace weir::dataflow
