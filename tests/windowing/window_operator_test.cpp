// SPDX-License-Identifier: Apache-2.0
#include "weir/windowing/window_operator.hpp"

#include <limits>
#include <string>

#include "support/catch.hpp"
#include "windowing/readings.hpp"

namespace weir::testing {
namespace {

using namespace std::chrono_literals;
using windowing::tumbling_event_time;

constexpr auto highest = std::numeric_limits<std::int64_t>::max();

/// The text of what an operator under test does not do.
std::string complaint(const operator_harness::factory& make, const script& lines) {
  return check<window_row>(make, lines).error_text();
}

}  // namespace

TEST_CASE("C001: negative timestamps fall into the window to their left", "[window_operator]") {
  CHECK(complaint(
            sums_and_late(tumbling_event_time(10ms)),
            {one(-1), one(-10), one(-11), one(-20), one(-21), one(0), one(9), watermark(at(100)),
             expect(sum("a", -30, -20, 1), sum("a", -20, -10, 2), sum("a", -10, 0, 2),
                    sum("a", 0, 10, 2)),
             expect_side(late_readings)}) == "");
}

TEST_CASE("C003: windows with a negative offset are days of a place east of Greenwich",
          "[window_operator]") {
  constexpr std::int64_t midnight = 1'704'124'800'000;
  CHECK(complaint(sums(tumbling_event_time(24h, -8h)),
                  {one(midnight - 1), one(midnight), watermark(event_time::max()),
                   expect(sum("a", midnight - 86'400'000, midnight, 1),
                          sum("a", midnight, midnight + 86'400'000, 1))}) == "");
}

TEST_CASE("C005: a window fires at its last millisecond and not before", "[window_operator]") {
  CHECK(complaint(sums_and_late(tumbling_event_time(1s)),
                  {one(999), one(1000), watermark(at(998)), expect(), watermark(at(999)),
                   expect(sum("a", 0, 1000, 1)), one(999),
                   expect_side(late_readings, timed{reading{"a", 1}, at(999)}), watermark(at(1999)),
                   expect(sum("a", 1000, 2000, 1))}) == "");
}

TEST_CASE("the results of a watermark come before it", "[window_operator]") {
  const auto modes = {harness_mode::all_at_once, harness_mode::refusing_output};
  CHECK(check<window_row>(sums(tumbling_event_time(1s)),
                          {one(999), watermark(at(998)), watermark(at(999)), watermark(at(1000)),
                           expect_watermark(at(998)), expect(sum("a", 0, 1000, 1)),
                           expect_watermark(at(999)), expect_watermark(at(1000))},
                          {.modes = modes})
            .error_text() == "");
}

TEST_CASE("C029: a record without a timestamp is an error, one before 1970 is not",
          "[window_operator]") {
  const auto make = sums(tumbling_event_time(10ms));
  CHECK(complaint(make, {one(-1), watermark(at(0)), expect(sum("a", -10, 0, 1))}) == "");
  CHECK(complaint(make, {one(-1), push(reading{"a", 1}),
                         expect_failure("\"operator under test\"")}) == "");
  CHECK(complaint(make, {push(reading{"a", 1}), expect_failure("without a timestamp")}) == "");
}

TEST_CASE("C039: the end of the input fires the last windows, and a cancel does not",
          "[window_operator]") {
  const auto make = sums(tumbling_event_time(10ms));
  CHECK(complaint(make, {one(1), end_of_input(), expect(sum("a", 0, 10, 1))}) == "");
  CHECK(complaint(make, {one(1), expect()}) == "");
}

TEST_CASE("lateness 0: a record is late from the end of its window on", "[window_operator]") {
  CHECK(complaint(sums_and_late(tumbling_event_time(2s)),
                  {one(1000), watermark(at(1985)), one(1980), watermark(at(1999)),
                   expect(sum("a", 0, 2000, 2)), one(1998),
                   expect_side(late_readings, timed{reading{"a", 1}, at(1998)}), one(2001),
                   watermark(at(3999)), expect(sum("a", 2000, 4000, 1))}) == "");
}

TEST_CASE("within the allowed lateness each record fires its key anew", "[window_operator]") {
  CHECK(complaint(
            sums_and_late(tumbling_event_time(2s), 500ms),
            {one(500), watermark(at(1500)), one(1300), push(reading{"b", 7}, at(600)),
             watermark(at(2300)), expect_in_any_order(sum("a", 0, 2000, 2), sum("b", 0, 2000, 7)),
             one(1997), expect(sum("a", 0, 2000, 3)), one(5), expect(sum("a", 0, 2000, 4)),
             watermark(at(2498)), one(7), expect(sum("a", 0, 2000, 5)), watermark(at(2499)),
             one(1998), watermark(at(6000)),
             expect_side(late_readings, timed{reading{"a", 1}, at(1998)})}) == "");
}

TEST_CASE("a window that first gets a record after its end fires at once", "[window_operator]") {
  CHECK(complaint(sums(tumbling_event_time(2s), 5s),
                  {watermark(at(3000)), one(500), expect(sum("a", 0, 2000, 1)), one(600),
                   expect(sum("a", 0, 2000, 2)), expect_timers(1), watermark(at(6999)),
                   expect_timers(0)}) == "");
}

TEST_CASE("a lateness that reaches past the end of time keeps a window open and fires it once",
          "[window_operator]") {
  constexpr std::int64_t time = highest - 1750;
  constexpr std::int64_t start = time - time % 1000;
  CHECK(complaint(
            sums(tumbling_event_time(1s), 2s),
            {one(time), watermark(at(highest - 1500)), expect_timers(1), watermark(at(start + 999)),
             expect(sum("a", start, start + 1000, 1)), expect_timers(0), one(time),
             expect(sum("a", start, start + 1000, 2)), watermark(event_time::max())}) == "");
}

TEST_CASE("all keys of a window share two timers", "[window_operator]") {
  script lines;
  for (int i = 0; i < 50; ++i) lines.push_back(push(reading{std::to_string(i), 1}, at(i % 10)));
  lines.push_back(expect_timers(2));
  lines.push_back(watermark(at(8)));
  lines.push_back(expect_timers(2));
  CHECK(complaint(sums(tumbling_event_time(10ms), 5ms), lines) == "");
}

TEST_CASE("windows fire in the order of time, whatever the order of their records",
          "[window_operator]") {
  CHECK(complaint(sums(tumbling_event_time(10ms)),
                  {one(35), one(5), one(25), one(6), one(15), one(26), one(7), watermark(at(29)),
                   expect(sum("a", 0, 10, 3), sum("a", 10, 20, 1), sum("a", 20, 30, 2)),
                   watermark(at(39)), expect(sum("a", 30, 40, 1))}) == "");
}

TEST_CASE("late records are counted when no output is named for them", "[window_operator]") {
  operator_harness harness{sums(tumbling_event_time(10ms))};
  harness.push(reading{"a", 1}, at(1));
  harness.watermark(at(9));
  harness.push(reading{"a", 1}, at(9));
  harness.push(reading{"a", 1}, at(-50));
  harness.push(reading{"a", 1}, at(10));
  REQUIRE(harness.outcome().error_text() == "");
  CHECK(harness.metrics().add_counter("late_records_dropped").value() == 2);
}

TEST_CASE("late records that nobody reads are dropped by the output", "[window_operator]") {
  operator_harness harness{sums_and_late(tumbling_event_time(10ms))};
  harness.watermark(at(9));
  harness.push(reading{"a", 1}, at(9));
  REQUIRE(harness.outcome().error_text() == "");
  CHECK(harness.instance().dropped_side_records() == 1);
  CHECK(harness.metrics().add_counter("late_records_dropped").value() == 0);
}

TEST_CASE("reduce makes one record of a window's records, in their order", "[window_operator]") {
  const auto joined = [](const reading& a, const reading& b) {
    return reading{a.sensor, a.value * 10 + b.value};
  };
  const script lines{push(reading{"a", 1}, at(1)),  push(reading{"b", 5}, at(2)),
                     push(reading{"a", 2}, at(12)), push(reading{"a", 3}, at(3)),
                     push(reading{"a", 4}, at(13)), watermark(at(9))};
  SECTION("and emits it") {
    auto all = lines;
    all.push_back(
        expect_in_any_order(timed{reading{"a", 13}, at(9)}, timed{reading{"b", 5}, at(9)}));
    all.push_back(end_of_input());
    all.push_back(expect(timed{reading{"a", 24}, at(19)}));
    const auto make = window_operator_of(
        tumbling_event_time(10ms), [&](const auto& windows) { return windows.reduce(joined); });
    CHECK(check<reading>(make, all).error_text() == "");
  }
  SECTION("and hands it to a function") {
    struct to_row {
      void process_record(const std::string& sensor, const time_window& w, const reading& r,
                          collector<window_row>& out) {
        out.collect({sensor, w.start, w.end, r.value});
      }
    };
    auto all = lines;
    all.push_back(expect_in_any_order(sum("a", 0, 10, 13), sum("b", 0, 10, 5)));
    const auto make = window_operator_of(tumbling_event_time(10ms), [&](const auto& windows) {
      return windows.reduce(joined, to_row{});
    });
    CHECK(complaint(make, all) == "");
  }
}

TEST_CASE("aggregate without a second function emits the results", "[window_operator]") {
  const auto make = window_operator_of(tumbling_event_time(10ms), [](const auto& windows) {
    return windows.aggregate(sum_of_values{});
  });
  CHECK(check<std::int64_t>(
            make, {one(1), one(2), watermark(at(9)), expect(timed{std::int64_t{2}, at(9)})})
            .error_text() == "");
}

TEST_CASE("an accumulator may be large and hold memory of its own", "[window_operator]") {
  struct all_values {
    struct accumulator {
      std::vector<std::string> texts;
      std::array<std::int64_t, 16> padding{};
    };
    void add(const reading& r, accumulator& to) const {
      to.texts.push_back(std::to_string(r.value));
    }
    void merge(const accumulator&, accumulator&) const {}
    std::string get_result(const accumulator& a) const {
      std::string text;
      for (const auto& t : a.texts) text += t + ";";
      return text;
    }
  };
  const auto make = window_operator_of(tumbling_event_time(10ms), [](const auto& windows) {
    return windows.aggregate(all_values{});
  });
  CHECK(check<std::string>(
            make, {push(reading{"a", 1}, at(1)), push(reading{"a", 22}, at(2)), watermark(at(9)),
                   expect(timed{std::string{"1;22;"}, at(9)}), push(reading{"a", 3}, at(11)),
                   end_of_input(), expect(timed{std::string{"3;"}, at(19)})})
            .error_text() == "");
}

TEST_CASE("an exception of a window function names the operator and the time",
          "[window_operator]") {
  struct refuses_two : sum_of_values {
    void add(const reading& r, accumulator& to) const {
      if (r.value == 2) throw std::runtime_error{"two"};
      to.sum += r.value;
    }
    std::int64_t get_result(const accumulator& a) const {
      if (a.sum == 7) throw std::runtime_error{"seven"};
      return a.sum;
    }
  };
  const auto make = window_operator_of(tumbling_event_time(10ms), [](const auto& windows) {
    return windows.aggregate(refuses_two{}, to_window_row{});
  });
  CHECK(complaint(make, {one(1), push(reading{"a", 2}, at(4)), expect_failure("record time 4")}) ==
        "");
  CHECK(complaint(make, {push(reading{"a", 7}, at(4)), watermark(at(30)),
                         expect_failure("record time 9")}) == "");
}

}  // namespace weir::testing
