// SPDX-License-Identifier: Apache-2.0
// `process` of connected streams.
#pragma once

#include <memory>
#include <string>
#include <type_traits>
#include <utility>

#include "weir/dataflow/broadcast_operator.hpp"
#include "weir/dataflow/connected_streams.hpp"
#include "weir/dataflow/keyed_broadcast_operator.hpp"
#include "weir/dataflow/keyed_pair_operator.hpp"
#include "weir/dataflow/pair_operator.hpp"
#include "weir/dataflow/process_streams.hpp"

namespace weir::dataflow {

namespace internal {

constexpr bool is_broadcast_input(function_input input) {
  return input == function_input::keyed_and_broadcast ||
         input == function_input::non_keyed_and_broadcast;
}
constexpr bool is_keyed_input(function_input input) {
  return input == function_input::keyed_and_broadcast || input == function_input::two_keyed;
}

/// Whether `F` may declare what it does; says what is wrong if not.
template <function_input Input, class F>
consteval bool check_connected_states() {
  constexpr bool keyed = !declares_legally<F>(Input, state::redistribution::none);
  constexpr bool shared = !declares_legally<F>(Input, state::redistribution::identical);
  static_assert(!keyed || Input != function_input::two_non_keyed,
                "connected_streams::process(f): f declares keyed state, which two non-keyed "
                "streams cannot have; call key_by(...) on both first");
  static_assert(!keyed || Input != function_input::two_global,
                "connected_streams::process(f): f declares keyed state, which two global streams "
                "cannot have; use an operator_list_state");
  static_assert(!keyed || Input != function_input::non_keyed_and_broadcast,
                "connected_streams::process(f): f declares keyed state, which a non-keyed stream "
                "cannot have; call key_by(...) on it first");
  static_assert(!shared,
                "connected_streams::process(f): f declares IDENTICAL (broadcast) state; connect a "
                "broadcast stream");
  return !keyed && !shared;
}

/// Whether `F` has the functions for its two inputs; says what is missing if not.
template <function_input Input, class F>
consteval bool check_connected_calls() {
  if constexpr (is_broadcast_input(Input)) {
    constexpr bool fits = requires {
      &F::process_record;
      &F::process_broadcast;
    };
    static_assert(fits,
                  "connected_streams::process(f): f needs member functions `void process_record("
                  "const T&, collector<R>&)` and `void process_broadcast(const B&, "
                  "collector<R>&)`, not overloaded");
    return fits;
  } else {
    constexpr bool fits = requires {
      &F::process_first;
      &F::process_second;
    };
    static_assert(fits,
                  "connected_streams::process(f): f needs member functions `void process_first("
                  "const A&, collector<R>&)` and `void process_second(const B&, "
                  "collector<R>&)`, not overloaded");
    return fits;
  }
}

/// The outputs of a function with two inputs: both of its functions must have the same.
template <function_input Input, class F>
auto connected_outputs() {
  if constexpr (is_broadcast_input(Input)) {
    using outputs = outputs_of<decltype(&F::process_record)>;
    static_assert(std::is_same_v<outputs, outputs_of<decltype(&F::process_broadcast)>>,
                  "connected_streams::process(f): process_record and process_broadcast must take "
                  "the same collectors");
    return outputs{};
  } else {
    using outputs = outputs_of<decltype(&F::process_first)>;
    static_assert(std::is_same_v<outputs, outputs_of<decltype(&F::process_second)>>,
                  "connected_streams::process(f): process_first and process_second must take the "
                  "same collectors");
    return outputs{};
  }
}

struct no_selector {};

/// The key selector of a stream, if it has one.
template <class Stream>
auto selector_of(const Stream& stream) {
  if constexpr (requires { stream.select(); }) {
    return stream.select();
  } else {
    return no_selector{};
  }
}

/// Adds the operator of a function with two inputs; gives its place.
template <class Outputs, function_input Input, class First, class Second, class F, class Keys>
stream_origin add_connected(const connected_streams<Input, First, Second>& streams, F f, Keys keys,
                            call_site where) {
  using a = typename First::value_type;
  using b = typename Second::value_type;
  // Not the streams: they own the graph, which is to own this.
  const auto make = [first = selector_of(streams.first()), second = selector_of(streams.second()),
                     keys]<class Timing, class... R>(
                        std::type_identity<Timing>, output_types<R...>,
                        const F& function) -> std::unique_ptr<operator_base> {
    if constexpr (Input == function_input::two_keyed) {
      using made = keyed_pair_operator<First, Second, F, Timing, Keys, R...>;
      return std::make_unique<made>(first, second, function, keys);
    } else if constexpr (Input == function_input::keyed_and_broadcast) {
      using made = keyed_broadcast_operator<First, b, F, Timing, Keys, R...>;
      return std::make_unique<made>(first, function, keys);
    } else if constexpr (Input == function_input::non_keyed_and_broadcast) {
      static_cast<void>(keys);
      return std::make_unique<broadcast_operator<a, b, F, Timing, R...>>(function);
    } else {
      static_cast<void>(keys);
      return std::make_unique<pair_operator<a, b, F, Timing, R...>>(function);
    }
  };
  constexpr const char* kind = is_broadcast_input(Input) ? "broadcast process" : "co-process";
  auto node = function_node<Outputs>(std::move(f), Input, kind, where, make);
  node.keyed = is_keyed_input(Input);
  node.single = Input == function_input::two_global;
  node.inputs = streams.edges();
  const auto& job = streams.job();
  return {job, job->add(std::move(node)), 0};
}

}  // namespace internal

template <function_input Input, class First, class Second>
template <class F>
auto connected_streams<Input, First, Second>::process(F f, call_site where) const {
  if constexpr (internal::check_connected_states<Input, F>() &&
                internal::check_connected_calls<Input, F>()) {
    using outputs = decltype(internal::connected_outputs<Input, F>());
    const auto made =
        internal::add_connected<outputs>(*this, std::move(f), any_output_keys{}, where);
    if constexpr (Input == function_input::two_global) {
      return internal::streams_of<global_stream>(made, outputs{});
    } else {
      return internal::streams_of<data_stream>(made, outputs{});
    }
  }
}

template <function_input Input, class First, class Second>
template <class F, class Select>
  requires(!std::is_same_v<Select, call_site>)
auto connected_streams<Input, First, Second>::process(F f, Select select, call_site where) const {
  static_assert(internal::is_keyed_input(Input),
                "connected_streams::process(f, select): only the output of keyed streams can be "
                "keyed without being moved");
  if constexpr (internal::is_keyed_input(Input) && internal::check_connected_states<Input, F>() &&
                internal::check_connected_calls<Input, F>()) {
    using outputs = decltype(internal::connected_outputs<Input, F>());
    static_assert(outputs::count == 1,
                  "connected_streams::process(f, select): f must have one output");
    if constexpr (outputs::count == 1) {
      const auto made = internal::add_connected<outputs>(*this, std::move(f),
                                                         same_output_keys<Select>{select}, where);
      return internal::keyed_in_place(internal::streams_of<data_stream>(made, outputs{}), select);
    }
  }
}

}  // namespace weir::dataflow
