// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "weir/actors/job_monitor.hpp"
#include "weir/core/memory_file_system.hpp"
#include "weir/dataflow/environment.hpp"
#include "weir/simulation/kernel.hpp"

namespace weir::simulation {

namespace internal {
struct planted_faults;
}

/// Describes a job: its sources, options, operators and sinks. Called at each start of a process,
/// with an environment of its own, and must describe the same job each time. What it captures is
/// outside of the processes and survives them, such as a `collect_sink`.
using job_description = std::function<void(dataflow::environment&)>;

/// How a job is simulated.
struct simulated_job_options {
  /// Its `describe` and `on_crash` are set by the simulated job.
  kernel_options world;

  /// Called after a process has crashed: the place to plan its restart.
  std::function<void(system_id)> on_crash;

  /// Called when a process passes a named point of the engine, before the plan may crash it there.
  std::function<void(system_id, std::string_view point)> on_point;

  /// For weir's own tests. Outlives the job.
  const internal::planted_faults* planted = nullptr;
};

/// A job in simulated processes: an actor system each, with the engine that ships, on one simulated
/// disk that outlives them. When the last living process crashes, the disk loses what it may lose;
/// until then the machine runs on.
///
/// Points at which the plan may crash a process: "coordinator.acknowledgement", ".publish",
/// ".published" and ".aborted", "subtask.acknowledged", and "disk.<operation>".
/// Owned and used by one thread.
class simulated_job {
 public:
  simulated_job(job_description describe, simulated_job_options options);
  simulated_job(const simulated_job&) = delete;
  simulated_job& operator=(const simulated_job&) = delete;
  ~simulated_job();

  kernel& world();
  memory_file_system& disk();

  /// Starts a process that runs the job. Errors: those of the job's options and graph.
  /// @pre no living process has this name
  result<system_id> start_process(const std::string& name);

  /// How the job of a process stands, or stood when the process crashed.
  actors::job_status status_of(system_id process) const;
  const actors::job_monitor& monitor_of(system_id process) const;

  /// Cancels the job of a process.
  void cancel(system_id process);

  /// Ends the actors of a living process whose names begin with `prefix`, as if they had failed:
  /// "subtask 1/0" is subtask 0 of task 1, "timers 1/0" its timer service.
  void kill_actors(system_id process, const std::string& prefix);

  /// The names of the job's subtasks, as above.
  std::vector<std::string> subtask_names(system_id process) const;

 private:
  class processes;
  std::unique_ptr<processes> processes_;
};

}  // namespace weir::simulation
