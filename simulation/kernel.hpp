// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "weir/core/clock.hpp"
#include "weir/core/ids.hpp"
#include "weir/core/io_executor.hpp"
#include "weir/core/random.hpp"
#include "weir/core/result.hpp"
#include "weir/simulation/fault_plan.hpp"

namespace caf {
class actor_system;
class actor_system_config;
class type_erased_tuple;
}  // namespace caf

namespace weir::simulation {

namespace internal {
class kernel_state;
}

/// One start of a simulated process. A restarted process has a new one.
using system_id = strong_id<struct system_id_tag, std::uint32_t>;

/// What a run leaves behind of its steps.
enum class trace_mode {
  off,   ///< Nothing, for speed.
  hash,  ///< A hash over the lines.
  text,  ///< The hash and the lines.
};

/// How a kernel runs.
struct kernel_options {
  std::uint64_t seed = 0;
  clock_time start{1'700'000'000'000};  ///< When the run begins. @pre within ± 9 * 10^12 ms
  trace_mode trace = trace_mode::hash;
  fault_plan faults;

  /// How long a step takes by the virtual clock. If it is 0, time moves only when nothing can run,
  /// and with early timers.
  std::chrono::microseconds step_length{0};

  /// The content of a message as text for the trace; without pointers, or two runs differ. Empty,
  /// or an empty answer: atoms, numbers and strings by value, anything else by the type's name.
  std::function<std::string(const caf::type_erased_tuple&)> describe;

  /// Called after a system was killed, by plan or by `kill`. The place to lose the unsynced bytes
  /// of its disk, to let go of handles to its actors, and to plan its restart. Runs between steps.
  std::function<void(system_id)> on_crash;
};

/// Runs the actors of several actor systems in one thread, one message a step. Which actor runs
/// next, and all faults, come from one seed; time is virtual. With the same seed and the same
/// program two runs make the same steps, and leave the same trace, byte for byte.
///
/// The program may not read a wall clock, start threads (also no detached or blocking actors) or
/// let an order by addresses show. Time moves when nothing can run, and now and then before.
/// Owner/threads: one thread. Functions that run steps may not be called from a handler; all
/// others may. Handles to actors must be gone before the kernel is destroyed.
///
/// Source: the simulators of FoundationDB and TigerBeetle; caf::scheduler::test_coordinator.
class kernel {
 public:
  explicit kernel(kernel_options options);
  kernel(const kernel&) = delete;
  kernel& operator=(const kernel&) = delete;

  /// Kills what lives, without `on_crash`.
  ~kernel();

  // --- systems

  /// Starts a process. `configure` may register message types and load modules.
  /// @pre no living system has this name
  system_id add_system(std::string name,
                       const std::function<void(caf::actor_system_config&)>& configure = {});

  /// Stays valid until the kernel is destroyed; after a kill no actor in it may be spawned.
  caf::actor_system& actors(system_id id);

  const std::string& name(system_id id) const;
  bool is_alive(system_id id) const;

  /// The living system of that name.
  std::optional<system_id> find(std::string_view name) const;

  /// The clock of a system, right or wrong as the plan says. Lives as long as the kernel.
  const clock& clock_of(system_id id) const;

  /// Where a system's blocking work goes: it runs as steps, after seeded delays, the works of one
  /// lane in order. When the system is killed, each work in flight is lost, done, or done up to a
  /// point, as the seed says. Lives as long as the kernel.
  io_executor& executor_of(system_id id);

  // --- faults

  /// Ends a process at once: works in flight end as said above, no further handler of its actors
  /// runs, their state is destroyed as on `quit`, their timers and messages are gone; monitors in
  /// other systems are told. From inside a handler: when the handler has returned.
  void kill(system_id id);

  /// Ends one actor in the same way. No effect if there is no such actor.
  void kill_actor(system_id id, std::uint64_t actor_id);

  /// Ends all actors of a system whose name begins with `prefix`, in the order of their ids, but
  /// not the process.
  void kill_actors(system_id id, std::string_view prefix);

  /// Lets nothing of a system run for `length`; its clock goes on, messages and timers wait.
  void pause(system_id id, duration length);

  /// Marks a place in the code at which the plan may crash the system that runs. In production
  /// code this is an injected function that does nothing; here it is `point_hook()`.
  void point(std::string_view name);
  std::function<void(std::string_view)> point_hook();

  /// How often the point was passed.
  std::uint64_t passages(std::string_view point) const;

  /// From here on nothing of the plan happens any more: no crash, no pause, no early timer. Pauses
  /// that have begun end in their time.
  void end_faults();

  /// Whether nothing that the system does may have an effect any more: it has been killed, or a
  /// crash with the effect `cut` has struck and its handler is not back yet.
  bool is_cut(system_id id) const;

  /// For `gated_file_system`: makes every operation of the system's disk the point "disk.<name>",
  /// and refuses it when the system is cut.
  std::function<status(std::string_view operation)> disk_gate(system_id id);

  // --- events and time

  /// The true time.
  clock_time now() const;

  /// The same as a clock. Lives as long as the kernel.
  const clock& true_clock() const;

  /// Runs `event` as a step of its own, `delay` from now. It belongs to no system.
  /// @pre delay >= 0
  void after(duration delay, std::string label, std::function<void()> event);

  /// As above, but the event is one of `owner`: it waits while the owner is paused, is gone when
  /// the owner is killed, and points in it strike the owner.
  void after(system_id owner, duration delay, std::string label, std::function<void()> event);

  /// The running handler or event takes that long: time moves on within it.
  /// @pre length >= 0
  void spend(duration length);

  /// For draws of the test and of the network; a stream of its own of the seed.
  random_generator& random();

  // --- steps

  /// One step: a message, a timer or an event. False if there is nothing to do, now or later.
  bool step();

  /// Steps until there is nothing to do, or `max_steps` are done. Returns how many it were.
  std::uint64_t run(std::uint64_t max_steps = UINT64_MAX);

  /// Steps until the time has advanced by `length` and nothing can run any more at that time.
  /// Does not return if actors keep each other busy without end.
  void run_for(duration length);

  /// Steps until `done`; false if there is nothing to do before that, or after `max_steps`.
  bool run_until(const std::function<bool()>& done, std::uint64_t max_steps);

  // --- trace

  /// Steps made so far.
  std::uint64_t steps() const;

  /// Over all lines of the trace; equal traces have equal hashes. 0 in trace_mode::off.
  std::uint64_t trace_hash() const;

  /// All lines so far; empty unless in trace_mode::text.
  const std::string& trace() const;

  /// Adds a line to the trace.
  void note(std::string_view line);

 private:
  std::unique_ptr<internal::kernel_state> state_;
};

}  // namespace weir::simulation
