// SPDX-License-Identifier: Apache-2.0
#include "simulation/two_input_job.hpp"

#include <cstdint>
#include <utility>

#include "simulation/job_runs.hpp"
#include "support/catch.hpp"

namespace weir::testing {
namespace {

using simulation::job_run_options;
using simulation::trace_mode;

checked_run run_two_input_job(const two_input_job& job, const job_run_options& options) {
  auto run = simulation::run_job([&](environment& env) { job.describe(env); }, options);
  const bool equal = run.finished && job.rows() == two_input_job::expected();
  return {std::move(run), equal};
}

TEST_CASE("a job that joins two inputs gives the same rows whatever crashes", "[whole_jobs]") {
  const two_input_job calm;
  job_run_options without_faults;
  without_faults.without_faults = true;
  const auto whole = run_two_input_job(calm, without_faults);
  CAPTURE(whole.run.failure);
  REQUIRE(whole.equal);
  CHECK(calm.report().ends == 6);
  CHECK(calm.report().promises > 100);

  run_shares shares;
  std::uint64_t promises = 0;
  for (std::uint64_t seed = 0; seed < seeds_to_try(); ++seed) {
    const two_input_job job;
    job_run_options options;
    options.seed = seed;
    options.trace = trace_mode::off;
    options.fault_steps = 10'000;
    shares.add(seed, run_two_input_job(job, options));
    promises += job.report().promises;
  }
  shares.print("two inputs");
  INFO(shares.failures);
  CHECK(shares.equal == shares.seeds);
  CHECK(shares.percent(shares.restored) >= 50);
  CHECK(promises > 100 * shares.seeds);
}

TEST_CASE("the simulation finds a barrier that overtakes data on its way to one of two inputs",
          "[whole_jobs]") {
  simulation::internal::planted_faults planted;
  planted.engine.subtask.gate.barrier_overtakes_data = true;
  bool found = false;
  for (std::uint64_t seed = 0; seed < 100 && !found; ++seed) {
    job_run_options options;
    options.seed = seed;
    options.trace = trace_mode::off;
    options.fault_steps = 10'000;
    options.planted = &planted;
    options.most_steps = 100'000;
    found = !run_two_input_job({}, options).equal;
  }
  CHECK(found);
}

}  // namespace
}  // namespace weir::testing
