// SPDX-License-Identifier: Apache-2.0
#include "weir/windowing/sliding_window_operator.hpp"

#include <algorithm>
#include <limits>
#include <string>
#include <vector>

#include "support/catch.hpp"
#include "windowing/sliding_sums.hpp"
#include "windowing/window_subtask.hpp"

namespace weir::testing {
namespace {

using namespace std::chrono_literals;

constexpr auto highest = std::numeric_limits<std::int64_t>::max();
constexpr auto lowest = std::numeric_limits<std::int64_t>::min();

/// The text of what an operator under test does not do.
std::string complaint(const operator_harness::factory& make, const script& lines) {
  return check<window_row>(make, lines).error_text();
}

script_step late(std::int64_t time) {
  return expect_side(late_readings, timed{reading{"a", 1}, at(time)});
}

struct collected_warnings final : log_sink {
  void write(const log_record& record) override { all.push_back(record.message); }
  std::vector<std::string> all;
};

}  // namespace

TEST_CASE("C002: a record before 1970 counts in the sliding windows around it",
          "[sliding_window_operator]") {
  CHECK(complaint(sliding_sums(10ms, 5ms), {one(-13), watermark(at(100)),
                                            expect(sum("a", -20, -10, 1), sum("a", -15, -5, 1))}) ==
        "");
}

TEST_CASE("C003: sliding windows with a negative offset start before the slide does",
          "[sliding_window_operator]") {
  constexpr std::int64_t hour = 3'600'000, midnight = 1'704'124'800'000;
  CHECK(complaint(sliding_sums(24h, 12h, 0ms, -8h),
                  {one(midnight - 1), one(midnight), watermark(event_time::max()),
                   expect(sum("a", midnight - 24 * hour, midnight, 1),
                          sum("a", midnight - 12 * hour, midnight + 12 * hour, 2),
                          sum("a", midnight, midnight + 24 * hour, 1))}) == "");
}

TEST_CASE("C006: windows whose size is no multiple of the slide count what is in them",
          "[sliding_window_operator]") {
  CHECK(complaint(sliding_sums(10ms, 3ms), {one(9), one(10), one(11), watermark(at(100)),
                                            expect(sum("a", 0, 10, 1), sum("a", 3, 13, 3),
                                                   sum("a", 6, 16, 3), sum("a", 9, 19, 3))}) == "");
}

TEST_CASE("C008: one watermark fires several sliding windows in the order in which they end",
          "[sliding_window_operator]") {
  CHECK(complaint(sliding_sums(10ms, 5ms),
                  {one(12), watermark(at(100)), expect(sum("a", 5, 15, 1), sum("a", 10, 20, 1))}) ==
        "");
}

TEST_CASE("C042: after a restore no sliding window opens again that had fired",
          "[sliding_window_operator]") {
  CHECK(complaint(sliding_sums_and_late(10ms, 5ms),
                  {one(12), watermark(at(14)), expect(sum("a", 5, 15, 1)), restore(), one(3),
                   late(3), watermark(at(14)), watermark(at(30)), expect(sum("a", 10, 20, 1))}) ==
        "");
}

TEST_CASE("a record behind the watermark counts in the windows that have not ended",
          "[sliding_window_operator]") {
  const auto two = [](std::int64_t time) { return push(reading{"b", 1}, at(time)); };
  CHECK(complaint(sliding_sums_and_late(3s, 1s),
                  {two(1000), watermark(at(1999)), expect(sum("b", -1000, 2000, 1)), two(2000),
                   watermark(at(3000)), expect(sum("b", 0, 3000, 2)), one(3001), two(2400),
                   two(2400), one(3001), two(3900), watermark(at(6000)),
                   expect_in_any_order(sum("b", 1000, 4000, 5), sum("a", 1000, 4000, 2)),
                   expect_in_any_order(sum("b", 2000, 5000, 4), sum("a", 2000, 5000, 2)),
                   expect_in_any_order(sum("b", 3000, 6000, 1), sum("a", 3000, 6000, 2)), one(3001),
                   late(3001)}) == "");
}

TEST_CASE("a late record fires its windows that have ended and are not over, the latest first",
          "[sliding_window_operator]") {
  CHECK(
      complaint(sliding_sums_and_late(10ms, 5ms, 5ms),
                {one(12), push(reading{"a", 10}, at(7)), watermark(at(14)),
                 expect(sum("a", 0, 10, 10), sum("a", 5, 15, 11)), watermark(at(19)),
                 expect(sum("a", 10, 20, 1)), push(reading{"a", 100}, at(13)),
                 expect(sum("a", 10, 20, 101)), watermark(at(23)), push(reading{"a", 1000}, at(14)),
                 expect(sum("a", 10, 20, 1101)), watermark(at(24)), one(14), late(14)}) == "");
}

TEST_CASE("a late record of a new key fires its windows with itself alone",
          "[sliding_window_operator]") {
  CHECK(complaint(
            sliding_sums(4ms, 1ms, 100ms),
            {one(0), watermark(at(50)),
             expect(sum("a", -3, 1, 1), sum("a", -2, 2, 1), sum("a", -1, 3, 1), sum("a", 0, 4, 1)),
             push(reading{"b", 5}, at(1)),
             expect(sum("b", 1, 5, 5), sum("b", 0, 4, 5), sum("b", -1, 3, 5),
                    sum("b", -2, 2, 5))}) == "");
}

TEST_CASE("records between two windows are left out without a word unless they are late",
          "[sliding_window_operator]") {
  const auto make = sliding_sums_and_late(4ms, 10ms, 2ms);
  CHECK(complaint(make,
                  {one(5), one(9), one(3), one(12), watermark(at(10)), expect(sum("a", 0, 4, 1)),
                   one(9), one(8), late(8), watermark(at(50)), expect(sum("a", 10, 14, 1))}) == "");
  operator_harness harness{sliding_sums(4ms, 10ms)};
  harness.watermark(at(6));
  harness.push(reading{"a", 1}, at(7));
  harness.push(reading{"a", 1}, at(5));
  CHECK(harness.metrics().add_counter("late_records_dropped").value() == 1);
}

TEST_CASE("subtask 0 warns once of windows that leave records out", "[sliding_window_operator]") {
  const auto warnings = [](duration size, std::uint32_t subtask) {
    collected_warnings log;
    metric_group metrics;
    dataflow::operator_environment environment;
    environment.name = "totals";
    environment.subtask = {subtask};
    environment.parallelism = 2;
    environment.groups = all_test_groups;
    environment.metrics = &metrics;
    environment.log = &log;
    REQUIRE(sliding_sums(size, 10ms)()->open(environment).error_text() == "");
    return log.all;
  };
  REQUIRE(warnings(4ms, 0).size() == 1);
  CHECK(warnings(4ms, 0)[0].find("sliding windows of 4 ms every 10 ms") != std::string::npos);
  CHECK(warnings(4ms, 0)[0].find("totals") != std::string::npos);
  CHECK(warnings(4ms, 1).empty());
  CHECK(warnings(10ms, 0).empty());
}

TEST_CASE("sliding windows at the ends of time are cut off and fire", "[sliding_window_operator]") {
  CHECK(complaint(
            sliding_sums(10ms, 5ms),
            {one(lowest + 1), one(highest), one(highest - 1), watermark(at(lowest + 50)),
             expect_in_any_order(sum("a", lowest, lowest + 3, 1), sum("a", lowest, lowest + 8, 1)),
             watermark(event_time::max()),
             expect(sum("a", highest - 7, highest, 2), sum("a", highest - 2, highest, 2))}) == "");
}

TEST_CASE("a reduce function sees panes in the order of time, and records as they come",
          "[sliding_window_operator]") {
  const auto joined = [](const reading& a, const reading& b) {
    std::int64_t digits = 10;
    while (digits <= b.value) digits *= 10;
    return reading{a.sensor, a.value * digits + b.value};
  };
  using contents = windowing::reducing<reading, decltype(joined)>;
  const auto make =
      sliding_operator<contents, windowing::emit_results<std::string, time_window, reading>>(
          sliding_event_time(10ms, 5ms), contents{joined});
  CHECK(check<reading>(
            make, {push(reading{"a", 4}, at(7)), push(reading{"a", 2}, at(3)),
                   push(reading{"a", 3}, at(1)), push(reading{"a", 1}, at(6)), watermark(at(9)),
                   expect(timed{reading{"a", 23}, at(4)}), expect(timed{reading{"a", 2341}, at(9)}),
                   watermark(at(20)), expect(timed{reading{"a", 41}, at(14)})})
            .error_text() == "");
}

TEST_CASE("C029: sliding windows refuse a record without a timestamp",
          "[sliding_window_operator]") {
  CHECK(complaint(sliding_sums(10ms, 5ms),
                  {push(reading{"a", 1}), expect_failure("without a timestamp")}) == "");
}

TEST_CASE("a firing of many panes and keys pauses and forgets none", "[sliding_window_operator]") {
  constexpr int keys = 3000;
  window_subtask run{sliding_sums(10ms, 2ms)};
  std::vector<std::pair<reading, event_time>> records;
  for (int i = 0; i < 4 * keys; ++i)
    records.push_back({{"sensor number " + std::to_string(i % keys), 1}, at(i / keys * 2)});
  run.push(records);
  run.reader().open = false;
  run.watermark(at(9));
  std::size_t pauses = 0;
  for (; !run.op().input(0).empty(); ++pauses) {
    run.reader().open = true;
    static_cast<void>(run.reader().step());
    run.reader().open = false;
    run.run();
  }
  CHECK(pauses > 10);
  run.reader().open = true;
  const auto rows = run.take_rows();
  REQUIRE(rows.size() == 5 * keys);
  for (const auto& row : rows)
    if (row.result != std::min<std::int64_t>(row.end.ms / 2, 4))
      FAIL(row.sensor << " has " << row.result);
}

TEST_CASE("late firings of several windows pause when the output is full",
          "[sliding_window_operator]") {
  window_subtask run{sliding_sums(10ms, 2ms, 50ms)};
  run.watermark(at(30));
  run.reader().open = false;
  std::vector<std::pair<reading, event_time>> records;
  for (int i = 0; i < 3'000; ++i) records.push_back({{"a", 1}, at(5)});
  run.push(records);
  CHECK_FALSE(run.op().input(0).empty());
  run.reader().open = true;
  run.run();
  const auto rows = run.take_rows();
  REQUIRE(rows.size() == 15'000);
  CHECK(rows.back().result == 3'000);
}

TEST_CASE("sliding windows that are cut in another way are not restored",
          "[sliding_window_operator]") {
  window_subtask before{sliding_sums(10ms, 5ms)};
  before.push("a", 1, 5);
  const auto chunks = before.snapshot();
  window_subtask other{sliding_sums(10ms, 2ms), all_test_groups, &chunks};
  CHECK(other.outcome.error_text().find("windows of 10 ms every 5 ms with offset 0 ms, these are "
                                        "windows of 10 ms every 2 ms") != std::string::npos);
  auto without = chunks;
  std::erase_if(without, [](const auto& chunk) { return chunk.section == "window/cuts"; });
  REQUIRE(without.size() < chunks.size());
  window_subtask unknown{sliding_sums(10ms, 5ms), all_test_groups, &without};
  CHECK(unknown.outcome.error_text().find("not of sliding windows") != std::string::npos);
}

}  // namespace weir::testing
