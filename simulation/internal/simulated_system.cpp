// SPDX-License-Identifier: Apache-2.0
#include "weir/simulation/internal/simulated_system.hpp"

#include <algorithm>
#include <utility>

namespace weir::simulation::internal {
namespace {

bool has_ended(const caf::strong_actor_ptr& actor) {
  return !actor || actor->get()->getf(caf::abstract_actor::is_cleaned_up_flag);
}

}  // namespace

simulated_system::simulated_system(parts made_of, const configure_function& configure)
    : id_{made_of.id},
      name_{std::move(made_of.name)},
      label_{name_ + '#' + std::to_string(id_.value)},
      clock_{made_of.now_ns, made_of.clock_ahead},
      executor_{std::move(made_of.executor)} {
  if (configure) configure(config_);
  config_.module_factories.push_back(
      [this, &jobs = made_of.jobs](caf::actor_system& actors) -> caf::actor_system::module* {
        scheduler_ = new scheduler{actors, jobs, *this};
        return scheduler_;
      });
  config_.set("scheduler.max-throughput", std::size_t{1});
  config_.set("logger.verbosity", caf::atom("quiet"));
  config_.set("logger.console", caf::atom("none"));
  actors_ = std::make_unique<caf::actor_system>(config_);
  // An actor that the kernel never saw would make the destructor wait for ever.
  actors_->await_actors_before_shutdown(false);
  unit_ = std::make_unique<execution_unit>(*actors_, made_of.jobs, *this);
  set_time(made_of.now_ns);
}

simulated_system::~simulated_system() = default;

std::int64_t simulated_system::next_timer_ns() {
  const auto& timers = scheduler_->clock().schedule();
  if (timers.empty()) return event_queue::never;
  return timers.begin()->first.time_since_epoch().count();
}

void simulated_system::fire_timer() { scheduler_->clock().trigger_timeout(); }

void simulated_system::set_time(std::int64_t now_ns) {
  scheduler_->clock().current_time =
      caf::actor_clock::time_point{caf::actor_clock::duration_type{now_ns}};
}

void simulated_system::cancel_timers() { scheduler_->clock().cancel_all(); }

void simulated_system::track(caf::scheduled_actor& actor) {
  const auto id = static_cast<std::size_t>(actor.id());
  if (id < is_tracked_.size() && is_tracked_[id]) return;
  if (id >= is_tracked_.size()) is_tracked_.resize(2 * id + 1);
  is_tracked_[id] = true;
  if (tracked_.size() >= forget_at_) forget_ended_actors();
  tracked_.emplace_back(actor.ctrl());
}

void simulated_system::end_actor(caf::scheduled_actor& actor) {
  if (actor.getf(caf::abstract_actor::is_cleaned_up_flag)) return;
  actor.context(unit_.get());  // through which cleanup tells the monitors
  actor.quit(caf::make_error(caf::exit_reason::kill));
  // cleanup() alone would leave the state of a stateful_actor behind.
  actor.finalize();
}

std::vector<caf::strong_actor_ptr> simulated_system::tracked_actors() {
  forget_ended_actors();
  std::vector<caf::strong_actor_ptr> actors;
  for (const caf::weak_actor_ptr& actor : tracked_) actors.push_back(actor.lock());
  std::sort(actors.begin(), actors.end(),
            [](const auto& a, const auto& b) { return a->id() < b->id(); });
  return actors;
}

void simulated_system::forget_ended_actors() {
  std::erase_if(tracked_, [](const caf::weak_actor_ptr& a) { return has_ended(a.lock()); });
  forget_at_ = 2 * tracked_.size() + 64;
}

}  // namespace weir::simulation::internal
