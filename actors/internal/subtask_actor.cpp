// SPDX-License-Identifier: Apache-2.0
#include "weir/actors/internal/subtask_actor.hpp"

#include <algorithm>
#include <chrono>
#include <utility>
#include <variant>

#include "weir/actors/internal/delay.hpp"
#include "weir/actors/internal/timer_service_actor.hpp"

namespace weir::actors::internal {

subtask_actor::subtask_actor(caf::actor_config& config, std::string name,
                             std::shared_ptr<subtask_setup> setup)
    : actor_base{config, std::move(name)},
      setup_{std::move(*setup)},
      attempt_{setup_.spec.attempt},
      id_{setup_.spec.self} {
  for (auto& environment : setup_.spec.environments) {
    environment.wake = [self = caf::actor_cast<caf::actor_addr>(this)] {
      if (auto alive = caf::actor_cast<caf::actor>(self)) caf::anon_send(alive, self_call::wake);
    };
    if (!environment.uid.empty()) uids_.push_back(environment.uid);
  }
  subtask_ = std::make_unique<subtask>(std::move(setup_.spec), *this);
}

caf::behavior subtask_actor::make_behavior() {
  return {
      [this](peers_message message) {
        peers_ = std::move(message.peers);
        if (setup_.restored) {
          read_restore();
        } else {
          open(std::nullopt);
        }
      },
      [this](channel_message& message) { subtask_->on_element(std::move(message)); },
      [this](const credit_message& message) { subtask_->on_credit(message); },
      [this](subtask_command& command) { subtask_->on_command(std::move(command)); },
      [this](const boxed<dataflow::timer_actions>& actions) {
        subtask_->on_timers(actions.take());
      },
      [this](const io_done& done) { subtask_->on_io(done.apply); },
      [this](self_call what) { subtask_->on_self(what); },
  };
}

void subtask_actor::read_restore() {
  run_io([this, uids = uids_, source = std::exchange(setup_.restored, nullptr),
          self = id_.index]() -> std::function<void()> {
    restored_subtask restored{source->id(), {}};
    for (const auto& uid : uids) {
      auto chunks = source->take(uid, self);
      if (!chunks) {
        return [this, cause = std::move(chunks).failure()] { report(subtask_failed{cause}); };
      }
      restored.operators.push_back({uid, *std::move(chunks)});
    }
    return [this, restored = std::move(restored)] { open(restored); };
  });
}

void subtask_actor::open(const std::optional<restored_subtask>& restored) {
  if (auto done = subtask_->open(restored); !done) {
    return report(subtask_failed{std::move(done).failure()});
  }
  auto queues = std::make_shared<timer_queues>(subtask_->take_timer_queues());
  if (!queues->empty()) {
    const auto name = "timers " + std::to_string(id_.task) + "/" + std::to_string(id_.index.value);
    timers_ = spawn<timer_service_actor>(name, caf::actor_cast<caf::actor>(this), queues,
                                         setup_.services.time, setup_.services.mutations.timers);
    monitor(timers_);
  }
  report(subtask_ready{});
}

void subtask_actor::on_exit() {
  subtask_->close();
  if (timers_) kill(this, timers_);
  timers_ = nullptr;
  peers_ = nullptr;
  setup_.job = nullptr;
  setup_.checkpoints = nullptr;
}

void subtask_actor::on_down(const caf::down_msg& down) {
  if (down.source != timers_) return;
  report(subtask_failed{error{errc::user_function_failed, "the timer service ended"}});
}

void subtask_actor::send_element(subtask_id to, channel_message message) {
  send(peers_->at(to), std::move(message));
}

void subtask_actor::send_credit(subtask_id to, credit_message message) {
  send(peers_->at(to), message);
}

void subtask_actor::report(subtask_report what) {
  const bool about_checkpoint = std::holds_alternative<snapshot_written>(what) ||
                                std::holds_alternative<snapshot_failed>(what) ||
                                std::holds_alternative<subtask_ended>(what) ||
                                std::holds_alternative<commits_done>(what);
  send(about_checkpoint ? setup_.checkpoints : setup_.job,
       report_message{attempt_, id_, std::move(what)});
}

void subtask_actor::send_to_timers(dataflow::timer_message message) {
  send(timers_, boxed<dataflow::timer_message>{std::move(message)});
}

void subtask_actor::call_self(self_call what) { send(this, what); }

void subtask_actor::call_self_at(clock_time at) {
  delayed_send(this, delay_until(at, setup_.services.time->now()), self_call::alarm);
}

void subtask_actor::run_io(std::function<std::function<void()>()> work) {
  run_on(*setup_.services.io, setup_.io_lane, std::move(work));
}

void subtask_actor::point(std::string_view name) { setup_.services.point(name); }

}  // namespace weir::actors::internal
