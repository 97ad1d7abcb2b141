// SPDX-License-Identifier: Apache-2.0
#include "simulation/state_job.hpp"

#include "simulation/job_runs.hpp"
#include "support/catch.hpp"

namespace weir::testing {
namespace {

TEST_CASE("every kind of state survives crashes and other parallelisms", "[whole_jobs]") {
  const auto shares = shares_of_redrawn<state_job>(
      "every kind of state", 6'000,
      [](const state_job& job) { return job.totals_emitted() == state_job::expected(); });
  INFO(shares.failures);
  CHECK(shares.equal == shares.seeds);
  CHECK(shares.restored * 2 > shares.seeds);
}

}  // namespace
}  // namespace weir::testing
