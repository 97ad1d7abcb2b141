// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>

#include "weir/core/random.hpp"
#include "weir/simulation/simulated_job.hpp"

#include "simulation/job_runs.hpp"
#include "support/catch.hpp"

namespace weir::testing {
namespace {

using actors::job_state;
using actors::job_status;
using simulation::simulated_job;
using simulation::simulated_job_options;
using simulation::system_id;

simulated_job_options options_of(std::uint64_t seed) {
  simulated_job_options options;
  options.world.seed = seed;
  options.world.step_length = std::chrono::microseconds{100};
  options.world.faults.early_timers_per_mille = 0;
  return options;
}

/// A process that stands still, another one started in its place, and the first one waking up.
class two_coordinators {
 public:
  explicit two_coordinators(std::uint64_t seed)
      : random_{seed},
        job_{[this](environment& env) {
               work_.describe(env);
               env.checkpoint_every(duration{20}, "/checkpoints").restart(1'000, duration{20});
               env.options().limits.rows = 4;
               env.options().tolerable_failed_checkpoints = 1'000;
             },
             options_of(seed)} {}

  void run() {
    old_ = job_.start_process("old").value();
    job_.world().run(200 + random_.below(4'000));
    const auto length = static_cast<std::int64_t>(1 + random_.below(1'000));
    job_.world().pause(old_, duration{length});
    new_ = job_.start_process("new").value();
    job_.world().run_until([this] { return note() && both_over(); }, 200'000);
  }

  job_status old_status() const { return job_.status_of(old_); }
  job_status new_status() const { return job_.status_of(new_); }
  /// From what the new one started; none if there was nothing left to do.
  std::optional<checkpoint_id> taken_over() const { return taken_over_; }
  bool rows_are_right() const { return work_.rows() == work_.expected(); }

 private:
  bool note() {
    const auto status = new_status();
    if (!taken_over_ && status.state == job_state::running) {
      taken_over_ = status.restored_checkpoint;
    }
    return true;
  }
  bool both_over() const { return old_status().over() && new_status().over(); }

  random_generator random_;
  window_job work_;
  simulated_job job_;
  system_id old_{};
  system_id new_{};
  std::optional<checkpoint_id> taken_over_;
};

TEST_CASE("a coordinator that wakes up after a new one started publishes and commits nothing",
          "[whole_jobs]") {
  std::uint64_t fenced = 0;
  const std::uint64_t seeds = seeds_to_try();
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    CAPTURE(seed);
    two_coordinators both{seed};
    both.run();
    const auto old_one = both.old_status();
    const auto new_one = both.new_status();
    REQUIRE(new_one.state == job_state::finished);
    REQUIRE(old_one.over());
    // What the old one committed of its own accord would be there twice.
    REQUIRE(both.rows_are_right());
    if (!both.taken_over()) continue;  // the old one had finished before
    REQUIRE(old_one.state == job_state::failed);
    REQUIRE(old_one.last_checkpoint <= *both.taken_over());
    fenced += old_one.cause->code() == errc::fenced;
  }
  CAPTURE(fenced, seeds);
  CHECK(fenced * 2 > seeds);
}

}  // namespace
}  // namespace weir::testing
