// SPDX-License-Identifier: Apache-2.0
#include "weir/core/time.hpp"

#include "support/catch.hpp"

using weir::clock_time;
using weir::duration;
using weir::event_time;
using weir::floor_mod;
using weir::saturating_add;

namespace {
constexpr auto lowest = std::numeric_limits<std::int64_t>::min();
constexpr auto highest = std::numeric_limits<std::int64_t>::max();
}  // namespace

TEST_CASE("a sum beyond the range is held at its end", "[time]") {
  CHECK(saturating_add(2, 3) == 5);
  CHECK(saturating_add(highest, 1) == highest);
  CHECK(saturating_add(1, highest) == highest);
  CHECK(saturating_add(lowest, -1) == lowest);
  CHECK(saturating_add(-1, lowest) == lowest);
  CHECK(saturating_add(lowest, highest) == -1);
}

TEST_CASE("a time plus a duration does not pass the ends of time", "[time]") {
  CHECK(weir::at(1000) + duration{-1500} == weir::at(-500));
  CHECK(event_time::max() + duration{1} == event_time::max());
  CHECK(event_time::min() + duration{-1} == event_time::min());
  CHECK(clock_time::max() + duration{1} == clock_time::max());
  CHECK(clock_time{5} + duration{2} == clock_time{7});
}

TEST_CASE("the floor modulus of a negative number is not negative", "[time]") {
  CHECK(floor_mod(7, 5) == 2);
  CHECK(floor_mod(-1, 5) == 4);
  CHECK(floor_mod(-5, 5) == 0);
  CHECK(floor_mod(-6, 5) == 4);
  CHECK(floor_mod(lowest, 10) == 2);
}

TEST_CASE("no timestamp is before every other event time", "[time]") {
  CHECK(event_time::min() < weir::at(lowest + 1));
  CHECK(weir::at(-1) < weir::at(0));
  CHECK(weir::at(0) < event_time::max());
}
