// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <limits>

#include "weir/core/time.hpp"
#include "weir/dataflow/timer_message.hpp"

namespace weir::dataflow {

/// The timers of one operator, on the side of its subtask: what it registers and deletes goes into
/// a log for the timer service; what the service says is due comes back to be called back.
/// Owned and used by one subtask.
///
/// How the subtask advances an operator to a watermark W:
/// 1. If `needs_round_trip(W)` is false, no timer is due, and nothing is to be done.
/// 2. Else `begin_advance(W)`, and the operator gets no input until `advancing()` is false.
/// 3. At the end of each handler, `add_to` a message, and send it if there is something in it.
/// 4. While there is room, the operator calls `next_event()` and its callbacks. Null while
///    `advancing()`: wait for the service's answer. Null after: all timers ≤ W have been called.
/// Between elements it calls `next_processing()` in the same way while `processing_ready()`.
///
/// No snapshot is asked for during an advance: timers registered in it for it are here only.
///
/// After a crash: timers that were not called back before the last checkpoint are in it.
class timer_client_base {
 public:
  explicit timer_client_base(std::uint32_t operator_index) : operator_index_{operator_index} {}
  timer_client_base(const timer_client_base&) = delete;
  timer_client_base& operator=(const timer_client_base&) = delete;
  virtual ~timer_client_base() = default;

  std::uint32_t operator_index() const noexcept { return operator_index_; }

  /// Whether some event timer may be ≤ `watermark`. True until the service has answered once.
  bool needs_round_trip(event_time watermark) const noexcept { return watermark.ms >= due_; }

  /// Asks for the timers ≤ `watermark`. `event_time::max()` means that the input has ended.
  /// @pre !advancing(), and `watermark` is greater than the one before
  void begin_advance(event_time watermark);

  /// Whether the advance that was begun is still going on.
  bool advancing() const noexcept { return advancing_; }

  /// Whether nothing can be called back before the service has answered.
  bool waiting() const noexcept { return advance_request_ != request_state::none; }

  /// Whether processing timers are here to be called back.
  virtual bool processing_ready() = 0;

  /// Moves the changes and requests so far into `message`, which must be sent.
  virtual void add_to(timer_message& message) = 0;

  /// Takes what the service sent to this operator.
  virtual void on_answer(timer_answer answer) = 0;

  /// Timers dropped at the end of input because `max_timers_in_a_row` was passed.
  std::uint64_t dropped_in_loops() const noexcept { return dropped_in_loops_; }

  /// At the end of input a timer that registers itself anew would never end: so many timers that
  /// callbacks have registered are called back in a row for one subject, and no more.
  static constexpr std::uint64_t max_timers_in_a_row = 1000;

 protected:
  static constexpr std::int64_t no_time = std::numeric_limits<std::int64_t>::max();

  /// Whether an event timer of this time belongs to the advance that is going on.
  bool in_advance(std::int64_t time) const noexcept { return advancing_ && time <= until_; }
  bool at_end_of_input() const noexcept { return until_ == no_time; }

  void note_registered(std::int64_t time) noexcept {
    if (time < due_) due_ = time;
    if (time < registered_) registered_ = time;
  }

  void note_answer(const timer_answer& answer);
  bool service_has_more() const noexcept { return more_; }
  void ask_for_next_chunk() { advance_request_ = request_state::to_send; }
  void end_advance() { advancing_ = false; }
  void count_dropped() { ++dropped_in_loops_; }
  void end_processing_chunk() { processing_done_ = true; }
  void add_requests(timer_message& message);

 private:
  enum class request_state : std::uint8_t { none, to_send, sent };

  std::int64_t due_ = std::numeric_limits<std::int64_t>::min();
  std::int64_t registered_ = no_time;  // least time registered since the last request was sent
  std::int64_t until_ = std::numeric_limits<std::int64_t>::min();
  std::uint64_t dropped_in_loops_ = 0;
  std::uint32_t operator_index_;
  request_state advance_request_ = request_state::none;
  bool advancing_ = false;
  bool more_ = false;
  bool processing_done_ = false;
};

}  // namespace weir::dataflow
