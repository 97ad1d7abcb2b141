// SPDX-License-Identifier: Apache-2.0
#include "support/catch.hpp"
#include "windowing/trigger_programs.hpp"

namespace weir::testing {
namespace {

TEST_CASE("more random triggers do what the rules say, restored at any time", "[trigger_root]") {
  // Numbers of combinations that together have each combinator inside of most others.
  const auto counts = run_all<0, 1, 20, 22, 23, 26, 27, 29, 30, 31>(512);
  CAPTURE(counts.fires, counts.merges, counts.restores);
  CHECK(counts.fires > 20'000);
  CHECK(counts.merges > 2'000);
  CHECK(counts.restores > 10'000);
}

}  // namespace
}  // namespace weir::testing
