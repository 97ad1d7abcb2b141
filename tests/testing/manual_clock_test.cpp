// SPDX-License-Identifier: Apache-2.0
#include "weir/testing/manual_clock.hpp"

#include "support/catch.hpp"

namespace weir::testing {

using std::chrono::milliseconds;

TEST_CASE("a manual clock moves when it is told to", "[manual_clock]") {
  manual_clock clock{{100}};
  CHECK(clock.now() == clock_time{100});
  clock.advance(milliseconds{5});
  CHECK(clock.now() == clock_time{105});
  clock.set({200});
  CHECK(clock.now() == clock_time{200});
}

TEST_CASE("a manual clock goes back only by set_back", "[manual_clock]") {
  manual_clock clock{{100}};
  clock.set({50});
  CHECK(clock.now() == clock_time{100});
  clock.advance(milliseconds{-1});
  CHECK(clock.now() == clock_time{100});
  clock.set_back({50});
  CHECK(clock.now() == clock_time{50});
}

TEST_CASE("a manual clock stops at the end of time", "[manual_clock]") {
  manual_clock clock{clock_time::max()};
  clock.advance(milliseconds{1});
  CHECK(clock.now() == clock_time::max());
}

}  // namespace weir::testing
