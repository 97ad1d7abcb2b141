// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <type_traits>
#include <utility>
#include <vector>

#include "weir/dataflow/environment.hpp"
#include "weir/testing/check_operator.hpp"

namespace weir::testing {

/// What `build` adds behind a stream of T: makes its operator, alone. `build` takes a
/// `data_stream<T>` and gives a `data_stream<R>` or a sink, one operator further.
template <class T, class Build>
operator_harness::factory operator_of(const Build& build) {
  dataflow::environment environment{"test"};
  const auto in = environment.from_collection(std::vector<T>{});
  const auto out = build(in);
  const auto& node = environment.job().at(out.origin().node);
  for (const auto& edge : node.inputs) {
    if (edge.from != in.origin().node) return {};
  }
  return node.make;
}

/// Puts one operator through a script in every mode, as a job would make it:
/// `check_stream<reading>([](auto in) { return in.key_by(&reading::sensor).process(average{}); },
/// {push(reading{"a", 3}), expect(3)})`.
/// Errors: invalid_argument naming the mode and the line that the operator does not pass, or if
/// there is not exactly one operator.
template <class T, class Build>
status check_stream(const Build& build, const script& lines, const check_options& options = {}) {
  using stream = std::decay_t<decltype(build(std::declval<dataflow::data_stream<T>>()))>;
  const auto make = operator_of<T>(build);
  if (!make) {
    return error{errc::invalid_argument, "the harness runs one operator, and here are more"};
  }
  if constexpr (requires { typename stream::value_type; }) {
    return check<typename stream::value_type>(make, lines, options);
  } else {
    return check<void>(make, lines, options);
  }
}

}  // namespace weir::testing
