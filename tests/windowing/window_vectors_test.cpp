// SPDX-License-Identifier: Apache-2.0
// Whole window operators with the inputs of Apache Flink's WindowOperatorTest and
// EvictingWindowOperatorTest: what they emit is the same.
#include <cstdint>
#include <string>

#include "weir/testing/check_stream.hpp"
#include "weir/windowing/windows.hpp"

#include "support/catch.hpp"
#include "windowing/readings.hpp"

namespace weir::windowing {
namespace {

using namespace std::chrono_literals;
using testing::add;
using testing::advance_clock;
using testing::check_stream;
using testing::expect;
using testing::expect_in_any_order;
using testing::expect_side;
using testing::expect_timers;
using testing::late_readings;
using testing::push;
using testing::reading;
using testing::restore;
using testing::script;
using testing::timed;
using testing::watermark;

testing::script_step one(const char* key, std::int64_t time, std::int64_t value = 1) {
  return push(reading{key, value}, at(time));
}
testing::script_step w(std::int64_t time) { return watermark(at(time)); }
timed<reading> sum(const char* key, std::int64_t value, std::int64_t time) {
  return {{key, value}, at(time)};
}

/// How the sums by sensor that `of` makes of windows differ from a script; empty if they do not.
template <class Spec, class Of>
std::string difference(Spec spec, Of of, const script& lines) {
  return check_stream<reading>(
             [&](auto in) { return of(in.key_by(&reading::sensor).window(spec)).reduce(add); },
             lines)
      .error_text();
}
template <class Spec>
std::string difference(Spec spec, const script& lines) {
  return difference(
      spec, [](const auto& windows) { return windows.late_output(late_readings); }, lines);
}

script eight_elements(script then) {
  script lines{one("k2", 3999), one("k2", 3000), one("k1", 20),   one("k1", 0),
               one("k1", 999),  one("k2", 1998), one("k2", 1999), one("k2", 1000)};
  lines.insert(lines.end(), then.begin(), then.end());
  return lines;
}

TEST_CASE("Flink's testSlidingEventTimeWindowsReduce", "[window_vectors]") {
  const auto lines =
      eight_elements({w(999), expect(sum("k1", 3, 999)), w(1999),
                      expect_in_any_order(sum("k1", 3, 1999), sum("k2", 3, 1999)), w(2999),
                      expect_in_any_order(sum("k1", 3, 2999), sum("k2", 3, 2999)), restore(),
                      w(3999), expect(sum("k2", 5, 3999)), w(4999), expect(sum("k2", 2, 4999)),
                      w(5999), expect(sum("k2", 2, 5999)), w(6999), w(7999), expect_timers(0)});
  CHECK(difference(sliding_event_time(3s, 1s), lines) == "");
}

TEST_CASE("Flink's testTumblingEventTimeWindowsReduce", "[window_vectors]") {
  const auto lines = eight_elements(
      {w(999), w(1999), w(2999), expect_in_any_order(sum("k1", 3, 2999), sum("k2", 3, 2999)),
       restore(), w(3999), w(4999), w(5999), expect(sum("k2", 2, 5999)), w(6999), w(7999)});
  CHECK(difference(tumbling_event_time(3s), lines) == "");
  // The same records, each of which an evictor leaves where it is.
  CHECK(difference(
            tumbling_event_time(3s),
            [](const auto& windows) { return windows.evictor(count_evictor{100}); }, lines) == "");
}

TEST_CASE("Flink's testContinuousWatermarkTrigger", "[window_vectors]") {
  const auto max = event_time::max().ms;
  const auto lines = eight_elements(
      {w(1000), w(2000), w(3000), expect(sum("k1", 3, max)), w(4000), w(5000), w(6000),
       expect_in_any_order(sum("k1", 3, max), sum("k2", 5, max)), w(7000), w(8000)});
  CHECK(difference(
            global_windows(),
            [](const auto& windows) { return windows.trigger(continuous_event_time(3s)); },
            lines) == "");
}

TEST_CASE("Flink's testCountTrigger", "[window_vectors]") {
  const auto max = event_time::max().ms;
  CHECK(difference(count_window(4), [](const auto& windows) { return windows; },
                   {one("k2", 3000), one("k2", 3999), one("k1", 20), one("k1", 0), one("k1", 999),
                    one("k2", 1998), one("k2", 1999), expect(sum("k2", 4, max)), restore(),
                    one("k1", 10999), expect(sum("k1", 4, max)), one("k2", 1000), one("k2", 1000),
                    one("k2", 1000), one("k2", 1000), expect(sum("k2", 4, max))}) == "");
}

/// Sessions of 3 s, but an element of 33 is only a point in time.
struct point_sessions : window_assigner<point_sessions> {
  using window_type = time_window;
  static constexpr const char* kind = "point session";
  static constexpr bool merging = true;
  static constexpr bool is_event_time = true;

  static status validate() { return {}; }
  template <class Assign>
  void assign(const reading& r, event_time time, clock_time, Assign&& assign) const {
    assign(time_window{time, r.value == 33 ? time : time + duration{3000}});
  }
  static event_time_trigger default_trigger() { return {}; }
};

TEST_CASE("Flink's testPointSessions", "[window_vectors]") {
  CHECK(difference(point_sessions{},
                   {one("k2", 0), one("k2", 1000, 33), restore(), one("k2", 2500, 33),
                    one("k1", 10), one("k1", 1000, 2), one("k1", 2500, 33), w(12000),
                    expect_in_any_order(sum("k1", 36, 3999), sum("k2", 67, 2999))}) == "");
}

TEST_CASE("Flink's testProcessingTimeTumblingWindows and its siblings", "[window_vectors]") {
  const auto r = [](const char* key) { return push(reading{key, 1}); };
  CHECK(difference(
            tumbling_processing_time(3s),
            {advance_clock(3ms), r("k2"), r("k2"), r("k2"), r("k1"), r("k1"), advance_clock(4997ms),
             expect_in_any_order(sum("k2", 3, 2999), sum("k1", 2, 2999)), r("k1"), r("k1"), r("k1"),
             advance_clock(2s), expect(sum("k1", 3, 5999)), expect_timers(0)}) == "");
  CHECK(difference(session_processing_time(3s),
                   {advance_clock(3ms), r("k2"), advance_clock(997ms), r("k2"), advance_clock(4s),
                    expect(sum("k2", 2, 3999)), r("k2"), r("k2"), r("k1"), r("k1"), r("k1"),
                    advance_clock(5s), expect_in_any_order(sum("k2", 2, 7999), sum("k1", 3, 7999)),
                    expect_timers(0)}) == "");
  CHECK(difference(sliding_processing_time(3s, 1s),
                   {advance_clock(3ms), r("k2"), advance_clock(997ms), expect(sum("k2", 1, 999)),
                    r("k2"), r("k2"), advance_clock(1s), expect(sum("k2", 3, 1999)), r("k1"),
                    r("k1"), advance_clock(1s),
                    expect_in_any_order(sum("k2", 3, 2999), sum("k1", 2, 2999)), advance_clock(4s),
                    expect_in_any_order(sum("k2", 2, 3999), sum("k1", 2, 3999), sum("k1", 2, 4999)),
                    expect_timers(0)}) == "");
}

TEST_CASE("Flink's testCountEvictorEvictAfter", "[window_vectors]") {
  const auto max = event_time::max().ms;
  CHECK(
      difference(
          global_windows(),
          [](const auto& windows) {
            return windows.trigger(after_count(2)).evictor(count_evictor{4, evict_when::after});
          },
          {one("k2", 3000), one("k2", 3999), expect(sum("k2", 2, max)), one("k1", 20), one("k1", 0),
           expect(sum("k1", 2, max)), one("k1", 999), one("k2", 1998), one("k2", 1999),
           expect(sum("k2", 4, max)), one("k2", 1000), restore(), one("k1", 10999),
           expect(sum("k1", 4, max)), one("k2", 1000), expect(sum("k2", 6, max)), one("k2", 1000),
           one("k2", 1000), expect(sum("k2", 6, max))}) == "");
}

TEST_CASE("Flink's testCleanupTimerWithEmptyState", "[window_vectors]") {
  const auto purging_windows = [](const auto& windows) {
    return windows.trigger(purging(event_time_trigger{})).allowed_lateness(100ms);
  };
  CHECK(difference(tumbling_event_time(2s), purging_windows,
                   {one("k2", 1000), w(1599), w(1999), expect(sum("k2", 1, 1999)), w(2100), w(5000),
                    expect_timers(0)}) == "");
  CHECK(difference(session_event_time(3s), purging_windows,
                   {one("k2", 1000), w(4998), expect(sum("k2", 1, 3999)), expect_timers(0),
                    w(14600)}) == "");
}

TEST_CASE("C042: what was late before a failure is late after it", "[window_vectors]") {
  const script lines{one("a", 12),
                     w(14),
                     expect(sum("a", 1, 14)),
                     restore(),
                     one("a", 3),
                     expect_side(late_readings, timed{reading{"a", 1}, at(3)}),
                     w(30),
                     expect(sum("a", 1, 19))};
  CHECK(difference(sliding_event_time(10ms, 5ms), lines) == "");
  CHECK(difference(
            sliding_event_time(10ms, 5ms),
            [](const auto& windows) {
              return windows.trigger(any_of(event_time_trigger{})).late_output(late_readings);
            },
            lines) == "");
  CHECK(difference(session_event_time(3ms),
                   {one("a", 12), w(14), expect(sum("a", 1, 14)), restore(), one("a", 3),
                    expect_side(late_readings, timed{reading{"a", 1}, at(3)}), w(30)}) == "");
}

}  // namespace
}  // namespace weir::windowing
