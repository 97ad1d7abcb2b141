// SPDX-License-Identifier: Apache-2.0
#include "weir/windowing/session_windows.hpp"

#include <cstdint>
#include <span>
#include <string>

#include "weir/state/state.hpp"
#include "weir/testing/check_stream.hpp"
#include "weir/windowing/combinators.hpp"
#include "weir/windowing/dynamic_session_windows.hpp"
#include "weir/windowing/merging_window_operator.hpp"
#include "weir/windowing/triggers.hpp"

#include "support/catch.hpp"
#include "windowing/readings.hpp"

namespace weir::windowing {
namespace {

using namespace std::chrono_literals;
using testing::advance_clock;
using testing::check_stream;
using testing::end_of_input;
using testing::expect;
using testing::expect_in_any_order;
using testing::expect_side;
using testing::late_readings;
using testing::push;
using testing::reading;
using testing::restore;
using testing::script;
using testing::sum_of_values;
using testing::timed;
using testing::to_window_row;
using testing::watermark;
using testing::window_row;

timed<window_row> session(const char* sensor, std::int64_t start, std::int64_t end,
                          std::int64_t result) {
  return {{sensor, at(start), at(end), result}, at(end - 1)};
}

auto sums_of_sessions(duration gap, duration lateness = duration::zero()) {
  return [=](auto in) {
    return in.key_by(&reading::sensor)
        .window(session_event_time(gap))
        .allowed_lateness(lateness)
        .late_output(late_readings)
        .aggregate(sum_of_values{}, to_window_row{});
  };
}

/// The same, with a trigger that does the same by timers of its own.
auto sums_by_trigger(duration gap, duration lateness = duration::zero()) {
  return [=](auto in) {
    return in.key_by(&reading::sensor)
        .window(session_event_time(gap))
        .trigger(any_of(event_time_trigger{}))
        .allowed_lateness(lateness)
        .late_output(late_readings)
        .aggregate(sum_of_values{}, to_window_row{});
  };
}

TEST_CASE("sessions end when their gap has passed", "[sessions]") {
  const script lines = {
      push(reading{"k2", 1}, at(0)),
      push(reading{"k2", 2}, at(1000)),
      push(reading{"k2", 3}, at(2500)),
      push(reading{"k1", 1}, at(10)),
      push(reading{"k1", 2}, at(1000)),
      restore(),
      push(reading{"k1", 3}, at(2500)),
      push(reading{"k2", 4}, at(5501)),
      push(reading{"k2", 5}, at(6000)),
      push(reading{"k2", 5}, at(6000)),
      push(reading{"k2", 6}, at(6050)),
      watermark(at(12000)),
      expect_in_any_order(session("k1", 10, 5500, 6), session("k2", 0, 5500, 6),
                          session("k2", 5501, 9050, 20)),
      push(reading{"k2", 10}, at(15000)),
      push(reading{"k2", 20}, at(15000)),
      watermark(at(17999)),
      expect(session("k2", 15000, 18000, 30)),
  };
  CHECK(check_stream<reading>(sums_of_sessions(3s), lines).error_text() == "");
  CHECK(check_stream<reading>(sums_by_trigger(3s), lines).error_text() == "");
}

/// Sessions of 3 s, [1000, 11500) and [11600, 14600), which have fired when a record of 10000
/// comes.
script two_sessions_and_a_late_record(const script& then) {
  script lines{
      push(reading{"a", 1}, at(1000)),
      watermark(at(1999)),
      push(reading{"a", 1}, at(2000)),
      watermark(at(4998)),
      push(reading{"a", 1}, at(4500)),
      push(reading{"a", 1}, at(8500)),
      watermark(at(7400)),
      push(reading{"a", 1}, at(7000)),
      watermark(at(11501)),
      expect(session("a", 1000, 11500, 5)),
      push(reading{"a", 1}, at(11600)),
      watermark(at(14600)),
      expect(session("a", 11600, 14600, 1)),
      push(reading{"a", 1}, at(10000)),
  };
  lines.insert(lines.end(), then.begin(), then.end());
  return lines;
}

TEST_CASE("a record that comes late joins sessions that are open, or is late", "[sessions]") {
  const auto lines = two_sessions_and_a_late_record({
      expect_side(late_readings, timed{reading{"a", 1}, at(10000)}),
      push(reading{"a", 1}, at(14500)),
      watermark(at(20000)),
      expect(session("a", 14500, 17500, 1)),
  });
  CHECK(check_stream<reading>(sums_of_sessions(3s), lines).error_text() == "");
  CHECK(check_stream<reading>(sums_by_trigger(3s), lines).error_text() == "");
}

TEST_CASE("a late record within the allowed lateness fires its session at once", "[sessions]") {
  const auto few = two_sessions_and_a_late_record({
      expect(session("a", 10000, 14600, 2)),
      push(reading{"a", 1}, at(14500)),
      watermark(at(20000)),
      expect(session("a", 10000, 17500, 3)),
  });
  CHECK(check_stream<reading>(sums_of_sessions(3s, 10ms), few).error_text() == "");
  CHECK(check_stream<reading>(sums_by_trigger(3s, 10ms), few).error_text() == "");
  const auto all = two_sessions_and_a_late_record({
      expect(session("a", 1000, 14600, 7)),
      push(reading{"a", 1}, at(14500)),
      watermark(at(20000)),
      expect(session("a", 1000, 17500, 8)),
  });
  CHECK(check_stream<reading>(sums_of_sessions(3s, 10s), all).error_text() == "");
  CHECK(check_stream<reading>(sums_by_trigger(3s, 10s), all).error_text() == "");
}

TEST_CASE("a key may have many sessions at a time, in any order", "[sessions]") {
  const script lines = {
      push(reading{"a", 1}, at(100)),
      push(reading{"a", 2}, at(200)),
      push(reading{"a", 4}, at(300)),
      push(reading{"a", 8}, at(0)),
      push(reading{"a", 16}, at(150)),
      watermark(at(9)),
      expect(session("a", 0, 10, 8)),
      push(reading{"a", 32}, at(210)),
      push(reading{"a", 64}, at(290)),
      watermark(at(159)),
      expect(session("a", 100, 110, 1), session("a", 150, 160, 16)),
      end_of_input(),
      expect(session("a", 200, 220, 34), session("a", 290, 310, 68)),
  };
  CHECK(check_stream<reading>(sums_of_sessions(10ms), lines).error_text() == "");
  CHECK(check_stream<reading>(sums_by_trigger(10ms), lines).error_text() == "");
}

TEST_CASE("sessions of the processing clock", "[sessions]") {
  const script lines = {
      push(reading{"a", 1}),
      advance_clock(6ms),
      push(reading{"a", 2}),
      advance_clock(9ms),
      advance_clock(1ms),
      expect(timed{std::int64_t{3}, at(15)}),
      push(reading{"a", 4}),
      push(reading{"b", 8}),
      advance_clock(10ms),
      expect_in_any_order(timed{std::int64_t{4}, at(25)}, timed{std::int64_t{8}, at(25)})};
  CHECK(check_stream<reading>(
      [](auto in) {
        return in.key_by(&reading::sensor)
            .window(session_processing_time(10ms))
            .aggregate(sum_of_values{});
      },
      lines));
}

TEST_CASE("an alarm of a session that has grown does not end it", "[sessions]") {
  const auto sums = [](auto in) {
    return in.key_by(&reading::sensor)
        .window(session_processing_time(10ms))
        .aggregate(sum_of_values{});
  };
  CHECK(check_stream<reading>(
            sums,
            {push(reading{"a", 1}), advance_clock(1ms), push(reading{"a", 2}), advance_clock(9ms),
             push(reading{"a", 4}), advance_clock(10ms), expect(timed{std::int64_t{7}, at(19)})})
            .error_text() == "");
}

TEST_CASE("counts of sessions that merge add up", "[sessions]") {
  const script lines = {push(reading{"a", 1}, at(0)),
                        push(reading{"a", 2}, at(20)),
                        push(reading{"a", 4}, at(10)),
                        expect(session("a", 0, 30, 7)),
                        push(reading{"a", 8}, at(25)),
                        push(reading{"a", 16}, at(25)),
                        push(reading{"a", 32}, at(25)),
                        expect(session("a", 0, 35, 63)),
                        end_of_input()};
  CHECK(check_stream<reading>(
      [](auto in) {
        return in.key_by(&reading::sensor)
            .window(session_event_time(10ms))
            .trigger(after_count(3))
            .aggregate(sum_of_values{}, to_window_row{});
      },
      lines));
}

/// "a: 1 2 3"
struct to_text {
  value_state_with_default<int> sessions{"sessions", 0};
  auto uses_states() { return states(sessions); }

  void process_record(const std::string& sensor, const time_window&, std::span<const reading> all,
                      collector<std::string>& out) {
    std::string text = sensor + std::to_string(sessions.edit([](int& n) { return ++n; })) + ":";
    for (const auto& r : all) text += " " + std::to_string(r.value);
    out.collect(text);
  }
};

TEST_CASE("the records of sessions that merge stand in the order of the sessions", "[sessions]") {
  const script lines = {push(reading{"a", 1}, at(20)),
                        push(reading{"a", 2}, at(0)),
                        push(reading{"a", 3}, at(10)),
                        watermark(at(29)),
                        expect(std::string{"a1: 2 1 3"}),
                        push(reading{"a", 4}, at(100)),
                        end_of_input(),
                        expect(std::string{"a2: 4"})};
  CHECK(check_stream<reading>(
      [](auto in) {
        return in.key_by(&reading::sensor).window(session_event_time(10ms)).process(to_text{});
      },
      lines));
}

}  // namespace
}  // namespace weir::windowing
