// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "weir/dataflow/environment.hpp"
#include "weir/testing/check_operator.hpp"
#include "weir/windowing/tumbling_windows.hpp"

namespace weir::testing {

/// What most tests of windows put in.
struct reading {
  std::string sensor;
  std::int64_t value;
};

/// What they get out.
struct window_row {
  std::string sensor;
  event_time start;
  event_time end;
  std::int64_t result;

  friend bool operator==(const window_row&, const window_row&) = default;
};

/// The reading of a sensor that has the sum of the values.
inline reading add(const reading& a, const reading& b) { return {a.sensor, a.value + b.value}; }

struct sum_of_values {
  struct accumulator {
    std::int64_t sum = 0;
  };
  void add(const reading& r, accumulator& to) const { to.sum += r.value; }
  void merge(const accumulator& from, accumulator& to) const { to.sum += from.sum; }
  std::int64_t get_result(const accumulator& a) const { return a.sum; }
};

struct to_window_row {
  void process_record(const std::string& sensor, const time_window& window,
                      const std::int64_t& result, collector<window_row>& out) const {
    out.collect({sensor, window.start, window.end, result});
  }
};

/// Readings by sensor, in windows; `as` makes a stream of results of the windowed stream.
template <class Spec, class As>
operator_harness::factory window_operator_of(Spec spec, As as) {
  dataflow::environment env{"test"};
  const auto results = as(env.from_collection<reading>({}).key_by(&reading::sensor).window(spec));
  return env.job().at(results.origin().node).make;
}

/// The sums of values by sensor and window.
template <class Spec>
operator_harness::factory sums(Spec spec, duration lateness = duration::zero()) {
  return window_operator_of(spec, [=](const auto& windows) {
    return windows.allowed_lateness(lateness).aggregate(sum_of_values{}, to_window_row{});
  });
}

inline constexpr output_tag<reading> late_readings{"late"};

/// The same; late readings go to `late_readings`.
template <class Spec>
operator_harness::factory sums_and_late(Spec spec, duration lateness = duration::zero()) {
  return window_operator_of(spec, [=](const auto& windows) {
    return windows.allowed_lateness(lateness)
        .late_output(late_readings)
        .aggregate(sum_of_values{}, to_window_row{});
  });
}

/// The row of a window, with the time that it must have.
inline timed<window_row> sum(std::string sensor, std::int64_t start, std::int64_t end,
                             std::int64_t result) {
  return {{std::move(sensor), at(start), at(end), result}, at(end - 1)};
}

/// A reading of sensor "a", value 1: what the cases count.
inline script_step one(std::int64_t time) { return push(reading{"a", 1}, at(time)); }

}  // namespace weir::testing
