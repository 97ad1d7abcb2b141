// SPDX-License-Identifier: Apache-2.0
#include "simulation/mixed_job.hpp"

#include "simulation/job_runs.hpp"
#include "support/catch.hpp"

namespace weir::testing {
namespace {

using simulation::job_run_options;
using simulation::trace_mode;

checked_run run_mixed_job(const job_run_options& options) {
  const mixed_job job;
  auto run = simulation::run_job([&](environment& env) { job.describe(env); }, options);
  const bool equal = run.finished && job.rows_are_right();
  return {std::move(run), equal};
}

TEST_CASE("a job of many kinds of operators gives the same rows whatever crashes", "[whole_jobs]") {
  run_shares shares;
  const std::uint64_t seeds = std::max<std::uint64_t>(1, seeds_to_try() / 2);
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    job_run_options options;
    options.seed = seed;
    options.trace = trace_mode::off;
    options.fault_steps = 10'000;
    shares.add(seed, run_mixed_job(options));
  }
  shares.print("many operators");
  INFO(shares.failures);
  CHECK(shares.equal == shares.seeds);
}

}  // namespace
}  // namespace weir::testing
