// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "weir/actors/internal/messages.hpp"
#include "weir/core/time.hpp"
#include "weir/dataflow/timer_message.hpp"

namespace weir::actors::internal {

/// What a subtask does to the world: the actor around it sends the messages. All calls come from
/// the subtask's own handlers and return at once.
class subtask_host {
 public:
  virtual ~subtask_host() = default;

  virtual void send_element(subtask_id to, channel_message message) = 0;
  virtual void send_credit(subtask_id to, credit_message message) = 0;
  virtual void report(subtask_report what) = 0;
  virtual void send_to_timers(dataflow::timer_message message) = 0;

  /// Comes back as `subtask::on_self`, behind what is queued.
  virtual void call_self(self_call what) = 0;
  /// The same, for `alarm`, when the clock shows `at`. A later call replaces it.
  virtual void call_self_at(clock_time at) = 0;

  /// Runs `work` on the `io_executor`; what it returns is called in a later handler.
  virtual void run_io(std::function<std::function<void()>()> work) = 0;

  /// A named point at which the simulator may crash.
  virtual void point(std::string_view name) = 0;
};

}  // namespace weir::actors::internal
