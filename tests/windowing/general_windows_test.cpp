// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <span>
#include <string>

#include "weir/state/state.hpp"
#include "weir/testing/check_stream.hpp"
#include "weir/windowing/combinators.hpp"
#include "weir/windowing/count_windows.hpp"
#include "weir/windowing/general_window_operator.hpp"
#include "weir/windowing/sliding_windows.hpp"
#include "weir/windowing/triggers.hpp"
#include "weir/windowing/tumbling_windows.hpp"

#include "support/catch.hpp"
#include "windowing/readings.hpp"

namespace weir::windowing {
namespace {

using namespace std::chrono_literals;
using testing::add;
using testing::advance_clock;
using testing::check_stream;
using testing::end_of_input;
using testing::expect;
using testing::expect_in_any_order;
using testing::expect_side;
using testing::late_readings;
using testing::push;
using testing::reading;
using testing::script;
using testing::sum_of_values;
using testing::timed;
using testing::watermark;

/// "a: 1 2 3 [0, 10)"
struct to_text {
  void process_record(const std::string& sensor, const time_window& window,
                      std::span<const reading> all, collector<std::string>& out,
                      window_context& context) const {
    std::string text = sensor + ":";
    for (const auto& r : all) text += " " + std::to_string(r.value);
    out.collect(text + " [" + std::to_string(window.start.ms) + ", " +
                std::to_string(window.end.ms) + ") " +
                std::to_string(context.current_watermark().ms));
  }
};

/// Counts the firings of each window and of each key.
struct count_firings {
  value_state_with_default<int> of_key{"count", 0};
  value_state_with_default<int> of_window{"count", 0};
  auto uses_states() { return states(of_key); }
  auto uses_window_states() { return states(of_window); }

  void process_record(const std::string& sensor, const time_window&, const std::int64_t& sum,
                      collector<std::string>& out) {
    const int key = of_key.edit([](int& n) { return ++n; });
    const int window = of_window.edit([](int& n) { return ++n; });
    out.collect(sensor + " " + std::to_string(sum) + " " + std::to_string(key) + "/" +
                std::to_string(window));
  }
  static constexpr output_tag<std::string> cleared{"cleared"};
  void clear(const std::string& sensor, const time_window& window, window_context& context) {
    context.output(cleared, sensor + " " + std::to_string(window.start.ms) + " " +
                                std::to_string(of_window.value()) + " " +
                                std::to_string(of_key.value()));
  }
};

TEST_CASE("a window function is given all records, in the order in which they came",
          "[general_windows]") {
  const script lines = {
      push(reading{"a", 3}, at(1)),
      push(reading{"a", 1}, at(0)),
      push(reading{"b", 5}, at(12)),
      watermark(at(8)),
      push(reading{"a", 2}, at(9)),
      watermark(at(11)),
      expect(timed{std::string{"a: 3 1 2 [0, 10) 11"}, at(9)}),
      push(reading{"a", 7}, at(9)),
      end_of_input(),
      expect(timed{"b: 5 [10, 20) " + std::to_string(event_time::max().ms), at(19)})};
  CHECK(check_stream<reading>(
      [](auto in) {
        return in.key_by(&reading::sensor).window(tumbling_event_time(10ms)).process(to_text{});
      },
      lines));
}

TEST_CASE("a trigger that purges empties a window, and the window stays open",
          "[general_windows]") {
  const script lines = {push(reading{"a", 1}, at(500)),
                        watermark(at(1500)),
                        push(reading{"a", 1}, at(1300)),
                        watermark(at(2300)),
                        expect(timed{std::int64_t{2}, at(1999)}),
                        push(reading{"a", 1}, at(1997)),
                        expect(timed{std::int64_t{1}, at(1999)}),
                        watermark(at(6000)),
                        push(reading{"a", 1}, at(1998)),
                        expect_side(late_readings, timed{reading{"a", 1}, at(1998)})};
  CHECK(check_stream<reading>(
      [](auto in) {
        return in.key_by(&reading::sensor)
            .window(tumbling_event_time(2s))
            .trigger(purging(event_time_trigger{}))
            .allowed_lateness(500ms)
            .late_output(late_readings)
            .aggregate(sum_of_values{});
      },
      lines));
}

TEST_CASE("a key has states of its own, and others in each of its windows", "[general_windows]") {
  const script lines = {
      push(reading{"a", 1}, at(1)),
      push(reading{"a", 1}, at(2)),
      expect(std::string{"a 2 1/1"}),
      push(reading{"a", 1}, at(12)),
      push(reading{"a", 1}, at(3)),
      push(reading{"a", 1}, at(4)),
      expect(std::string{"a 4 2/2"}),
      push(reading{"a", 1}, at(13)),
      expect(std::string{"a 2 3/1"}),
      watermark(at(9)),
      expect_side(count_firings::cleared, timed{std::string{"a 0 2 3"}, at(9)}),
      end_of_input(),
      expect_side(count_firings::cleared, timed{std::string{"a 10 1 3"}, at(19)})};
  CHECK(check_stream<reading>(
      [](auto in) {
        return in.key_by(&reading::sensor)
            .window(tumbling_event_time(10ms))
            .trigger(after_count(2))
            .aggregate(sum_of_values{}, count_firings{});
      },
      lines));
}

TEST_CASE("count windows have so many records of a key", "[general_windows]") {
  const script lines = {push(reading{"a", 1}),    push(reading{"b", 10}), push(reading{"a", 2}),
                        expect(reading{"a", 3}),  push(reading{"a", 4}),  push(reading{"b", 20}),
                        expect(reading{"b", 30}), end_of_input()};
  CHECK(check_stream<reading>(
      [](auto in) { return in.key_by(&reading::sensor).window(count_window(2)).reduce(add); },
      lines));
}

TEST_CASE("sliding count windows have the last records of a key", "[general_windows]") {
  const script lines = {push(reading{"a", 1}),  push(reading{"a", 2}),  expect(reading{"a", 3}),
                        push(reading{"a", 4}),  push(reading{"a", 8}),  expect(reading{"a", 14}),
                        push(reading{"a", 16}), push(reading{"a", 32}), expect(reading{"a", 56})};
  CHECK(check_stream<reading>(
      [](auto in) { return in.key_by(&reading::sensor).window(count_window(3, 2)).reduce(add); },
      lines));
}

constexpr auto sums_of_clock_windows = [](auto in) {
  return in.key_by(&reading::sensor)
      .window(tumbling_processing_time(10ms))
      .aggregate(sum_of_values{});
};

TEST_CASE("windows of the processing clock end when the clock says so", "[general_windows]") {
  const script lines = {push(reading{"a", 1}),
                        advance_clock(6ms),
                        push(reading{"a", 2}),
                        advance_clock(4ms),
                        expect(timed{std::int64_t{3}, at(9)}),
                        push(reading{"a", 4}),
                        advance_clock(9ms),
                        advance_clock(1ms),
                        expect(timed{std::int64_t{4}, at(19)}),
                        push(reading{"a", 5}),
                        end_of_input()};
  CHECK(check_stream<reading>(sums_of_clock_windows, lines));
}

TEST_CASE("a window of the processing clock takes what comes in its last millisecond",
          "[general_windows]") {
  const script lines = {
      push(reading{"a", 1}),    advance_clock(9ms),  push(reading{"a", 2}),
      push(reading{"a", 4}),    advance_clock(1ms),  expect(timed{std::int64_t{7}, at(9)}),
      push(reading{"a", 8}),    advance_clock(10ms), expect(timed{std::int64_t{8}, at(19)}),
      testing::expect_timers(0)};
  CHECK(check_stream<reading>(sums_of_clock_windows, lines));
}

TEST_CASE("windows without keys have the records of all", "[general_windows]") {
  const script lines = {push(reading{"a", 1}, at(1)), push(reading{"b", 2}, at(2)),
                        watermark(at(9)), expect(timed{std::int64_t{3}, at(9)})};
  CHECK(check_stream<reading>(
      [](auto in) { return in.window_all(tumbling_event_time(10ms)).aggregate(sum_of_values{}); },
      lines));
}

TEST_CASE("early and late firings in one line", "[general_windows]") {
  const script lines = {
      push(reading{"a", 1}, at(1)), advance_clock(1min),     expect(std::int64_t{1}),
      push(reading{"a", 2}, at(1)), watermark(at(9)),        expect(std::int64_t{3}),
      push(reading{"a", 4}, at(1)), expect(std::int64_t{7}), watermark(at(14)),
      push(reading{"a", 8}, at(1)), end_of_input()};
  CHECK(check_stream<reading>(
      [](auto in) {
        return in.key_by(&reading::sensor)
            .window(tumbling_event_time(10ms))
            .trigger(at_watermark()
                         .early(any_of(after_processing_time(1min), after_count(50)))
                         .late(after_count(1)))
            .allowed_lateness(5ms)
            .aggregate(sum_of_values{});
      },
      lines));
}

TEST_CASE("records of sliding windows are in each that is not late", "[general_windows]") {
  const script lines = {
      push(reading{"k2", 1}, at(1000)),
      watermark(at(1999)),
      expect(timed{reading{"k2", 1}, at(1999)}),
      push(reading{"k2", 1}, at(2000)),
      watermark(at(3000)),
      expect(timed{reading{"k2", 2}, at(2999)}),
      push(reading{"k1", 1}, at(3001)),
      push(reading{"k2", 1}, at(2400)),
      push(reading{"k2", 1}, at(2400)),
      push(reading{"k1", 1}, at(3001)),
      push(reading{"k2", 1}, at(3900)),
      watermark(at(6000)),
      expect_in_any_order(timed{reading{"k2", 5}, at(3999)}, timed{reading{"k1", 2}, at(3999)},
                          timed{reading{"k2", 4}, at(4999)}, timed{reading{"k1", 2}, at(4999)},
                          timed{reading{"k2", 1}, at(5999)}, timed{reading{"k1", 2}, at(5999)}),
      push(reading{"k1", 1}, at(3001)),
      expect_side(late_readings, timed{reading{"k1", 1}, at(3001)})};
  CHECK(check_stream<reading>(
      [](auto in) {
        return in.key_by(&reading::sensor)
            .window(sliding_event_time(3s, 1s))
            .trigger(repeatedly(event_time_trigger{}))
            .late_output(late_readings)
            .reduce(add);
      },
      lines));
}

}  // namespace
}  // namespace weir::windowing
