// SPDX-License-Identifier: Apache-2.0
#include "support/catch.hpp"
#include "windowing/trigger_programs.hpp"

namespace weir::testing {
namespace {

TEST_CASE("more random triggers do what the rules say, restored at any time", "[trigger_root]") {
  const auto counts = run_all<16>(320, std::make_integer_sequence<unsigned, 16>{});
  CAPTURE(counts.fires, counts.merges, counts.restores);
  CHECK(counts.fires > 20'000);
  CHECK(counts.merges > 2'000);
  CHECK(counts.restores > 10'000);
}

}  // namespace
}  // namespace weir::testing
