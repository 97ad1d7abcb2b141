// SPDX-License-Identifier: Apache-2.0
#include "simulation/aligned_job.hpp"

#include <cstdint>
#include <string>

#include "weir/simulation/simulated_job_run.hpp"

#include "simulation/job_runs.hpp"
#include "support/catch.hpp"

namespace weir::testing {
namespace {

using simulation::job_run_options;

simulation::job_run run(const aligned_job& job, std::uint64_t seed, bool aligned, bool faults) {
  job_run_options options;
  options.seed = seed;
  options.without_faults = !faults;
  return simulation::run_job([&](environment& env) { job.describe(env, aligned); }, options);
}

/// What a source may be ahead of another in the same group: the drift, and the record with which it
/// is noticed that it is further.
constexpr std::int64_t most_ahead = aligned_job::drift.count() + aligned_job::step + 2;

TEST_CASE("a fast source waits for a slow one of its group, and both are read to their end",
          "[alignment]") {
  std::uint64_t restored = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    CAPTURE(seed);
    const aligned_job job{duration{0}};
    const auto done = run(job, seed, true, seed >= 5);
    CAPTURE(done.failure, done.plan);
    REQUIRE(done.finished);
    CHECK(job.rows() == job.expected());
    CHECK(job.seen().most_ahead <= most_ahead);
    restored += done.restored_from_checkpoint();
  }
  CHECK(restored > 0);

  const aligned_job alone{duration{0}};
  REQUIRE(run(alone, 0, false, false).finished);
  CHECK(alone.seen().most_ahead > 2 * most_ahead);  // the test could fail
}

TEST_CASE("C126: a source an hour ahead of another waits, also when both start again",
          "[alignment]") {
  std::uint64_t restored = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    CAPTURE(seed);
    const aligned_job job{duration{3'600'000}};
    const auto done = run(job, seed, true, true);
    CAPTURE(done.failure, done.plan);
    REQUIRE(done.finished);
    CHECK(job.rows() == job.expected());
    // What each attempt reads before it knows of the other: of each split that it opens the record
    // with which it is there, and the one with which it is ahead.
    CHECK(job.seen().early_fast_records <=
          2 * aligned_job::splits * static_cast<std::int64_t>(done.restored.size()));
    restored += done.restored_from_checkpoint();
  }
  CHECK(restored > 0);
}

TEST_CASE("aligned sources leave the same trace for the same seed", "[alignment]") {
  const aligned_job first{duration{0}};
  const aligned_job second{duration{0}};
  CHECK(run(first, 7, true, true).trace_hash == run(second, 7, true, true).trace_hash);
}

}  // namespace
}  // namespace weir::testing
