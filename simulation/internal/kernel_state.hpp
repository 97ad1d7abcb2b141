// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "weir/simulation/internal/crash_schedule.hpp"
#include "weir/simulation/internal/event_queue.hpp"
#include "weir/simulation/internal/message_text.hpp"
#include "weir/simulation/internal/simulated_system.hpp"
#include "weir/simulation/internal/trace_log.hpp"
#include "weir/simulation/kernel.hpp"

namespace weir::simulation::internal {

/// What a `kernel` does, behind its CAF-free face.
class kernel_state final : public job_queue {
 public:
  explicit kernel_state(kernel_options options);
  kernel_state(const kernel_state&) = delete;
  kernel_state& operator=(const kernel_state&) = delete;
  ~kernel_state() override;

  system_id add_system(std::string name, const simulated_system::configure_function& configure);
  simulated_system& at(system_id id) { return *systems_[id.value]; }
  simulated_system* find(std::string_view name);

  void kill_system(system_id id);
  void kill_actor(system_id id, std::uint64_t actor_id);
  void kill_actors(system_id id, std::string_view prefix);
  void pause(simulated_system& system, duration length);

  void point(std::string_view name);
  void end_faults();
  status pass_disk(system_id id, std::string_view operation);
  std::uint64_t passages(std::string_view point) const { return crashes_.passages(point); }

  void add_event(duration delay, event what);
  bool step(std::int64_t limit_ns);
  void advance_to(std::int64_t now_ns);

  std::int64_t now_ns() const { return now_ns_; }
  std::uint64_t steps() const { return steps_; }
  const clock& true_clock() const { return true_clock_; }
  random_generator& random() { return test_random_; }
  const trace_log& trace() const { return trace_; }

  /// Adds a line of up to three parts to the trace.
  void note(std::string_view what, std::string_view which = {}, std::string_view more = {});

  void push(caf::resumable* job, simulated_system& from) override;

 private:
  class step_scope;
  struct job {
    caf::resumable* work;
    simulated_system* system;
  };
  struct doomed_actor {
    system_id system;
    std::uint64_t id;
  };
  struct doomed_actors {
    system_id system;
    std::string prefix;
  };
  using doomed = std::variant<system_id, doomed_actor, doomed_actors>;

  bool timer_comes_first();
  bool step_time(std::int64_t limit_ns);
  void fire_event();
  void fire_timer(simulated_system& system);
  void run_job();
  void note_job(const job& what);
  template <class Body>
  void make_step(simulated_system* running, Body body);
  void start_pauses();
  void resume(simulated_system& system);

  simulated_system& home_of(caf::scheduled_actor& actor);
  void admit(job what);
  void drop_jobs_of(simulated_system& system, caf::resumable* work);
  void drop_jobs_of(simulated_system& system);

  void strike(const std::vector<crash_fault>& crashes);
  void doom(doomed what);
  void settle();
  void carry_out(const system_id& id);
  void carry_out(const doomed_actor& who);
  void carry_out(const doomed_actors& who);
  void end_actor(simulated_system& system, const caf::strong_actor_ptr& actor);
  void end_works(simulated_system& system);

  kernel_options options_;
  trace_log trace_;
  message_text message_text_;
  random_generator schedule_random_;
  random_generator test_random_;
  std::int64_t start_ns_;
  std::int64_t now_ns_;
  std::uint64_t steps_ = 0;
  virtual_clock true_clock_;
  crash_schedule crashes_;
  std::vector<pause_fault> pauses_;  // still to come

  event_queue events_;
  std::vector<job> ready_;
  std::vector<doomed> doomed_;
  simulated_system* running_ = nullptr;
  bool in_step_ = false;
  bool settling_ = false;
  bool closing_ = false;
  bool ending_works_ = false;
  std::uint64_t points_left_ = 0;  // of a work that ends half done

  std::vector<simulated_system*> living_;
  std::vector<std::unique_ptr<simulated_system>> systems_;  // by system_id; destroyed first
};

}  // namespace weir::simulation::internal
