// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "weir/simulation/internal/event_queue.hpp"
#include "weir/simulation/internal/scheduler.hpp"
#include "weir/simulation/internal/simulated_io_executor.hpp"
#include "weir/simulation/internal/virtual_clock.hpp"
#include "weir/simulation/kernel.hpp"

namespace weir::simulation::internal {

/// One simulated process: its actor system, its clock, its works in flight, and what waits while
/// it is paused. The actor system of a killed one stays, without actors, until the kernel goes, so
/// that handles which others still hold do no harm.
class simulated_system {
 public:
  using configure_function = std::function<void(caf::actor_system_config&)>;

  /// What a system is made of. `jobs` and `now_ns` outlive it.
  struct parts {
    system_id id;
    std::string name;
    duration clock_ahead;
    job_queue& jobs;
    const std::int64_t& now_ns;
    std::unique_ptr<simulated_io_executor> executor;
  };

  simulated_system(parts made_of, const configure_function& configure);
  ~simulated_system();

  system_id id() const { return id_; }
  const std::string& name() const { return name_; }

  /// Name and number: tells restarts apart.
  const std::string& label() const { return label_; }

  caf::actor_system& actors() { return *actors_; }
  caf::execution_unit& unit() { return *unit_; }
  const virtual_clock& clock() const { return clock_; }
  simulated_io_executor& executor() { return *executor_; }

  /// When the first timer of an actor is due; `event_queue::never` if there is none.
  std::int64_t next_timer_ns();
  void fire_timer();

  /// Moves the clock of the actors.
  void set_time(std::int64_t now_ns);
  void cancel_timers();

  /// Remembers an actor that has become runnable, to be able to end it.
  void track(caf::scheduled_actor& actor);

  /// Ends the actor: none of its handlers runs again, its behavior and state are destroyed, its
  /// monitors are told. For an actor that is not running.
  void end_actor(caf::scheduled_actor& actor);

  /// Actors that may still live, in the order of their ids.
  std::vector<caf::strong_actor_ptr> tracked_actors();

  bool alive = true;
  bool cut = false;
  std::uint32_t pauses = 0;  // how many hold it
  std::vector<caf::resumable*> held_jobs;
  std::vector<event> held_events;

 private:
  void forget_ended_actors();

  system_id id_;
  std::string name_;
  std::string label_;
  virtual_clock clock_;
  std::unique_ptr<simulated_io_executor> executor_;
  caf::actor_system_config config_;
  scheduler* scheduler_ = nullptr;  // owned by actors_
  std::unique_ptr<caf::actor_system> actors_;
  std::unique_ptr<execution_unit> unit_;
  std::vector<bool> is_tracked_;  // by actor id
  std::vector<caf::weak_actor_ptr> tracked_;
  std::size_t forget_at_ = 64;
};

}  // namespace weir::simulation::internal
