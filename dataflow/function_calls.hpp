// SPDX-License-Identifier: Apache-2.0
// The calls of a user's function that differ between kinds of inputs, as objects that can be
// called if the function can be called so: `std::is_invocable` tells.
#pragma once

#include <type_traits>

namespace weir::dataflow::internal {

inline constexpr auto call_process_record = [](auto& f, auto&... arguments)
  requires requires { f.process_record(arguments...); }
{ f.process_record(arguments...); };

inline constexpr auto call_process_first = [](auto& f, auto&... arguments)
  requires requires { f.process_first(arguments...); }
{ f.process_first(arguments...); };

inline constexpr auto call_process_second = [](auto& f, auto&... arguments)
  requires requires { f.process_second(arguments...); }
{ f.process_second(arguments...); };

inline constexpr auto call_process_broadcast = [](auto& f, auto&... arguments)
  requires requires { f.process_broadcast(arguments...); }
{ f.process_broadcast(arguments...); };

inline constexpr auto call_end_input = [](auto& f, auto&... arguments)
  requires requires { f.end_input(arguments...); }
{ f.end_input(arguments...); };

inline constexpr auto call_end_first_input = [](auto& f, auto&... arguments)
  requires requires { f.end_first_input(arguments...); }
{ f.end_first_input(arguments...); };

inline constexpr auto call_end_second_input = [](auto& f, auto&... arguments)
  requires requires { f.end_second_input(arguments...); }
{ f.end_second_input(arguments...); };

inline constexpr auto call_end_broadcast_input = [](auto& f, auto&... arguments)
  requires requires { f.end_broadcast_input(arguments...); }
{ f.end_broadcast_input(arguments...); };

/// Whether `Call` takes `Context&` behind the record and the outputs; says what is wrong if it can
/// be called neither with nor without.
template <class Call, class Context, class... Arguments>
consteval bool takes_context() {
  constexpr bool with = std::is_invocable_v<Call, Arguments..., Context&>;
  static_assert(with || std::is_invocable_v<Call, Arguments...>,
                "process(f): f must be callable for a record as `void process_…(const T&, "
                "collector<R>&…)`, with T as the stream has it, and if it takes a context: "
                "keyed_context<K>& on a keyed stream, broadcast_context& for a broadcast record, "
                "else partitioned_context&");
  return with;
}

}  // namespace weir::dataflow::internal
