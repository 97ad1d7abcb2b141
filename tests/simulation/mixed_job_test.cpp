// SPDX-License-Identifier: Apache-2.0
#include "simulation/mixed_job.hpp"

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <utility>

#include "simulation/event_timer_job.hpp"
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

checked_run run_event_timer_job(const job_run_options& options) {
  const event_timer_job job;
  auto run = simulation::run_job([&](environment& env) { job.describe(env); }, options);
  const bool equal = run.finished && job.rows() == event_timer_job::expected();
  return {std::move(run), equal};
}

/// Half as many seeds as of the other jobs.
template <class Run>
void check_half_of_seeds(std::string_view job, std::uint64_t fault_steps, Run run) {
  run_shares shares;
  const std::uint64_t seeds = std::max<std::uint64_t>(1, seeds_to_try() / 2);
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    job_run_options options;
    options.seed = seed;
    options.trace = trace_mode::off;
    options.fault_steps = fault_steps;
    shares.add(seed, run(options));
  }
  shares.print(job);
  INFO(shares.failures);
  CHECK(shares.equal == shares.seeds);
}

TEST_CASE("a job of many kinds of operators gives the same rows whatever crashes", "[whole_jobs]") {
  check_half_of_seeds("many operators", 10'000, run_mixed_job);
}

TEST_CASE("event timers of a job are called in order and once, whatever crashes", "[whole_jobs]") {
  check_half_of_seeds("event timers", 4'000, run_event_timer_job);
}

}  // namespace
}  // namespace weir::testing
