// SPDX-License-Identifier: Apache-2.0
#include "weir/simulation/simulated_job_run.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

namespace weir::simulation {
namespace {

// Streams of one seed of their own, so that plan, run and disk draw different numbers.
constexpr std::uint64_t plan_stream = 0x6a6f62;
constexpr std::uint64_t disk_stream = 0x6469736b;
constexpr std::uint32_t no_end_of_restarts = 1'000'000'000;
constexpr std::uint32_t no_end_of_failures = 1'000'000'000;
constexpr const char* process_name = "node";

template <class T, std::size_t N>
T one_of(const std::array<T, N>& values, random_generator& random) {
  return values[random.below(N)];
}

/// A place at which the process may crash, and how often it is passed in the first few checkpoints.
struct crash_point {
  const char* name;
  std::uint64_t passages;
};

/// What a checkpoint passes between its first acknowledgement and its commits is here more often
/// than what it does all the time.
constexpr std::array<crash_point, 13> crash_points{{{"coordinator.acknowledgement", 40},
                                                    {"coordinator.acknowledgement", 40},
                                                    {"coordinator.acknowledgement", 40},
                                                    {"coordinator.publish", 8},
                                                    {"coordinator.published", 8},
                                                    {"coordinator.aborted", 3},
                                                    {"subtask.acknowledged", 40},
                                                    {"disk.append", 80},
                                                    {"disk.sync", 80},
                                                    {"disk.link", 8},
                                                    {"disk.rename_new", 30},
                                                    {"disk.remove", 20},
                                                    {"disk.sync_folder", 80}}};

crash_fault draw_crash(std::uint64_t fault_steps, random_generator& random) {
  crash_fault crash;
  crash.everywhere = true;
  crash.effect = random.chance(1, 2) ? crash_effect::cut : crash_effect::finish;
  if (random.chance(1, 4)) {
    crash.count = 1 + random.below(fault_steps);
    return crash;
  }
  const auto& at = crash_points[random.below(crash_points.size())];
  crash.point = at.name;
  crash.count = 1 + random.below(at.passages);
  return crash;
}

fault_plan draw_faults(const job_run_options& options, random_generator& random) {
  fault_space space;
  space.systems = {process_name};
  space.steps = options.fault_steps;
  space.max_crashes = 0;
  space.max_pause = duration{2'000};
  space.max_clock_error = duration{0};
  auto plan = plan_from_seed(random.next(), space);
  plan.early_timers_within = duration{50};
  for (std::uint64_t n = 1 + random.below(3); n > 0; --n) {
    plan.crashes.push_back(draw_crash(options.fault_steps, random));
  }
  return plan;
}

std::string text_of(duration d) { return std::to_string(d.count()) + " ms"; }

}  // namespace

bool job_run::restored_from_checkpoint() const {
  return std::any_of(restored.begin(), restored.end(),
                     [](checkpoint_id id) { return id.value > 0; });
}

job_run_plan plan_of_job(const job_run_options& options) {
  random_generator random{options.seed ^ plan_stream};
  job_run_plan plan;
  plan.limits.rows = one_of(std::array<std::size_t, 4>{1, 2, 5, 16}, random);
  plan.channel_credit = 1 + static_cast<std::uint32_t>(random.below(4));
  plan.tolerable_failed_checkpoints = static_cast<std::uint32_t>(random.below(4));
  plan.restart_delay = one_of(std::array{duration{0}, duration{20}, duration{500}}, random);
  plan.max_linger = one_of(std::array{duration{1}, duration{10}, duration{100}}, random);
  plan.faults = draw_faults(options, random);
  // Of the order of the disk's times, so that a run has more than one checkpoint.
  const std::int64_t step_us = plan.faults.io.usual > duration{2} ? 500 : 100;
  plan.step_length = std::chrono::microseconds{step_us * (1 + random.below(2))};
  const auto steps_between = static_cast<std::int64_t>(150 + random.below(250));
  plan.checkpoint_interval = duration{plan.step_length.count() * steps_between / 1'000};
  if (random.chance(1, 8)) {
    // Some time out, and the job must come to its end nevertheless.
    plan.checkpoint_timeout = duration{plan.step_length.count() * 400 / 1'000 + 10};
    plan.tolerable_failed_checkpoints = no_end_of_failures;
  }
  const std::uint64_t actor_faults = random.below(3);
  for (std::uint64_t n = 0; n < actor_faults; ++n) {
    plan.actor_faults.push_back(
        {1 + random.below(options.fault_steps), random.below(1'000), random.chance(1, 3)});
  }
  plan.disk_errors_per_mille = one_of(std::array<std::uint64_t, 6>{0, 0, 0, 0, 2, 20}, random);
  if (options.without_faults) {
    plan.disk_errors_per_mille = 0;
    plan.faults.crashes.clear();
    plan.faults.pauses.clear();
    plan.actor_faults.clear();
  }
  if (options.adjust) options.adjust(plan);
  return plan;
}

std::string to_string(const job_run_plan& plan) {
  std::string text = "batches of " + std::to_string(plan.limits.rows) + " rows, credit " +
                     std::to_string(plan.channel_credit) + ", linger " + text_of(plan.max_linger) +
                     "\n";
  text += "a checkpoint each " + text_of(plan.checkpoint_interval) + ", timeout " +
          text_of(plan.checkpoint_timeout) + ", " +
          std::to_string(plan.tolerable_failed_checkpoints) + " may fail\n";
  text += "restart after " + text_of(plan.restart_delay) + ", a step takes " +
          std::to_string(plan.step_length.count()) + " us\n";
  text += std::to_string(plan.disk_errors_per_mille) + " per mille of disk operations fail\n";
  text += to_string(plan.faults);
  for (const auto& fault : plan.actor_faults) {
    text += std::string{"end "} + (fault.timers ? "the timer service of " : "") + "subtask no. " +
            std::to_string(fault.subtask) + " at step " + std::to_string(fault.step) + "\n";
  }
  return text;
}

namespace {

/// One run: its job, the plan, and what has been seen so far.
class job_runner {
 public:
  job_runner(const job_description& describe, const job_run_options& options)
      : options_{options},
        plan_{plan_of_job(options)},
        job_{[this, describe](dataflow::environment& env) {
               describe(env);
               set_up(env);
             },
             job_options()},
        disk_random_{options.seed ^ disk_stream} {
    run_.plan = to_string(plan_);
  }

  job_run run() {
    auto& world = job_.world();
    if (options_.on_start) options_.on_start(world);
    if (plan_.disk_errors_per_mille > 0) fail_disk_now_and_then();
    start();
    while (!over_ && world.steps() < options_.most_steps) {
      if (faulty_ && world.steps() >= options_.fault_steps) end_faults();
      end_actors();
      if (!world.step()) break;
      observe();
    }
    if (!over_) run_.failure = "the job is stuck after " + std::to_string(world.steps()) + " steps";
    run_.steps = world.steps();
    run_.trace_hash = world.trace_hash();
    run_.trace = world.trace();
    if (faulty_) end_faults();
    if (options_.on_end) options_.on_end(job_.disk());
    return std::move(run_);
  }

 private:
  simulated_job_options job_options() {
    simulated_job_options made;
    made.world.seed = options_.seed;
    made.world.trace = options_.trace;
    made.world.faults = plan_.faults;
    made.world.step_length = plan_.step_length;
    made.on_crash = [this](system_id) { on_crash(); };
    made.on_point = [this](system_id, std::string_view point) { on_point(point); };
    made.planted = options_.planted;
    return made;
  }

  void set_up(dataflow::environment& env) const {
    auto& options = env.options();
    options.checkpoint_folder = "/checkpoints";
    options.checkpoint_interval = plan_.checkpoint_interval;
    options.checkpoint_timeout = plan_.checkpoint_timeout;
    options.tolerable_failed_checkpoints = plan_.tolerable_failed_checkpoints;
    options.restart_attempts = no_end_of_restarts;
    options.restart_delay = plan_.restart_delay;
    options.limits = plan_.limits;
    options.channel_credit = plan_.channel_credit;
    options.max_linger = plan_.max_linger;
  }

  void start() {
    auto started = job_.start_process(process_name);
    if (!started) {
      over_ = true;
      run_.failure = started.error_text();
      return;
    }
    process_ = *started;
    seen_attempt_ = 0;
  }

  void fail_disk_now_and_then() {
    job_.disk().set_faults([this](const file_operation&) -> std::optional<file_fault> {
      if (!disk_random_.chance(plan_.disk_errors_per_mille, 1'000)) return std::nullopt;
      return file_fault{error{errc::io_error, "simulated error of the disk"}};
    });
  }

  void end_faults() {
    faulty_ = false;
    job_.world().end_faults();
    job_.disk().set_faults({});
  }

  void end_actors() {
    for (const auto& fault : plan_.actor_faults) {
      if (fault.step != job_.world().steps() + 1 || !job_.world().is_alive(process_)) continue;
      const auto names = job_.subtask_names(process_);
      std::string name = names[fault.subtask % names.size()];
      if (fault.timers) name.replace(0, std::string{"subtask"}.size(), "timers");
      job_.kill_actors(process_, name);
      ++run_.actor_crashes;
    }
  }

  void observe() {
    if (!job_.world().is_alive(process_)) return;
    const auto status = job_.status_of(process_);
    newest_ = std::max(newest_, status.last_checkpoint);
    if (status.state == actors::job_state::restarting) acknowledged_ = false;
    if (status.state == actors::job_state::running && status.attempt != seen_attempt_) {
      seen_attempt_ = status.attempt;
      note_attempt(status.restored_checkpoint);
    }
    if (!status.over()) return;
    if (status.state == actors::job_state::failed && plan_.disk_errors_per_mille > 0) {
      return job_.world().kill(process_);  // perhaps only now, of an error before
    }
    over_ = true;
    run_.finished = status.state == actors::job_state::finished;
    if (status.cause) run_.failure = status.cause->message();
  }

  void note_attempt(checkpoint_id restored) {
    run_.restored.push_back(restored);
    // The crash may have come after the manifest was there, but before anybody knew.
    if (lost_checkpoint_ && restored <= newest_) ++run_.crashes_before_manifest;
    lost_checkpoint_ = false;
    acknowledged_ = false;
    newest_ = std::max(newest_, restored);
  }

  void on_point(std::string_view point) {
    if (point == "coordinator.acknowledgement") acknowledged_ = true;
    if (point == "coordinator.published" || point == "coordinator.aborted") acknowledged_ = false;
  }

  void on_crash() {
    ++run_.process_crashes;
    lost_checkpoint_ |= acknowledged_;
    job_.world().after(plan_.restart_delay, "restart", [this] { start(); });
  }

  const job_run_options& options_;
  job_run_plan plan_;
  simulated_job job_;
  job_run run_;
  random_generator disk_random_;
  system_id process_{};
  bool faulty_ = true;
  std::uint32_t seen_attempt_ = 0;
  checkpoint_id newest_{};     ///< that is known to be complete
  bool acknowledged_ = false;  ///< the checkpoint that is being made, by some subtask
  bool lost_checkpoint_ = false;
  bool over_ = false;
};

}  // namespace

job_run run_job(const job_description& describe, const job_run_options& options) {
  return job_runner{describe, options}.run();
}

}  // namespace weir::simulation
