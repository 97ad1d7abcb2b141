// SPDX-License-Identifier: Apache-2.0
// Faults that were reported against other engines, as input and output of whole window operators.
#include <cstdint>
#include <limits>
#include <span>
#include <string>

#include "weir/testing/check_stream.hpp"
#include "weir/windowing/windows.hpp"

#include "support/catch.hpp"
#include "windowing/readings.hpp"
#include "windowing/window_subtask.hpp"

namespace weir::windowing {
namespace {

using namespace std::chrono_literals;
using testing::advance_clock;
using testing::check_stream;
using testing::end_of_input;
using testing::expect;
using testing::expect_side;
using testing::expect_timers;
using testing::late_readings;
using testing::push;
using testing::reading;
using testing::restore;
using testing::script;
using testing::timed;
using testing::watermark;

/// "[0, 10) 1 2 3"
struct to_text {
  static std::string text(std::span<const reading> all) {
    std::string values;
    for (const auto& r : all) values += " " + std::to_string(r.value);
    return values;
  }
  void process_record(const std::string&, const time_window& w, std::span<const reading> all,
                      collector<std::string>& out) const {
    out.collect("[" + std::to_string(w.start.ms) + ", " + std::to_string(w.end.ms) + ")" +
                text(all));
  }
};
struct to_text_of_all {
  void process_record(const std::string&, const global_window&, std::span<const reading> all,
                      collector<std::string>& out) const {
    out.collect("all" + to_text::text(all));
  }
};

/// The element at a time has that time as its value.
testing::script_step r(std::int64_t time) { return push(reading{"a", time}, at(time)); }
testing::script_step w(std::int64_t time) { return watermark(at(time)); }
testing::script_step emits(std::string text) { return expect(std::move(text)); }
testing::script_step is_late(std::int64_t time) {
  return expect_side(late_readings, timed{reading{"a", time}, at(time)});
}

/// How windows with that assigner and trigger differ from a script; empty if they do not.
template <class Assigner, class Trigger>
std::string difference(Assigner assigner, Trigger trigger, duration lateness, const script& lines) {
  return check_stream<reading>(
             [&](auto in) {
               return in.key_by(&reading::sensor)
                   .window(assigner)
                   .trigger(trigger)
                   .allowed_lateness(lateness)
                   .late_output(late_readings)
                   .process(to_text{});
             },
             lines)
      .error_text();
}

std::string of_sessions(duration gap, const script& lines) {
  return difference(session_event_time(gap), event_time_trigger{}, 0ms, lines);
}
std::string of_tumbling(duration size, duration lateness, const script& lines) {
  return difference(tumbling_event_time(size), event_time_trigger{}, lateness, lines);
}

template <class Spec>
std::string of_counts(Spec spec, const script& lines) {
  return check_stream<reading>(
             [&](auto in) {
               return in.key_by(&reading::sensor).window(spec).process(to_text_of_all{});
             },
             lines)
      .error_text();
}

TEST_CASE("C009: sessions that touch are one, if the first is still open", "[window_cases]") {
  CHECK(of_sessions(2ms, {r(1), w(2), emits("[1, 3) 1"), w(3), r(3), w(100), emits("[3, 5) 3")}) ==
        "");
  CHECK(of_sessions(2ms, {r(1), r(3), w(3), w(4), emits("[1, 5) 1 3"), w(100), expect_timers(0)}) ==
        "");
}

TEST_CASE("C011: a late record does not join the next session", "[window_cases]") {
  CHECK(of_sessions(10ms, {r(0), w(20), emits("[0, 10) 0"), r(5), is_late(5), r(25), w(40),
                           emits("[25, 35) 25"), expect_timers(0)}) == "");
}

TEST_CASE("C012: a record that bridges two sessions leaves one result", "[window_cases]") {
  CHECK(of_sessions(10ms, {r(0), r(15), r(9), w(23), w(24), emits("[0, 25) 0 15 9")}) == "");
}

TEST_CASE("C014: a purged session goes on", "[window_cases]") {
  CHECK(difference(session_event_time(10ms), purging(event_time_trigger{}), 100ms,
                   {r(0), w(9), emits("[0, 10) 0"), r(5), w(14), emits("[0, 15) 5")}) == "");
}

TEST_CASE("C015: a continuous trigger fires at the end, and not behind it", "[window_cases]") {
  CHECK(difference(tumbling_event_time(10ms), continuous_event_time(4ms), 0ms,
                   {r(1), w(3), w(4), emits("[0, 10) 1"), r(5), w(8), emits("[0, 10) 1 5"), w(9),
                    emits("[0, 10) 1 5"), expect_timers(0), w(20)}) == "");
}

TEST_CASE("C017: an empty window emits nothing", "[window_cases]") {
  CHECK(difference(tumbling_event_time(10ms), purging(continuous_event_time(4ms)), 0ms,
                   {r(1), w(4), emits("[0, 10) 1"), w(8), w(9), w(20), expect_timers(0)}) == "");
}

TEST_CASE("C018: a count trigger counts anew, whether it purges or not", "[window_cases]") {
  const auto numbers = [](std::string first, std::string second) {
    return script{r(1), r(2), r(3),          emits(first), r(4),
                  r(5), r(6), emits(second), r(7),         end_of_input()};
  };
  CHECK(of_counts(count_window(3), numbers("all 1 2 3", "all 4 5 6")) == "");
  const auto without_purge = [](auto in) {
    return in.key_by(&reading::sensor)
        .window(global_windows())
        .trigger(after_count(3))
        .process(to_text_of_all{});
  };
  CHECK(
      check_stream<reading>(without_purge, numbers("all 1 2 3", "all 1 2 3 4 5 6")).error_text() ==
      "");
}

TEST_CASE("C019: evicted elements are gone", "[window_cases]") {
  CHECK(of_counts(count_window(3, 2), {r(1), r(2), emits("all 1 2"), r(3), r(4), emits("all 2 3 4"),
                                       r(5), r(6), emits("all 4 5 6"), r(7)}) == "");
  const auto timed_windows = [](auto in) {
    return in.key_by(&reading::sensor)
        .window(tumbling_event_time(100ms))
        .evictor(time_evictor{10ms})
        .process(to_text{});
  };
  CHECK(check_stream<reading>(timed_windows, {r(80), r(95), r(85), w(99), emits("[0, 100) 95")})
            .error_text() == "");
}

TEST_CASE("C020: a late element fires within the lateness, and is late behind it",
          "[window_cases]") {
  CHECK(of_tumbling(10ms, 5ms,
                    {r(1), w(9), emits("[0, 10) 1"), r(2), emits("[0, 10) 1 2"), w(14), r(3),
                     is_late(3), w(30), expect_timers(0)}) == "");
}

TEST_CASE("C021: at the cleanup, all that the lateness allows is emitted once", "[window_cases]") {
  CHECK(difference(
            tumbling_event_time(10ms), at_cleanup(), 5ms,
            {r(1), w(9), r(2), w(13), w(14), emits("[0, 10) 1 2"), w(30), expect_timers(0)}) == "");
}

TEST_CASE("C023: with the longest lateness nothing is late", "[window_cases]") {
  CHECK(of_tumbling(10ms, duration{std::numeric_limits<std::int64_t>::max()},
                    {r(1), w(9), emits("[0, 10) 1"), r(2), emits("[0, 10) 1 2")}) == "");
}

TEST_CASE("C024: an element behind the watermark is not late while its window is open",
          "[window_cases]") {
  CHECK(of_tumbling(10ms, 0ms, {r(9), w(5), r(1), w(9), emits("[0, 10) 9 1")}) == "");
  CHECK(of_sessions(10ms, {r(0), w(5), r(3), w(12), emits("[0, 13) 0 3")}) == "");
}

TEST_CASE("C025: a session ends with its gap, and not a tick before", "[window_cases]") {
  CHECK(of_sessions(10ms, {r(0), w(8), w(9), emits("[0, 10) 0"), r(10), w(30),
                           emits("[10, 20) 10")}) == "");
}

TEST_CASE("C027: hours and days of a change of the clocks", "[window_cases]") {
  const auto of_new_york = [](calendar_unit unit, const script& lines) {
    return difference(calendar_event_time(unit, "America/New_York"), event_time_trigger{}, 0ms,
                      lines);
  };
  CHECK(of_new_york(calendar_unit::hour,
                    {r(1772951400000), r(1772955000000), r(1793511000000), r(1793514600000),
                     end_of_input(), emits("[1772949600000, 1772953200000) 1772951400000"),
                     emits("[1772953200000, 1772956800000) 1772955000000"),
                     emits("[1793509200000, 1793512800000) 1793511000000"),
                     emits("[1793512800000, 1793516400000) 1793514600000")}) == "");
  CHECK(of_new_york(calendar_unit::day, {r(1772951400000), r(1793511000000), end_of_input(),
                                         emits("[1772946000000, 1773028800000) 1772951400000"),
                                         emits("[1793505600000, 1793595600000) 1793511000000")}) ==
        "");
}

TEST_CASE("C046: event time stands still without records, and ends with the input",
          "[window_cases]") {
  CHECK(of_tumbling(1min, 0ms,
                    {r(1000), w(999), advance_clock(10min), testing::idle(), end_of_input(),
                     emits("[0, 60000) 1000")}) == "");
}

TEST_CASE("C055: a window of the processing clock ends after a restart", "[window_cases]") {
  CHECK(difference(tumbling_processing_time(10ms), processing_time_trigger{}, 0ms,
                   {advance_clock(3ms), push(reading{"a", 1}), restore(), advance_clock(47ms),
                    emits("[0, 10) 1"), advance_clock(1min), expect_timers(0)}) == "");
}

TEST_CASE("C057: a timer of a window that is gone does nothing", "[window_cases]") {
  CHECK(difference(tumbling_event_time(10ms), after_processing_time(50ms), 0ms,
                   {r(1), w(9), expect_timers(0), advance_clock(50ms), expect_timers(0)}) == "");
}

TEST_CASE("C123: keys whose sessions are over leave nothing behind", "[window_cases]") {
  testing::window_subtask subtask{testing::sums(session_event_time(1ms))};
  for (int i = 0; i < 1'000'000; i += 1000) {
    std::vector<std::pair<reading, event_time>> records;
    for (int k = i; k < i + 1000; ++k) records.push_back({{std::to_string(k), 1}, at(k)});
    subtask.push(records);
  }
  REQUIRE(subtask.outcome.ok());
  CHECK(subtask.timers() == 1'000'000);
  subtask.watermark(at(1'000'000'000'000));
  CHECK(subtask.take_rows().size() == 1'000'000);
  CHECK(subtask.timers() == 0);
  for (const auto& chunk : subtask.snapshot()) CHECK(chunk.section != "sessions");
  subtask.push("0", 5, 1'000'000'000'001);
  subtask.watermark(at(1'000'000'000'010));
  CHECK(subtask.take_rows() ==
        std::vector{testing::window_row{"0", at(1'000'000'000'001), at(1'000'000'000'002), 5}});
  CHECK(subtask.outcome.ok());
}

}  // namespace
}  // namespace weir::windowing
