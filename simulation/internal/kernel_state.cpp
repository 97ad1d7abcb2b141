// SPDX-License-Identifier: Apache-2.0
#include "weir/simulation/internal/kernel_state.hpp"

#include <algorithm>
#include <utility>

namespace weir::simulation::internal {
namespace {

// Streams of one seed, so that a draw more in one place does not shift all others.
constexpr std::uint64_t schedule_stream = 0x7363686564756c65;
constexpr std::uint64_t test_stream = 0x74657374;
constexpr std::uint64_t io_stream = 0x696f;

duration clock_error_of(const fault_plan& faults, std::string_view name) {
  duration ahead{0};
  for (const clock_fault& fault : faults.clocks) {
    if (fault.system == name) ahead += fault.ahead;
  }
  return ahead;
}

caf::scheduled_actor& scheduled(const caf::strong_actor_ptr& actor) {
  // Only what the scheduler has seen is tracked, and it sees no other kind of actor.
  return static_cast<caf::scheduled_actor&>(*actor->get());
}

}  // namespace

/// A handler or an event is running, of `running` if it is of a system.
class kernel_state::step_scope {
 public:
  step_scope(kernel_state& kernel, simulated_system* running) : kernel_{kernel} {
    kernel_.running_ = running;
    kernel_.in_step_ = true;
  }
  step_scope(const step_scope&) = delete;
  step_scope& operator=(const step_scope&) = delete;
  ~step_scope() {
    kernel_.running_ = nullptr;
    kernel_.in_step_ = false;
  }

 private:
  kernel_state& kernel_;
};

kernel_state::kernel_state(kernel_options options)
    : options_{std::move(options)},
      trace_{options_.trace},
      schedule_random_{options_.seed ^ schedule_stream},
      test_random_{options_.seed ^ test_stream},
      start_ns_{to_ns(duration{options_.start.ms})},
      now_ns_{start_ns_},
      true_clock_{now_ns_, duration{0}},
      crashes_{options_.faults.crashes},
      pauses_{options_.faults.pauses} {}

kernel_state::~kernel_state() {
  closing_ = true;
  while (!living_.empty()) carry_out(living_.back()->id());
  events_.clear();
}

system_id kernel_state::add_system(std::string name,
                                   const simulated_system::configure_function& configure) {
  const system_id id{static_cast<std::uint32_t>(systems_.size())};
  auto executor = std::make_unique<simulated_io_executor>(
      random_generator{options_.seed ^ io_stream ^ id.value}.next(), options_.faults.io,
      [this, id](duration delay, std::string label, std::function<void()> run) {
        add_event(delay, event{id, std::move(label), std::move(run)});
      });
  const duration ahead = clock_error_of(options_.faults, name);
  systems_.push_back(std::make_unique<simulated_system>(
      simulated_system::parts{id, std::move(name), ahead, *this, now_ns_, std::move(executor)},
      configure));
  living_.push_back(systems_.back().get());
  note("start ", at(id).label());
  return id;
}

simulated_system* kernel_state::find(std::string_view name) {
  const auto found = std::find_if(living_.begin(), living_.end(),
                                  [name](const auto* system) { return system->name() == name; });
  return found == living_.end() ? nullptr : *found;
}

// --- steps

bool kernel_state::step(std::int64_t limit_ns) {
  start_pauses();
  if (ready_.empty() || timer_comes_first()) {
    if (step_time(limit_ns)) return true;
    if (ready_.empty()) return false;
  }
  run_job();
  return true;
}

/// Whether a timer or event happens next although something could run.
bool kernel_state::timer_comes_first() {
  const bool early = schedule_random_.chance(options_.faults.early_timers_per_mille, 1'000);
  const bool takes_time = options_.step_length.count() > 0;
  if (!early && !takes_time) return false;
  std::int64_t due = events_.next_due_ns();
  for (auto* system : living_) {
    if (system->pauses == 0) due = std::min(due, system->next_timer_ns());
  }
  if (takes_time && due <= now_ns_) return schedule_random_.chance(1, 2);
  return early && due <= saturating_add(now_ns_, to_ns(options_.faults.early_timers_within));
}

/// Goes on to the next timer or event, if it is not beyond `limit_ns`.
bool kernel_state::step_time(std::int64_t limit_ns) {
  for (;;) {
    std::int64_t due = events_.next_due_ns();
    simulated_system* owner = nullptr;
    for (simulated_system* system : living_) {
      if (system->pauses > 0 || system->next_timer_ns() >= due) continue;
      due = system->next_timer_ns();
      owner = system;
    }
    if (due == event_queue::never || std::max(due, now_ns_) > limit_ns) return false;
    advance_to(std::max(due, now_ns_));
    if (owner != nullptr) {
      fire_timer(*owner);
      return true;
    }
    const std::uint64_t before = steps_;
    fire_event();
    if (steps_ != before) return true;
  }
}

/// Makes the first event happen, as a step; one of a paused system is only put aside.
void kernel_state::fire_event() {
  event what = events_.pop();
  simulated_system* owner = what.owner ? &at(*what.owner) : nullptr;
  if (owner != nullptr && owner->pauses > 0) {
    owner->held_events.push_back(std::move(what));
    return;
  }
  make_step(owner, [&] {
    note(what.label, owner != nullptr ? " of " : "", owner != nullptr ? owner->label() : "");
    strike(crashes_.at_step(steps_, owner != nullptr));
    what.run();
  });
}

void kernel_state::fire_timer(simulated_system& system) {
  make_step(nullptr, [&] {
    note("timer of ", system.label());
    strike(crashes_.at_step(steps_, false));
    system.fire_timer();
  });
}

void kernel_state::run_job() {
  const std::size_t index = schedule_random_.below(ready_.size());
  const job chosen = ready_[index];
  ready_[index] = ready_.back();
  ready_.pop_back();
  make_step(chosen.system, [&] {
    if (trace_.on()) note_job(chosen);
    strike(crashes_.at_step(steps_, true));
    switch (chosen.work->resume(&chosen.system->unit(), 1)) {
      case caf::resumable::resume_later: admit(chosen); break;
      case caf::resumable::done:
      case caf::resumable::awaiting_message: intrusive_ptr_release(chosen.work); break;
      case caf::resumable::shutdown_execution_unit: break;
    }
  });
}

void kernel_state::note_job(const job& what) {
  std::string& line = trace_.begin(steps_, now_ns_ - start_ns_);
  line += "run ";
  line += what.system->label();
  if (what.work->subtype() == caf::resumable::scheduled_actor) {
    auto& actor = static_cast<caf::scheduled_actor&>(*what.work);
    line += '/';
    append_number(line, std::uint64_t{actor.id()});
    line += ' ';
    line += actor.name();
    line += ' ';
    if (const caf::mailbox_element* next = actor.peek_at_next_mailbox_element()) {
      const caf::type_erased_tuple& content = next->content();
      const std::string text = options_.describe ? options_.describe(content) : std::string{};
      line += text;
      if (text.empty()) message_text_.append(line, content);
    }
  }
  trace_.end();
}

/// Runs `body` as a step in which `running` runs, then carries out the kills it led to.
template <class Body>
void kernel_state::make_step(simulated_system* running, Body body) {
  ++steps_;
  {
    const step_scope scope{*this, running};
    body();
  }
  advance_to(saturating_add(now_ns_, std::chrono::nanoseconds{options_.step_length}.count()));
  settle();
}

void kernel_state::add_event(duration delay, event what) {
  if (closing_ || (what.owner && !at(*what.owner).alive)) return;
  events_.add(saturating_add(now_ns_, to_ns(delay)), std::move(what));
}

void kernel_state::advance_to(std::int64_t now_ns) {
  if (now_ns <= now_ns_) return;
  now_ns_ = now_ns;
  for (simulated_system* system : living_) system->set_time(now_ns);
}

void kernel_state::note(std::string_view what, std::string_view which, std::string_view more) {
  if (!trace_.on()) return;
  trace_.begin(steps_, now_ns_ - start_ns_).append(what).append(which).append(more);
  trace_.end();
}

// --- jobs

void kernel_state::push(caf::resumable* job, simulated_system& from) {
  if (closing_) return intrusive_ptr_release(job);
  simulated_system* system = &from;
  if (job->subtype() == caf::resumable::scheduled_actor) {
    auto& actor = static_cast<caf::scheduled_actor&>(*job);
    system = &home_of(actor);
    system->track(actor);
  }
  admit({job, system});
}

simulated_system& kernel_state::home_of(caf::scheduled_actor& actor) {
  const caf::actor_system* home = &actor.home_system();
  for (simulated_system* system : living_) {
    if (&system->actors() == home) return *system;
  }
  const auto found = std::find_if(systems_.begin(), systems_.end(),
                                  [home](const auto& s) { return &s->actors() == home; });
  return **found;
}

void kernel_state::admit(job what) {
  if (!what.system->alive) {
    intrusive_ptr_release(what.work);
  } else if (what.system->pauses > 0) {
    what.system->held_jobs.push_back(what.work);
  } else {
    ready_.push_back(what);
  }
}

void kernel_state::drop_jobs_of(simulated_system& system, caf::resumable* work) {
  std::size_t dropped = std::erase_if(ready_, [work](const job& j) { return j.work == work; });
  dropped += std::erase(system.held_jobs, work);
  for (; dropped > 0; --dropped) intrusive_ptr_release(work);
}

void kernel_state::drop_jobs_of(simulated_system& system) {
  std::vector<caf::resumable*> dropped = std::exchange(system.held_jobs, {});
  const auto first = std::stable_partition(ready_.begin(), ready_.end(),
                                           [&](const job& j) { return j.system != &system; });
  for (auto i = first; i != ready_.end(); ++i) dropped.push_back(i->work);
  ready_.erase(first, ready_.end());
  for (caf::resumable* work : dropped) intrusive_ptr_release(work);
}

// --- faults

void kernel_state::start_pauses() {
  for (std::size_t i = 0; i < pauses_.size();) {
    if (pauses_[i].step > steps_ + 1) {
      ++i;
      continue;
    }
    const pause_fault fault = pauses_[i];
    pauses_.erase(pauses_.begin() + static_cast<std::ptrdiff_t>(i));
    if (simulated_system* system = find(fault.system)) pause(*system, fault.length);
  }
}

void kernel_state::pause(simulated_system& system, duration length) {
  if (!system.alive) return;
  note("pause ", system.label());
  ++system.pauses;
  const auto first = std::stable_partition(ready_.begin(), ready_.end(),
                                           [&](const job& j) { return j.system != &system; });
  for (auto i = first; i != ready_.end(); ++i) system.held_jobs.push_back(i->work);
  ready_.erase(first, ready_.end());
  const system_id id = system.id();
  add_event(length,
            event{std::nullopt, "resume " + system.label(), [this, id] { resume(at(id)); }});
}

void kernel_state::resume(simulated_system& system) {
  if (!system.alive || --system.pauses > 0) return;
  for (caf::resumable* work : std::exchange(system.held_jobs, {}))
    ready_.push_back({work, &system});
  for (event& what : std::exchange(system.held_events, {})) events_.add(now_ns_, std::move(what));
}

void kernel_state::point(std::string_view name) {
  const std::vector<crash_fault> crashes = crashes_.at_point(name);
  note("point ", name);
  if (!ending_works_) {
    strike(crashes);
    if (!in_step_) settle();
  } else if (points_left_ == 0) {
    running_->cut = true;
  } else {
    --points_left_;
  }
}

void kernel_state::end_faults() {
  crashes_.end();
  pauses_.clear();
  options_.faults.early_timers_per_mille = 0;
}

status kernel_state::pass_disk(system_id id, std::string_view operation) {
  simulated_system& system = at(id);
  if (!system.cut) point("disk." + std::string{operation});
  if (!system.cut) return {};
  return error{errc::io_error, "simulated crash of " + system.label() + ": disk is out of reach"};
}

void kernel_state::strike(const std::vector<crash_fault>& crashes) {
  for (const crash_fault& crash : crashes) {
    std::vector<simulated_system*> victims;
    if (crash.everywhere) {
      victims = living_;
    } else if (simulated_system* victim = crash.system.empty() ? running_ : find(crash.system)) {
      victims.push_back(victim);
    }
    for (simulated_system* victim : victims) {
      if (crash.effect == crash_effect::cut) victim->cut = true;
      doomed_.emplace_back(victim->id());
    }
  }
}

void kernel_state::kill_system(system_id id) { doom(id); }

void kernel_state::kill_actor(system_id id, std::uint64_t actor_id) {
  doom(doomed_actor{id, actor_id});
}

void kernel_state::kill_actors(system_id id, std::string_view prefix) {
  doom(doomed_actors{id, std::string{prefix}});
}

void kernel_state::doom(doomed what) {
  doomed_.push_back(std::move(what));
  if (!in_step_) settle();
}

/// Carries out the kills that were asked for, between two handlers.
void kernel_state::settle() {
  if (settling_) return;
  settling_ = true;
  for (std::size_t i = 0; i < doomed_.size(); ++i) {
    const doomed what = doomed_[i];
    std::visit([this](const auto& who) { carry_out(who); }, what);
  }
  doomed_.clear();
  settling_ = false;
}

void kernel_state::carry_out(const system_id& id) {
  simulated_system& system = at(id);
  if (!system.alive) return;
  note("kill ", system.label());
  if (!closing_) end_works(system);
  system.executor().abandon();
  system.cut = true;
  system.alive = false;  // from here on nothing of it is queued any more
  std::erase(living_, &system);
  for (const auto& actor : system.tracked_actors()) system.end_actor(scheduled(actor));
  drop_jobs_of(system);
  system.held_events.clear();
  events_.remove_those_of(id);
  system.cancel_timers();
  if (!closing_ && options_.on_crash) options_.on_crash(id);
}

/// Lets the works in flight of a dying system end as its executor draws it.
void kernel_state::end_works(simulated_system& system) {
  const bool was_cut = std::exchange(system.cut, false);
  simulated_system* const was_running = std::exchange(running_, &system);
  ending_works_ = true;
  points_left_ = UINT64_MAX;
  system.executor().end([&](const simulated_io_executor::work& what) {
    constexpr std::uint64_t most_points = 4;
    points_left_ = schedule_random_.below(most_points);
    what();
    points_left_ = UINT64_MAX;
    system.cut = false;  // the other works took place at the same time, not after
  });
  ending_works_ = false;
  running_ = was_running;
  system.cut = was_cut;
}

void kernel_state::carry_out(const doomed_actor& who) {
  simulated_system& system = at(who.system);
  for (const auto& actor : system.tracked_actors()) {
    if (actor->id() == who.id) end_actor(system, actor);
  }
}

void kernel_state::carry_out(const doomed_actors& who) {
  simulated_system& system = at(who.system);
  for (const auto& actor : system.tracked_actors()) {
    const std::string_view name = scheduled(actor).name();
    if (name.substr(0, who.prefix.size()) == who.prefix) end_actor(system, actor);
  }
}

void kernel_state::end_actor(simulated_system& system, const caf::strong_actor_ptr& actor) {
  note("kill ", system.label(), "/" + std::to_string(actor->id()));
  caf::scheduled_actor& ended = scheduled(actor);
  system.end_actor(ended);
  drop_jobs_of(system, &ended);
}

}  // namespace weir::simulation::internal
