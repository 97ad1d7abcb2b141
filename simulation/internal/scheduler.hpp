// SPDX-License-Identifier: Apache-2.0
#pragma once

// Before CAF's own header, which needs what the wrapper includes first.
#include <caf/scheduler/test_coordinator.hpp>

#include "weir/actors/internal/caf.hpp"

namespace weir::simulation::internal {

class simulated_system;

/// Takes what has become runnable. Holds a reference to each job until it is done.
class job_queue {
 public:
  virtual ~job_queue() = default;

  /// `job` can run. `from` is the system in which that came to be, not always that of the job.
  virtual void push(caf::resumable* job, simulated_system& from) = 0;
};

/// Through which a running actor, or one that is being ended, makes others runnable.
class execution_unit final : public caf::execution_unit {
 public:
  execution_unit(caf::actor_system& actors, job_queue& jobs, simulated_system& owner)
      : caf::execution_unit{&actors}, jobs_{jobs}, owner_{owner} {}

  void exec_later(caf::resumable* job) override { jobs_.push(job, owner_); }

 private:
  job_queue& jobs_;
  simulated_system& owner_;
};

/// The scheduler of one simulated actor system: CAF's seam for simulation. Gives every job to the
/// kernel's one queue; brings CAF's virtual clock, which the kernel moves, and no threads.
class scheduler final : public caf::scheduler::test_coordinator {
 public:
  scheduler(caf::actor_system& actors, job_queue& jobs, simulated_system& owner)
      : caf::scheduler::test_coordinator{actors}, jobs_{jobs}, owner_{owner} {}

 protected:
  void enqueue(caf::resumable* job) override { jobs_.push(job, owner_); }

  /// Runs nothing more: an actor system ends after its actors.
  void stop() override { clock().cancel_all(); }

 private:
  job_queue& jobs_;
  simulated_system& owner_;
};

}  // namespace weir::simulation::internal
