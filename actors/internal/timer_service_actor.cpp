// SPDX-License-Identifier: Apache-2.0
#include "weir/actors/internal/timer_service_actor.hpp"

#include <algorithm>
#include <chrono>

#include "weir/actors/internal/delay.hpp"

namespace weir::actors::internal {

timer_service_actor::timer_service_actor(caf::actor_config& config, std::string name,
                                         caf::actor subtask, std::shared_ptr<timer_queues> queues,
                                         const weir::clock* time,
                                         dataflow::timer_mutations mutations)
    : actor_base{config, std::move(name)},
      subtask_{std::move(subtask)},
      time_{time},
      logic_{{}, mutations} {
  for (auto& [index, queue] : *queues) logic_.add_operator(index, std::move(queue));
}

caf::behavior timer_service_actor::make_behavior() {
  carry_out(logic_.start(time_->now()));
  return {
      [this](boxed<dataflow::timer_message>& message) {
        carry_out(logic_.on_message(message.take(), time_->now()));
      },
      [this](alarm_message alarm) { carry_out(logic_.on_alarm(alarm.number, time_->now())); },
  };
}

void timer_service_actor::carry_out(dataflow::timer_actions actions) {
  if (actions.alarm) {
    delayed_send(this, delay_until(actions.alarm->at, time_->now()),
                 alarm_message{actions.alarm->number});
    actions.alarm.reset();
  }
  if (actions.answers.empty() && !actions.snapshot && !actions.quiesced) return;
  send(subtask_, boxed<dataflow::timer_actions>{std::move(actions)});
}

}  // namespace weir::actors::internal
