// SPDX-License-Identifier: Apache-2.0
#include "weir/actors/internal/split_pool.hpp"

#include "support/catch.hpp"

namespace weir::actors::internal {
namespace {

TEST_CASE("splits are handed out once, in order, and then there are none", "[split_pool]") {
  split_pool pool{{"a", "b"}, {}};
  const auto first = pool.take();
  REQUIRE(first);
  CHECK(first->number == 0);
  CHECK(first->split == "a");
  CHECK(first->position.empty());
  REQUIRE(pool.take());
  CHECK_FALSE(pool.take());
  CHECK_FALSE(pool.take());
}

TEST_CASE("finished splits are left out and begun ones go on from where they stood",
          "[split_pool]") {
  dataflow::split_progress progress;
  progress.finish(0);
  progress.start(2, "half");
  split_pool pool{{"a", "b", "c", "d"}, progress};
  const auto next = pool.take();
  REQUIRE(next);
  CHECK(next->number == 1);
  const auto begun = pool.take();
  REQUIRE(begun);
  CHECK(begun->number == 2);
  CHECK(begun->position == "half");
  const auto last = pool.take();
  REQUIRE(last);
  CHECK(last->number == 3);
  CHECK_FALSE(pool.take());
}

}  // namespace
}  // namespace weir::actors::internal
