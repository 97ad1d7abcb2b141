// SPDX-License-Identifier: Apache-2.0
#include "weir/dataflow/idleness_timer.hpp"

#include "support/catch.hpp"

namespace weir::dataflow {
namespace {

constexpr duration timeout{30};

TEST_CASE("it is idle when nothing came for longer than the timeout, not for as long",
          "[idleness_timer]") {
  idleness_timer timer{timeout, {100}};
  CHECK_FALSE(timer.idle({100}));
  CHECK_FALSE(timer.idle({130}));
  CHECK(timer.due() == clock_time{131});
  CHECK(timer.idle({131}));
  CHECK(timer.idle({500}));
  timer.on_event({500});
  CHECK_FALSE(timer.idle({500}));
  CHECK_FALSE(timer.idle({530}));
  CHECK(timer.idle({531}));
}

TEST_CASE("pauses do not count, however many", "[idleness_timer]") {
  idleness_timer timer{timeout, {0}};
  timer.pause({20});
  timer.pause({25});  // the same pause
  CHECK(timer.paused());
  CHECK(timer.due() == clock_time::max());
  CHECK_FALSE(timer.idle({1'000}));
  timer.resume({1'000});
  timer.resume({1'005});
  CHECK(timer.due() == clock_time{1'011});
  CHECK_FALSE(timer.idle({1'010}));
  timer.pause({1'010});
  timer.resume({2'010});
  CHECK_FALSE(timer.idle({2'010}));
  CHECK(timer.idle({2'011}));
}

TEST_CASE("what comes in a pause counts from its end", "[idleness_timer]") {
  idleness_timer timer{timeout, {0}};
  timer.pause({20});
  timer.on_event({50});
  timer.resume({100});
  CHECK_FALSE(timer.idle({130}));
  CHECK(timer.idle({131}));
}

TEST_CASE("what is idle stays so through a pause", "[idleness_timer]") {
  idleness_timer timer{timeout, {0}};
  REQUIRE(timer.idle({40}));
  timer.pause({40});
  CHECK(timer.idle({60}));
  timer.resume({60});
  CHECK(timer.idle({60}));
}

TEST_CASE("without a timeout nothing is idle", "[idleness_timer]") {
  const idleness_timer timer{std::nullopt, {0}};
  CHECK_FALSE(timer.idle(clock_time::max()));
  CHECK(timer.due() == clock_time::max());
}

TEST_CASE("a clock that is set back in a pause adds nothing to it", "[idleness_timer]") {
  idleness_timer timer{timeout, {100}};
  timer.pause({110});
  timer.resume({50});
  CHECK(timer.due() == clock_time{131});
}

}  // namespace
}  // namespace weir::dataflow
