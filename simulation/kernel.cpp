// SPDX-License-Identifier: Apache-2.0
#include "weir/simulation/kernel.hpp"

#include <utility>

#include "weir/simulation/internal/kernel_state.hpp"

namespace weir::simulation {

kernel::kernel(kernel_options options)
    : state_{std::make_unique<internal::kernel_state>(std::move(options))} {}

kernel::~kernel() = default;

system_id kernel::add_system(std::string name,
                             const std::function<void(caf::actor_system_config&)>& configure) {
  return state_->add_system(std::move(name), configure);
}

caf::actor_system& kernel::actors(system_id id) { return state_->at(id).actors(); }
const std::string& kernel::name(system_id id) const { return state_->at(id).name(); }
bool kernel::is_alive(system_id id) const { return state_->at(id).alive; }

std::optional<system_id> kernel::find(std::string_view name) const {
  const internal::simulated_system* system = state_->find(name);
  return system == nullptr ? std::nullopt : std::optional{system->id()};
}

const clock& kernel::clock_of(system_id id) const { return state_->at(id).clock(); }
io_executor& kernel::executor_of(system_id id) { return state_->at(id).executor(); }

void kernel::kill(system_id id) { state_->kill_system(id); }

void kernel::kill_actor(system_id id, std::uint64_t actor_id) { state_->kill_actor(id, actor_id); }

void kernel::kill_actors(system_id id, std::string_view prefix) { state_->kill_actors(id, prefix); }

void kernel::pause(system_id id, duration length) { state_->pause(state_->at(id), length); }

void kernel::point(std::string_view name) { state_->point(name); }

std::function<void(std::string_view)> kernel::point_hook() {
  return [state = state_.get()](std::string_view name) { state->point(name); };
}

std::uint64_t kernel::passages(std::string_view point) const { return state_->passages(point); }
void kernel::end_faults() { state_->end_faults(); }
bool kernel::is_cut(system_id id) const { return state_->at(id).cut; }

std::function<status(std::string_view operation)> kernel::disk_gate(system_id id) {
  return [state = state_.get(), id](std::string_view operation) {
    return state->pass_disk(id, operation);
  };
}

clock_time kernel::now() const { return state_->true_clock().now(); }
const clock& kernel::true_clock() const { return state_->true_clock(); }

void kernel::after(duration delay, std::string label, std::function<void()> event) {
  state_->add_event(delay, {std::nullopt, std::move(label), std::move(event)});
}

void kernel::after(system_id owner, duration delay, std::string label,
                   std::function<void()> event) {
  state_->add_event(delay, {owner, std::move(label), std::move(event)});
}

void kernel::spend(duration length) {
  state_->advance_to(saturating_add(state_->now_ns(), internal::to_ns(length)));
}

random_generator& kernel::random() { return state_->random(); }

bool kernel::step() { return state_->step(internal::event_queue::never); }

std::uint64_t kernel::run(std::uint64_t max_steps) {
  std::uint64_t steps = 0;
  while (steps < max_steps && step()) ++steps;
  return steps;
}

void kernel::run_for(duration length) {
  const std::int64_t end_ns = saturating_add(state_->now_ns(), internal::to_ns(length));
  // With steps that take time, something may always be able to run.
  while (state_->now_ns() <= end_ns && state_->step(end_ns)) {
  }
  state_->advance_to(end_ns);
}

bool kernel::run_until(const std::function<bool()>& done, std::uint64_t max_steps) {
  for (std::uint64_t n = 0; !done(); ++n) {
    if (n == max_steps || !step()) return false;
  }
  return true;
}

std::uint64_t kernel::steps() const { return state_->steps(); }
std::uint64_t kernel::trace_hash() const { return state_->trace().hash(); }
const std::string& kernel::trace() const { return state_->trace().text(); }
void kernel::note(std::string_view line) { state_->note(line); }

}  // namespace weir::simulation
