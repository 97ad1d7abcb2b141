// SPDX-License-Identifier: Apache-2.0
#include "support/catch.hpp"
#include "support/sanitizers.hpp"
#include "windowing/trigger_programs.hpp"

namespace weir::testing {
namespace {

TEST_CASE("more random triggers do what the rules say, restored at any time", "[trigger_root]") {
  constexpr int programs = has_address_sanitizer ? 64 : 512;
  // Numbers of combinations that together have each combinator inside of most others.
  const auto counts = run_all<0, 1, 20, 22, 23, 26, 27, 29, 30, 31>(programs);
  CAPTURE(counts.fires, counts.merges, counts.restores);
  CHECK(counts.fires > 40 * programs);
  CHECK(counts.merges > 4 * programs);
  CHECK(counts.restores > 20 * programs);
}

}  // namespace
}  // namespace weir::testing
