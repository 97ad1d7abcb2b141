// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "weir/dataflow/environment.hpp"
#include "weir/testing/check_operator.hpp"

namespace weir::testing {

namespace internal {

/// The node that `build` adds behind streams of T...; none if it adds more than one.
template <class... T, class Build>
std::optional<dataflow::graph_node> node_of(const Build& build) {
  dataflow::environment environment{"test"};
  const std::tuple in{environment.from_collection(std::vector<T>{})...};
  const auto out = std::apply(build, in);
  const auto& node = environment.job().at(out.origin().node);
  for (const auto& edge : node.inputs) {
    if (edge.from.value >= sizeof...(T)) return std::nullopt;
  }
  return node;
}

template <class Stream>
struct record_of {
  using type = void;
};
template <class Stream>
  requires requires { typename Stream::value_type; }
struct record_of<Stream> {
  using type = typename Stream::value_type;
};

template <class... T, class Build>
status check_built(const Build& build, const script& lines, check_options options) {
  const auto node = node_of<T...>(build);
  if (!node) {
    return error{errc::invalid_argument, "the harness runs one operator, and here are more"};
  }
  options.watermarks.insert(options.watermarks.end(), node->watermarks.begin(),
                            node->watermarks.end());
  using stream = std::decay_t<decltype(build(std::declval<dataflow::data_stream<T>>()...))>;
  return check<typename record_of<stream>::type>(node->make, lines, options);
}

}  // namespace internal

/// What `build` adds behind a stream of T: makes its operator, alone. `build` takes a
/// `data_stream<T>` and gives a `data_stream<R>` or a sink, one operator further.
template <class T, class Build>
operator_harness::factory operator_of(const Build& build) {
  const auto node = internal::node_of<T>(build);
  return node ? node->make : operator_harness::factory{};
}

/// Puts one operator through a script in every mode, as a job would make it:
/// `check_stream<reading>([](auto in) { return in.key_by(&reading::sensor).process(average{}); },
/// {push(reading{"a", 3}), expect(3)})`.
/// Errors: invalid_argument naming the mode and the line that the operator does not pass, or if
/// there is not exactly one operator.
template <class T, class Build>
status check_stream(const Build& build, const script& lines, const check_options& options = {}) {
  return internal::check_built<T>(build, lines, options);
}

/// The same for an operator with two inputs, of records of types A and B: `build` takes both
/// streams. What the script pushes, or says of watermarks and the end, is for one of them:
/// `check_streams<order, rate>([](auto a, auto b) { return a.connect(b).process(price{}); },
/// {push(order{1}), push(rate{2}, at(5), 1), end_of_input(1)})`.
template <class A, class B, class Build>
status check_streams(const Build& build, const script& lines, const check_options& options = {}) {
  return internal::check_built<A, B>(build, lines, options);
}

}  // namespace weir::testing
