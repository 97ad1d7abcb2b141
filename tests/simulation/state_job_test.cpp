// SPDX-License-Identifier: Apache-2.0
#include "simulation/state_job.hpp"

#include <cstdint>
#include <utility>

#include "simulation/job_runs.hpp"
#include "support/catch.hpp"

namespace weir::testing {
namespace {

TEST_CASE("every kind of state survives crashes and other parallelisms", "[whole_jobs]") {
  run_shares shares;
  for (std::uint64_t seed = 0; seed < seeds_to_try(); ++seed) {
    state_job job{seed};
    simulation::job_run_options options;
    options.seed = seed;
    options.trace = simulation::trace_mode::off;
    options.fault_steps = 6'000;
    auto run = simulation::run_job([&](environment& env) { job.describe(env); }, options);
    const bool equal = run.finished && job.totals_emitted() == state_job::expected();
    shares.add(seed, {std::move(run), equal});
  }
  shares.print("every kind of state");
  INFO(shares.failures);
  CHECK(shares.equal == shares.seeds);
  CHECK(shares.restored * 2 > shares.seeds);
}

}  // namespace
}  // namespace weir::testing
