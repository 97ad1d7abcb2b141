// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <string>
#include <string_view>
#include <utility>

#include "weir/simulation/internal/planted_faults.hpp"
#include "weir/simulation/simulated_job_run.hpp"

#include "simulation/timer_job.hpp"
#include "simulation/window_job.hpp"

namespace weir::testing {

/// How many seeds a simulation test tries: the environment variable WEIR_SEEDS, else 200.
inline std::uint64_t seeds_to_try() {
  const char* wanted = std::getenv("WEIR_SEEDS");
  const std::uint64_t seeds = wanted ? std::strtoull(wanted, nullptr, 10) : 0;
  return seeds > 0 ? seeds : 200;
}

/// A run of one of the jobs, and whether it gave the rows that it must give.
struct checked_run {
  simulation::job_run run;
  bool equal = false;
};

inline checked_run run_window_job(const simulation::job_run_options& options) {
  const window_job job;
  auto run = simulation::run_job([&](environment& env) { job.describe(env); }, options);
  const bool equal = run.finished && job.rows() == job.expected();
  return {std::move(run), equal};
}

inline checked_run run_timer_job(simulation::job_run_options options) {
  timer_job job;
  const auto step = simulation::plan_of_job(options).step_length;
  options.on_start = [&](simulation::kernel& world) {
    // As long as it takes to read the input.
    job.start_in(world, std::chrono::duration_cast<duration>(4'000 * step));
  };
  auto run = simulation::run_job([&](environment& env) { job.describe(env); }, options);
  const bool equal = run.finished && job.rows() == timer_job::expected();
  return {std::move(run), equal};
}

/// What the runs of many seeds came to.
struct run_shares {
  std::uint64_t seeds = 0;
  std::uint64_t equal = 0;
  std::uint64_t restored = 0;
  std::uint64_t between = 0;
  std::string failures;  ///< of the first few seeds whose rows were others

  void add(std::uint64_t seed, const checked_run& checked) {
    ++seeds;
    equal += checked.equal;
    restored += checked.run.restored_from_checkpoint();
    between += checked.run.crashes_before_manifest > 0;
    if (checked.equal || seeds - equal > 3) return;
    failures += "seed " + std::to_string(seed) + ": " +
                (checked.run.finished ? "other rows" : checked.run.failure) + "\n" +
                checked.run.plan;
  }

  std::uint64_t percent(std::uint64_t part) const { return seeds == 0 ? 0 : part * 100 / seeds; }

  /// For the report of the tests, which shows lines that begin so.
  void print(std::string_view job) const {
    std::cout << "seeds=" << seeds << " equal=" << equal << " restored=" << percent(restored)
              << "% between_ack_and_manifest=" << percent(between) << "% (" << job << ")"
              << std::endl;
  }
};

/// Runs a `Job` with each seed, whose operators get other parallelisms each time that its process
/// starts. Faults come within `fault_steps`; `right(job)` says whether its rows are what they must
/// be.
template <class Job, class Right>
run_shares shares_of_redrawn(std::string_view name, std::uint64_t fault_steps, Right right) {
  run_shares shares;
  for (std::uint64_t seed = 0; seed < seeds_to_try(); ++seed) {
    Job job{seed};
    simulation::job_run_options options;
    options.seed = seed;
    options.trace = simulation::trace_mode::off;
    options.fault_steps = fault_steps;
    auto run = simulation::run_job([&](environment& env) { job.describe(env); }, options);
    const bool equal = run.finished && right(job);
    shares.add(seed, {std::move(run), equal});
  }
  shares.print(name);
  return shares;
}

}  // namespace weir::testing
