// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "weir/windowing/event_time_trigger.hpp"
#include "weir/windowing/fast_window_operator.hpp"
#include "weir/windowing/sliding_windows.hpp"

#include "windowing/readings.hpp"

namespace weir::testing {

/// The operator of sliding windows of event time that shares panes, for readings by sensor.
template <class Contents, class Function = to_window_row>
operator_harness::factory sliding_operator(
    windowing::sliding_windows<dataflow::timer_domain::event> windows, Contents contents,
    duration lateness = duration::zero(), std::optional<std::string> late = std::nullopt) {
  using stream = dataflow::keyed_stream<std::string, reading, std::string reading::*>;
  using made = windowing::fast_window_operator<windowing::window_definition<
      stream, decltype(windows), Contents, windowing::event_time_trigger, Function>>;
  return [=] {
    return std::make_unique<made>(
        typename made::definition{&reading::sensor, windows, contents, {}, {}, lateness, late});
  };
}

/// The sums of values by sensor and window.
inline operator_harness::factory sliding_sums(duration size, duration slide,
                                              duration lateness = duration::zero(),
                                              duration offset = duration::zero()) {
  using contents = windowing::aggregating<reading, sum_of_values>;
  return sliding_operator(windowing::sliding_event_time(size, slide, offset),
                          contents{sum_of_values{}}, lateness);
}

/// The same; late readings go to `late_readings`.
inline operator_harness::factory sliding_sums_and_late(duration size, duration slide,
                                                       duration lateness = duration::zero()) {
  using contents = windowing::aggregating<reading, sum_of_values>;
  return sliding_operator(windowing::sliding_event_time(size, slide), contents{sum_of_values{}},
                          lateness, std::string{late_readings.name});
}

}  // namespace weir::testing
