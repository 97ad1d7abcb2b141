// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/dataflow/timer_client.hpp"
#include "weir/windowing/window_timer.hpp"

namespace weir::windowing {

/// What a trigger that decides for all keys of a window at once can see and do. Handed to it by the
/// window operator, valid during that call only.
class shared_trigger_context {
 public:
  /// `registered` is the time of the window's timer; `event_time::min()`: it has none.
  shared_trigger_context(dataflow::timer_client<window_timer>& timers, const time_window& window,
                         event_time& registered, event_time watermark)
      : timers_{timers}, window_{window}, registered_{registered}, watermark_{watermark} {}

  event_time current_watermark() const { return watermark_; }

  /// Asks for one call of `on_event_time`, when the watermark reaches `t`.
  void register_timer(event_time t) {
    if (registered_ == t) return;
    timers_.register_timer(t, {window_, dataflow::signal_kind::fire});
    registered_ = t;
  }

  /// Takes that back; nothing if it was not asked for, or the call was made.
  void delete_timer(event_time t) {
    if (registered_ != t) return;
    timers_.delete_timer(t, {window_, dataflow::signal_kind::fire});
    registered_ = event_time::min();
  }

 private:
  dataflow::timer_client<window_timer>& timers_;
  const time_window& window_;
  event_time& registered_;
  event_time watermark_;
};

}  // namespace weir::windowing
