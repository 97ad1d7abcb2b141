// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "weir/simulation/simulated_job.hpp"

namespace weir::simulation {

/// A subtask, or its timer service, that fails at a step of the kernel.
struct actor_fault {
  std::uint64_t step = 1;
  std::uint64_t subtask = 0;  ///< counted through all subtasks of the job, round and round
  bool timers = false;        ///< its timer service, if it has one
};

/// All that one seed chooses about a run: how the job is set up, and what goes wrong. A value.
struct job_run_plan {
  dataflow::batch_limits limits;
  std::uint32_t channel_credit = 2;
  duration checkpoint_interval{20};
  duration checkpoint_timeout{10'000};
  std::uint32_t tolerable_failed_checkpoints = 0;
  duration restart_delay{50};  ///< of an attempt, and of a process
  duration max_linger{100};
  std::chrono::microseconds step_length{50};
  fault_plan faults;
  std::vector<actor_fault> actor_faults;
  /// So many of a thousand operations of the disk fail, without effect, while there are faults. A
  /// process whose job has failed for good is then ended, and started again.
  std::uint64_t disk_errors_per_mille = 0;
};

/// How a job is run.
struct job_run_options {
  std::uint64_t seed = 0;
  trace_mode trace = trace_mode::hash;

  /// No crashes, no pauses. What the seed chooses besides stays.
  bool without_faults = false;

  /// Faults happen in steps [1, fault_steps]; from then on the job must come to its end.
  std::uint64_t fault_steps = 4'000;
  /// Steps after which a job that has not come to its end is stuck.
  std::uint64_t most_steps = 1'000'000;

  /// Changes what the seed has chosen; may be empty.
  std::function<void(job_run_plan&)> adjust;

  /// Called once, before the first process starts; may be empty. The kernel lives until the run is
  /// over.
  std::function<void(kernel&)> on_start;

  /// Called once, when the run is over, with the disk as it is then; may be empty.
  std::function<void(memory_file_system&)> on_end;

  /// For weir's own tests. Outlives the run.
  const internal::planted_faults* planted = nullptr;
};

/// What a run came to.
struct job_run {
  bool finished = false;
  std::string failure;  ///< why it did not finish; empty if it did

  /// The checkpoint from which each attempt of each process started; 0: from the beginning.
  std::vector<checkpoint_id> restored;
  std::uint64_t process_crashes = 0;
  std::uint64_t actor_crashes = 0;  ///< those that the plan asked for
  /// Crashes of the process that lost a checkpoint that some subtask had acknowledged: they came
  /// before its manifest was there.
  std::uint64_t crashes_before_manifest = 0;

  std::uint64_t steps = 0;
  std::uint64_t trace_hash = 0;
  std::string trace;  ///< empty unless asked for
  std::string plan;   ///< what the seed chose, as text

  bool restored_from_checkpoint() const;
};

/// The plan of a run with these options. The same on every machine.
job_run_plan plan_of_job(const job_run_options& options);

std::string to_string(const job_run_plan& plan);

/// Runs a job in a simulated process which, when it crashes, is started again. First with faults,
/// then without, until the job has come to its end. The options that the plan chooses, the
/// checkpoint folder and the restarts are set here; the rest is up to `describe`. The same seed
/// gives the same run.
job_run run_job(const job_description& describe, const job_run_options& options);

}  // namespace weir::simulation
