// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include "weir/dataflow/operator_environment.hpp"
#include "weir/windowing/shared_trigger_context.hpp"
#include "weir/windowing/window_watermark.hpp"

namespace weir::windowing {

/// How far event time is for the windows of one operator, and the timers that the keys of a window
/// share. Owned and used by one subtask.
class window_time : public window_watermark {
 public:
  /// @pre allowed_lateness ≥ 0
  explicit window_time(duration allowed_lateness) : allowed_lateness_{allowed_lateness} {}

  /// To be called once, before all else.
  void open(const dataflow::operator_environment& environment);

  /// When a window is closed: records for it that come while the watermark is at or past that time
  /// are late. `event_time::max()`: never.
  event_time cleanup_time(const time_window& window) const {
    return window.max_time() + allowed_lateness_;
  }

  /// Asks for a PURGE of a window that was opened.
  void opened(const time_window& window);

  /// What a trigger gets that decides about `window` at `watermark`; `registered` is the time of
  /// the window's timer.
  shared_trigger_context context_of(const time_window& window, event_time& registered,
                                    event_time watermark) {
    return {*timers_, window, registered, watermark};
  }

  // -- a new watermark, see timer_client_base ----------------------------------------------------

  /// The watermark is `t` from here on. True if timers may be due: then `next_due` follows.
  bool advance(event_time t);
  bool advancing() const { return timers_->advancing(); }
  /// The next timer to be called. Null while `advancing()`: the timer service must answer first.
  std::optional<dataflow::timer<window_timer>> next_due() { return timers_->next_event(); }

  dataflow::timer_client<window_timer>& timers() { return *timers_; }
  const dataflow::timer_client<window_timer>& timers() const { return *timers_; }

 private:
  duration allowed_lateness_;
  std::optional<dataflow::timer_client<window_timer>> timers_;
};

}  // namespace weir::windowing
