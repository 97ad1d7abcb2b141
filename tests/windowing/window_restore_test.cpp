// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <vector>

#include "support/catch.hpp"
#include "windowing/window_subtask.hpp"

namespace weir::testing {
namespace {

using namespace std::chrono_literals;
using windowing::tumbling_event_time;
using rows = std::vector<window_row>;

constexpr key_group_range lower{key_group{0}, key_group{63}};
constexpr key_group_range upper{key_group{64}, key_group{127}};

window_row row(std::string sensor, std::int64_t start, std::int64_t end, std::int64_t result) {
  return {std::move(sensor), at(start), at(end), result};
}

/// What two subtasks have written, for one that takes over from both.
std::vector<state::snapshot_chunk> both(window_subtask& a, window_subtask& b) {
  auto all = a.snapshot();
  for (auto& chunk : b.snapshot()) all.push_back(std::move(chunk));
  return all;
}

}  // namespace

TEST_CASE("C049: a scale-down goes on from the lower watermark and keeps the higher as a floor",
          "[window_restore]") {
  const auto make = sums(tumbling_event_time(10ms));
  window_subtask slow{make, lower};
  window_subtask fast{make, upper};
  slow.watermark(at(10));
  fast.watermark(at(20));
  const auto chunks = both(slow, fast);

  window_subtask one{make, all_test_groups, &chunks};
  REQUIRE(one.outcome.error_text() == "");
  CHECK(one.op().restored_watermark() == at(10));
  const auto of_slow = sensor_of(lower);
  one.push(of_slow, 1, 15);
  one.push(sensor_of(upper), 1, 15);
  one.watermark(at(19));
  CHECK(one.take_rows() == rows{row(of_slow, 10, 20, 1)});
  CHECK(one.late() == 1);

  one.watermark(at(21));
  one.push(of_slow, 1, 15);
  CHECK(one.late() == 2);
  one.push(sensor_of(upper), 3, 25);
  one.watermark(at(29));
  CHECK(one.take_rows() == rows{row(sensor_of(upper), 20, 30, 3)});
}

TEST_CASE("a floor outlives further snapshots until the watermark has passed it",
          "[window_restore]") {
  const auto make = sums(tumbling_event_time(10ms));
  window_subtask slow{make, lower};
  window_subtask fast{make, upper};
  slow.watermark(at(10));
  fast.watermark(at(40));
  auto chunks = both(slow, fast);
  for (const std::int64_t reached : {12, 25}) {
    window_subtask one{make, all_test_groups, &chunks};
    one.watermark(at(reached));
    chunks = one.snapshot();
  }
  window_subtask again_fast{make, upper, &chunks};
  CHECK(again_fast.op().restored_watermark() == at(40));
  window_subtask again_slow{make, lower, &chunks};
  CHECK(again_slow.op().restored_watermark() == at(25));
}

TEST_CASE("a key that fired before the scale-down is not fired again by a lower watermark",
          "[window_restore]") {
  const auto make = sums(tumbling_event_time(10ms), 100ms);
  window_subtask slow{make, lower};
  window_subtask fast{make, upper};
  const auto of_slow = sensor_of(lower);
  const auto of_fast = sensor_of(upper);
  slow.push(of_slow, 1, 15);
  slow.watermark(at(10));
  fast.push(of_fast, 5, 15);
  fast.watermark(at(30));
  CHECK(fast.take_rows() == rows{row(of_fast, 10, 20, 5)});
  const auto chunks = both(slow, fast);

  window_subtask one{make, all_test_groups, &chunks};
  one.push(of_fast, 6, 16);  // behind its floor, and within the lateness
  CHECK(one.take_rows() == rows{row(of_fast, 10, 20, 11)});
  one.push(of_slow, 2, 16);
  CHECK(one.take_rows().empty());
  SECTION("when the watermark comes to the window") { one.watermark(at(19)); }
  SECTION("when it passes the floor at the same time") { one.watermark(at(50)); }
  CHECK(one.take_rows() == rows{row(of_slow, 10, 20, 3)});
  one.watermark(event_time::max());
  CHECK(one.take_rows().empty());
}

TEST_CASE("windows are restored with whatever parallelism", "[window_restore]") {
  const auto make = sums(tumbling_event_time(10ms), 20ms);
  window_subtask before{make};
  std::vector<std::pair<reading, event_time>> records;
  for (int i = 0; i < 600; ++i)
    records.push_back({{"sensor " + std::to_string(i % 100), i}, at(i % 60)});
  before.push(records);
  before.watermark(at(25));
  CHECK(before.take_rows().size() == 100);
  const auto chunks = before.snapshot();

  const auto of_two = [&](window_subtask& a, window_subtask& b) {
    auto all = a.take_rows();
    for (auto& r : b.take_rows()) all.push_back(std::move(r));
    std::sort(all.begin(), all.end(), [](const auto& x, const auto& y) {
      return std::tie(x.end, x.sensor) < std::tie(y.end, y.sensor);
    });
    return all;
  };
  window_subtask first{make, lower, &chunks};
  window_subtask second{make, upper, &chunks};
  REQUIRE(first.outcome.error_text() == "");
  CHECK(of_two(first, second).empty());
  for (const auto to : {at(29), event_time::max()}) {
    first.watermark(to);
    second.watermark(to);
    before.watermark(to);
    const auto expected = before.take_rows();
    CHECK_FALSE(expected.empty());
    CHECK(of_two(first, second) == expected);
  }
}

TEST_CASE("a restored window that has fired has no timer but for its end", "[window_restore]") {
  const auto make = sums(tumbling_event_time(10ms), 20ms);
  window_subtask before{make};
  before.push("a", 1, 5);
  before.push("a", 1, 15);
  before.watermark(at(12));
  static_cast<void>(before.take_rows());
  CHECK(before.timers() == 3);
  const auto chunks = before.snapshot();
  window_subtask after{make, all_test_groups, &chunks};
  after.run();
  CHECK(after.timers() == 3);
  after.watermark(at(29));
  CHECK(after.take_rows() == rows{row("a", 10, 20, 1)});
  CHECK(after.timers() == 1);
  after.push("a", 1, 5);
  CHECK(after.late() == 1);
}

TEST_CASE("a window that is closed while the snapshot runs is in the snapshot",
          "[window_restore]") {
  const auto make = sums(tumbling_event_time(10ms));
  window_subtask running{make};
  std::vector<std::pair<reading, event_time>> records;
  for (int i = 0; i < 300; ++i)
    records.push_back({{"sensor " + std::to_string(i % 100), 1}, at(i % 30)});
  running.push(records);
  running.begin_snapshot();
  REQUIRE(running.op().snapshot_running());
  running.watermark(event_time::max());
  const auto expected = running.take_rows();
  CHECK(expected.size() == 300);
  const auto chunks = running.finish_snapshot();

  window_subtask after{make, all_test_groups, &chunks};
  REQUIRE(after.outcome.error_text() == "");
  after.watermark(event_time::max());
  CHECK(after.take_rows() == expected);
}

TEST_CASE("an aborted snapshot does no harm to the next", "[window_restore]") {
  const auto make = sums(tumbling_event_time(10ms));
  window_subtask running{make};
  for (int i = 0; i < 50; ++i) running.push("sensor " + std::to_string(i), 1, i);
  running.begin_snapshot();
  running.op().sweep_snapshot(3);
  running.op().abort_snapshot();
  CHECK_FALSE(running.op().snapshot_running());
  const auto chunks = running.snapshot();
  window_subtask after{make, all_test_groups, &chunks};
  after.watermark(event_time::max());
  CHECK(after.take_rows().size() == 50);
}

TEST_CASE("windows of another size go on to their own end", "[window_restore]") {
  window_subtask before{sums(tumbling_event_time(10ms))};
  before.push("a", 1, 5);
  const auto chunks = before.snapshot();
  window_subtask after{sums(tumbling_event_time(5ms)), all_test_groups, &chunks};
  after.push("a", 2, 5);
  after.watermark(at(9));
  CHECK(after.take_rows() == rows{row("a", 0, 10, 1), row("a", 5, 10, 2)});
}

TEST_CASE("a snapshot of an operator without windows keeps its watermark", "[window_restore]") {
  const auto make = sums(tumbling_event_time(10ms));
  window_subtask before{make};
  before.watermark(at(77));
  const auto chunks = before.snapshot();
  window_subtask after{make, lower, &chunks};
  CHECK(after.op().restored_watermark() == at(77));
  after.push(sensor_of(lower), 1, 15);
  CHECK(after.late() == 1);
  window_subtask fresh{make};
  CHECK_FALSE(fresh.op().restored_watermark().has_value());
}

TEST_CASE("damaged watermarks are an error", "[window_restore]") {
  const auto make = sums(tumbling_event_time(10ms));
  window_subtask before{make};
  auto chunks = before.snapshot();
  for (auto& chunk : chunks) chunk.bytes.pop_back();
  window_subtask after{make, all_test_groups, &chunks};
  REQUIRE_FALSE(after.outcome.ok());
  CHECK(after.outcome.failure().code() == errc::corrupt);
}

}  // namespace weir::testing
