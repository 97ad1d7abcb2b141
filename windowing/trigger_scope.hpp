// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "weir/core/time.hpp"
#include "weir/dataflow/timer.hpp"

namespace weir::windowing {

using dataflow::timer_domain;

/// What the timer service has to be told after a call of a trigger, for the key and window of that
/// call. A value.
struct trigger_timer_change {
  timer_domain domain;
  std::int64_t time;
  bool wanted;  ///< true: a timer is to be registered; false: it is to be deleted

  friend bool operator==(const trigger_timer_change&, const trigger_timer_change&) = default;
};

/// What an operator tells its triggers and what they tell it, besides results: the clocks, how its
/// windows end, and the changes of timers that the calls since `changes().clear()` came to. Owned
/// and used by one subtask.
class trigger_scope {
 public:
  /// `windows` is the clock by which the windows end, none for global windows. Windows of event
  /// time are cleaned up `allowed_lateness` after their end.
  explicit trigger_scope(std::optional<timer_domain> windows,
                         duration allowed_lateness = duration::zero())
      : windows_{windows}, allowed_lateness_{allowed_lateness} {}

  event_time watermark = event_time::min();  ///< as the key of the next call has seen it
  clock_time now;                            ///< the processing clock

  std::optional<timer_domain> windows() const noexcept { return windows_; }

  /// When `window` is cleaned up, on the clock of `windows()`; max: never.
  template <class W>
  std::int64_t cleanup_time(const W& window) const {
    const event_time end = window.max_time();
    if (!windows_) return event_time::max().ms;
    return windows_ == timer_domain::event ? (end + allowed_lateness_).ms : end.ms;
  }

  /// Whether `window` has reached its end.
  template <class W>
  bool ended(const W& window) const {
    if (!windows_) return false;
    const auto current = windows_ == timer_domain::event ? watermark.ms : now.ms;
    return window.max_time().ms <= current;
  }

  /// In the order in which they were made; none that cancel each other.
  std::vector<trigger_timer_change>& changes() noexcept { return changes_; }

  /// Adds a change, or takes its opposite back.
  void change(const trigger_timer_change& made) {
    const auto opposite = std::find(changes_.begin(), changes_.end(),
                                    trigger_timer_change{made.domain, made.time, !made.wanted});
    if (opposite == changes_.end())
      changes_.push_back(made);
    else
      changes_.erase(opposite);
  }

 private:
  std::optional<timer_domain> windows_;
  duration allowed_lateness_;
  std::vector<trigger_timer_change> changes_;
};

}  // namespace weir::windowing
