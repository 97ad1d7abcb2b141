// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>

#include "weir/core/time.hpp"
#include "weir/dataflow/timer_message.hpp"
#include "weir/dataflow/timer_queue.hpp"

namespace weir::dataflow {

/// The timer service of one subtask: holds the timers of all operators of its chain, and sends
/// them when they are due. Decides only; the actions are the owner's to carry out. Owned and used
/// by one actor, which reads the clock at each call.
///
/// A timer that is sent is on lease: it stays in the queue and in the snapshots until the subtask
/// confirms or removes it, so a timer that was sent but not called back before a crash is sent
/// again. For each operator and domain one chunk at most is on its way or in the subtask's hands.
class timer_service_logic {
 public:
  explicit timer_service_logic(timer_limits limits = {}, timer_mutations mutations = {})
      : limits_{limits}, mutations_{mutations} {}

  /// Takes the queue of an operator, restored if there is something to restore. All come before
  /// `start`. @pre no queue of that index was added
  void add_operator(std::uint32_t operator_index, std::unique_ptr<timer_queue_base> queue);

  /// Sends the processing timers that are overdue, sets the first alarm.
  timer_actions start(clock_time now);

  /// @pre the operators named by the message were added
  timer_actions on_message(timer_message message, clock_time now);

  /// `alarm` is the number of the alarm. One that has been replaced does nothing.
  timer_actions on_alarm(std::uint64_t alarm, clock_time now);

  /// The timers of all operators, with those on lease.
  std::size_t size() const;

 private:
  struct hosted_operator {
    std::unique_ptr<timer_queue_base> queue;
    std::uint64_t seen = 0;
    std::uint32_t unanswered_removals = 0;
    bool processing_chunk_out = false;
  };

  void answer_request(const timer_request& request, timer_actions& out);
  void send_due_processing(clock_time now, timer_actions& out);
  void answer(std::uint32_t index, timer_domain domain, std::unique_ptr<timer_chunk_base> chunk,
              event_time until, timer_actions& out);
  void set_alarm(timer_actions& out);
  timer_snapshot take_snapshot(checkpoint_id id) const;
  bool has_processing_timers() const;

  std::map<std::uint32_t, hosted_operator> operators_;
  std::optional<timer_alarm> alarm_;
  std::uint64_t alarms_ = 0;
  timer_limits limits_;
  timer_mutations mutations_;
  bool quiescing_ = false;
};

}  // namespace weir::dataflow
