// SPDX-License-Identifier: Apache-2.0
#include "support/catch.hpp"
#include "windowing/trigger_programs.hpp"

namespace weir::testing {
namespace {

TEST_CASE("random triggers do what the rules say, restored at any time", "[trigger_root]") {
  // Numbers of combinations that together have each combinator inside of most others.
  const auto counts = run_all<2, 3, 4, 5, 7, 10, 11, 14, 17, 19>(512);
  CAPTURE(counts.fires, counts.merges, counts.restores);
  CHECK(counts.fires > 20'000);
  CHECK(counts.merges > 2'000);
  CHECK(counts.restores > 10'000);
}

}  // namespace
}  // namespace weir::testing
