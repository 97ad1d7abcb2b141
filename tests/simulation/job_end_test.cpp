// SPDX-License-Identifier: Apache-2.0
// Whole jobs that die at a chosen point.
#include "simulation/job_runs.hpp"
#include "support/catch.hpp"

namespace weir::testing {
namespace {

using simulation::crash_effect;
using simulation::crash_fault;
using simulation::job_run_options;
using simulation::job_run_plan;

/// Without faults but one: a crash at passage `passage` of `point`.
job_run_options crash_at(std::string point, std::uint64_t passage, crash_effect effect) {
  job_run_options options;
  options.without_faults = true;
  options.adjust = [=](job_run_plan& plan) {
    crash_fault crash;
    crash.point = point;
    crash.count = passage;
    crash.effect = effect;
    plan.faults.crashes = {crash};
    plan.tolerable_failed_checkpoints = 0;
    plan.checkpoint_timeout = duration{60'000};
  };
  options.fault_steps = options.most_steps;
  return options;
}

/// The same, with the final checkpoint only.
job_run_options crash_at_the_end(std::string point, std::uint64_t passage, crash_effect effect) {
  auto options = crash_at(std::move(point), passage, effect);
  options.adjust = [inner = options.adjust](job_run_plan& plan) {
    inner(plan);
    plan.checkpoint_interval = duration{3'600'000};
    plan.faults.early_timers_per_mille = 0;
  };
  return options;
}

TEST_CASE("a crash between the final manifest and its commits loses no output", "[whole_jobs]") {
  const auto effect = GENERATE(crash_effect::cut, crash_effect::finish);
  SECTION("before the coordinator knows that it is published") {
    const auto checked = run_window_job(crash_at_the_end("coordinator.published", 1, effect));
    CHECK(checked.run.process_crashes == 1);
    CHECK(checked.run.restored == std::vector<checkpoint_id>{{0}, {1}});
    CHECK(checked.equal);
  }
  SECTION("at any of its acknowledgements") {
    const std::uint64_t passage = GENERATE(1, 2, 3, 4, 5, 6);
    const auto checked =
        run_window_job(crash_at_the_end("coordinator.acknowledgement", passage, effect));
    CHECK(checked.run.process_crashes == 1);
    CHECK(checked.equal);
  }
}

TEST_CASE("a crash at any operation of the disk loses and doubles nothing", "[whole_jobs]") {
  const std::string operation = GENERATE("disk.append", "disk.sync", "disk.link", "disk.rename",
                                         "disk.remove", "disk.sync_folder");
  CAPTURE(operation);
  bool passed = true;
  for (std::uint64_t passage = 1; passed; ++passage) {
    CAPTURE(passage);
    const auto checked = run_window_job(crash_at_the_end(operation, passage, crash_effect::cut));
    CHECK(checked.equal);
    passed = checked.run.process_crashes > 0;
  }
}

TEST_CASE("C102: a crash after some of the first acknowledgements resumes from the beginning",
          "[whole_jobs]") {
  const std::uint64_t passage = GENERATE(1, 2, 3, 4, 5);
  CAPTURE(passage);
  const auto checked =
      run_window_job(crash_at("coordinator.acknowledgement", passage, crash_effect::cut));
  CHECK(checked.run.process_crashes == 1);
  CHECK(checked.run.crashes_before_manifest == 1);
  CHECK(checked.run.restored == std::vector<checkpoint_id>{{0}, {0}});
  CHECK(checked.equal);
}

/// How many state files there are in the checkpoint folder.
std::size_t state_files(memory_file_system& disk) {
  std::size_t count = 0;
  for (const auto& name : disk.list("/checkpoints").value()) {
    if (name.compare(0, 4, "chk-") == 0) count += disk.list("/checkpoints/" + name).value().size();
  }
  return count;
}

TEST_CASE("a job that has ended leaves the files of its last checkpoint, whatever crashed",
          "[whole_jobs]") {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    CAPTURE(seed);
    std::size_t left = 0;
    job_run_options options;
    options.seed = seed;
    options.on_end = [&](memory_file_system& disk) { left = state_files(disk); };
    REQUIRE(run_window_job(options).run.finished);
    CHECK(left == 7);  // of 6 subtasks, and the list of splits
  }
}

}  // namespace
}  // namespace weir::testing
