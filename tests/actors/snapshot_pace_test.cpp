// SPDX-License-Identifier: Apache-2.0
#include "weir/actors/internal/snapshot_pace.hpp"

#include "support/catch.hpp"

namespace weir::actors::internal {
namespace {

constexpr snapshot_limits limits{.least_slots = 100,
                                 .idle_slots = 1000,
                                 .slice_bytes = std::size_t{1} << 30,
                                 .write_size = 10,
                                 .sweep_waits = 50,
                                 .work_waits = 200,
                                 .time = duration{400}};
constexpr clock_time start{1'000'000};

TEST_CASE("a slice has a slot for each row, more without work, and never none", "[snapshot_pace]") {
  snapshot_pace pace{limits};
  pace.begin(start);
  CHECK(pace.slots(5000, true, start) == 5000);
  CHECK(pace.slots(5000, false, start) == 5000);
  CHECK(pace.slots(0, true, start) == 100);
  CHECK(pace.slots(500, false, start) == 1000);
}

TEST_CASE("slices grow with each quarter of the time, and no more behind its end",
          "[snapshot_pace]") {
  snapshot_pace pace{limits};
  pace.begin(start);
  CHECK(pace.slots(100, true, start + duration{99}) == 100);
  CHECK(pace.slots(100, true, start + duration{100}) == 400);
  CHECK(pace.slots(100, true, start + duration{250}) == 1600);
  CHECK(pace.slots(100, true, start + duration{399}) == 6400);
  CHECK(pace.slots(100, true, start + duration{100'000}) == 6400);
  CHECK(pace.slots(100, true, {start.ms - 1000}) == 100);  // the clock was set back
  pace.begin(start + duration{100'000});
  CHECK(pace.slots(100, true, start + duration{100'000}) == 100);
}

TEST_CASE("a time of nothing is as short as can be", "[snapshot_pace]") {
  snapshot_pace pace{{.least_slots = 1, .slice_bytes = std::size_t{1} << 30, .time = duration{0}}};
  pace.begin(start);
  CHECK(pace.slots(1, true, start) == 1);
  CHECK(pace.slots(1, true, start + duration{5}) == 64);
}

TEST_CASE("slices of large rows are short, and the first one is short, too", "[snapshot_pace]") {
  auto with_bytes = limits;
  with_bytes.slice_bytes = 1 << 20;
  snapshot_pace pace{with_bytes};
  pace.begin(start);
  const auto first = pace.slots(1'000'000, true, start);
  CHECK(first > 900);
  CHECK(first <= 1025);
  pace.swept(1000, 10'000);  // 10 bytes each
  CHECK(pace.slots(10'000, true, start) > 8'000);
  for (int i = 0; i < 100; ++i) pace.swept(1000, 100'000'000);  // 100,000 bytes each
  CHECK(pace.slots(10'000, true, start) <= 11);
  CHECK(pace.slots(10'000, true, start) >= 1);
  pace.begin(start);
  CHECK(pace.slots(1'000'000, true, start) == first);
}

TEST_CASE("the sweep waits for the disk, and after it the work", "[snapshot_pace]") {
  snapshot_pace pace{limits};
  pace.begin(start);
  pace.hand_over(49);
  CHECK(pace.may_sweep());
  CHECK(pace.slots(1, true, start) == 100);
  pace.hand_over(1);
  CHECK_FALSE(pace.may_sweep());
  CHECK(pace.slots(1, true, start) == 0);
  CHECK(pace.may_work());
  pace.hand_over(150);
  CHECK_FALSE(pace.may_work());
  pace.begin(start);  // the bytes of an earlier snapshot count until they are written
  CHECK_FALSE(pace.may_work());
  pace.written(1);
  CHECK(pace.may_work());
  CHECK_FALSE(pace.may_sweep());
  pace.written(150);
  CHECK(pace.may_sweep());
  CHECK(pace.in_flight() == 49);
}

}  // namespace
}  // namespace weir::actors::internal
