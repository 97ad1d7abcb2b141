// SPDX-License-Identifier: Apache-2.0
#include "simulation/windows_job.hpp"

#include "simulation/job_runs.hpp"
#include "support/catch.hpp"

namespace weir::testing {
namespace {

TEST_CASE("windows of every kind survive crashes and other parallelisms", "[whole_jobs]") {
  const auto shares =
      shares_of_redrawn<windows_job>("every kind of window", 20'000, [](const windows_job& job) {
        return job.sums() == windows_job::expected() && job.each_once();
      });
  INFO(shares.failures);
  CHECK(shares.equal == shares.seeds);
  CHECK(shares.restored * 2 > shares.seeds);
}

}  // namespace
}  // namespace weir::testing
