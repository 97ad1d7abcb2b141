// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "weir/actors/internal/actor_base.hpp"
#include "weir/actors/internal/actor_messages.hpp"
#include "weir/actors/internal/restored_state.hpp"
#include "weir/actors/internal/runtime_services.hpp"
#include "weir/actors/internal/subtask.hpp"

namespace weir::actors::internal {

/// What a subtask's actor is made from.
struct subtask_setup {
  subtask_spec spec;
  caf::actor job;          ///< gets the reports
  caf::actor checkpoints;  ///< gets those about checkpoints
  runtime_services services;
  std::uint64_t io_lane = 0;  ///< of its own on the executor, so that its works keep their order
  std::shared_ptr<restored_state> restored;  ///< with the other subtasks; null: a fresh start
};

/// The actor around a `subtask`: turns messages into calls and calls into messages. Owns the
/// subtask and its timer service. Ends when it is killed by the job's coordinator.
class subtask_actor final : public actor_base, public subtask_host {
 public:
  subtask_actor(caf::actor_config& config, std::string name, std::shared_ptr<subtask_setup> setup);

  caf::behavior make_behavior() override;
  void on_exit() override;

 private:
  void read_restore();
  void open(const std::optional<restored_subtask>& restored);
  void on_down(const caf::down_msg& down) override;

  void send_element(subtask_id to, channel_message message) override;
  void send_credit(subtask_id to, credit_message message) override;
  void report(subtask_report what) override;
  void send_to_timers(dataflow::timer_message message) override;
  void call_self(self_call what) override;
  void call_self_at(clock_time at) override;
  void run_io(std::function<std::function<void()>()> work) override;
  void point(std::string_view name) override;

  subtask_setup setup_;
  attempt_id attempt_;
  subtask_id id_;
  std::vector<std::string> uids_;  ///< of the operators of the chain
  std::unique_ptr<subtask> subtask_;
  std::shared_ptr<const subtask_actors> peers_;
  caf::actor timers_;
};

}  // namespace weir::actors::internal
