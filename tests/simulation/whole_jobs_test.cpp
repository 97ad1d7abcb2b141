// SPDX-License-Identifier: Apache-2.0
#include "simulation/job_runs.hpp"
#include "support/catch.hpp"

namespace weir::testing {
namespace {

using simulation::job_run_options;
using simulation::trace_mode;

/// Runs `run` with each seed, and checks what they came to.
template <class Run>
void check_seeds(std::string_view job, Run run) {
  job_run_options calm;
  calm.without_faults = true;
  const auto without_faults = run(calm);
  CAPTURE(without_faults.run.failure);
  REQUIRE(without_faults.equal);

  run_shares shares;
  for (std::uint64_t seed = 0; seed < seeds_to_try(); ++seed) {
    job_run_options options;
    options.seed = seed;
    options.trace = trace_mode::off;
    shares.add(seed, run(options));
  }
  shares.print(job);
  INFO(shares.failures);
  CHECK(shares.equal == shares.seeds);
  // A simulation that never restores, and never dies in the delicate moments, proves nothing.
  CHECK(shares.percent(shares.restored) >= 60);
  CHECK(shares.percent(shares.between) >= 20);
}

/// How many seeds it takes to find faults planted in the engine; 0: they are not found.
template <class Run>
std::uint64_t seeds_until_found(const simulation::internal::planted_faults& planted, Run run) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    job_run_options options;
    options.seed = seed;
    options.trace = trace_mode::off;
    options.planted = &planted;
    options.most_steps = 100'000;
    if (!run(options).equal) return seed + 1;
  }
  return 0;
}

template <class Run>
void check_trace_repeats(Run run) {
  for (const std::uint64_t seed : {1, 2, 3, 4, 5}) {
    CAPTURE(seed);
    job_run_options options;
    options.seed = seed;
    options.trace = trace_mode::text;
    const auto first = run(options);
    const auto second = run(options);
    CHECK(first.run.steps == second.run.steps);
    CHECK(first.run.trace_hash == second.run.trace_hash);
    // Without Catch's text of the two: they have megabytes.
    const bool same_text = first.run.trace == second.run.trace;
    CHECK(same_text);
    CHECK_FALSE(first.run.trace.empty());
  }
}

TEST_CASE("a job with tumbling windows gives with crashes what it gives without", "[whole_jobs]") {
  check_seeds("tumbling windows", run_window_job);
}

TEST_CASE("processing timers of a job are called exactly once, whatever crashes", "[whole_jobs]") {
  check_seeds("processing timers", run_timer_job);
}

TEST_CASE("a whole job leaves the same trace with the same seed", "[whole_jobs]") {
  SECTION("tumbling windows") { check_trace_repeats(run_window_job); }
  SECTION("processing timers") { check_trace_repeats(run_timer_job); }
}

TEST_CASE("a job runs differently with another seed", "[whole_jobs]") {
  job_run_options one, other;
  one.seed = 1;
  other.seed = 2;
  CHECK(run_window_job(one).run.trace_hash != run_window_job(other).run.trace_hash);
}

TEST_CASE("the simulation finds a FIRE that is not leased", "[whole_jobs]") {
  simulation::internal::planted_faults planted;
  planted.engine.timers.fire_not_leased = true;
  CHECK(seeds_until_found(planted, run_timer_job) > 0);
}

TEST_CASE("the simulation finds a commit that comes before the manifest", "[whole_jobs]") {
  simulation::internal::planted_faults planted;
  planted.engine.subtask.commit_before_manifest = true;
  CHECK(seeds_until_found(planted, run_window_job) > 0);
}

TEST_CASE("the simulation finds a barrier that overtakes data", "[whole_jobs]") {
  simulation::internal::planted_faults planted;
  planted.engine.subtask.gate.barrier_overtakes_data = true;
  CHECK(seeds_until_found(planted, run_window_job) > 0);
}

}  // namespace
}  // namespace weir::testing
