// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <string>

#include "weir/core/result.hpp"
#include "weir/state/reducing_state.hpp"
#include "weir/state/states.hpp"
#include "weir/windowing/combinable_trigger.hpp"
#include "weir/windowing/smallest_of.hpp"
#include "weir/windowing/trigger_defaults.hpp"

namespace weir::windowing {

/// Fires when the clock reaches a multiple of an interval. A value; made by
/// `continuous_processing_time`.
class continuous_processing_time_trigger
    : public trigger_defaults,
      public combinable_trigger<continuous_processing_time_trigger> {
 public:
  static constexpr const char* kind = "continuous processing time";
  static constexpr bool can_merge = true;
  static constexpr timer_domain ends_by = timer_domain::processing;

  explicit continuous_processing_time_trigger(duration interval) : interval_{interval} {}

  /// Errors: invalid_argument unless the interval is more than 0.
  status validate() const {
    if (interval_ > duration::zero()) return {};
    return error{errc::invalid_argument, "continuous_processing_time(" +
                                             std::to_string(interval_.count()) +
                                             " ms): it needs an interval of more than 0"};
  }

  auto uses_states() { return state::states(fire_time_); }

  template <class T, class W>
  trigger_result on_element(const T&, event_time, const W& window, trigger_context& context) {
    if (fire_time_.get() == nullptr) {
      const duration since_multiple{floor_mod(context.now().ms, interval_.count())};
      arm(context.now() + (interval_ - since_multiple), window, context);
    }
    return trigger_result::continue_;
  }

  template <class W>
  trigger_result on_processing_time(clock_time t, const W& window, trigger_context& context) {
    if (ends_by_clock(context) && t.ms == window.max_time().ms) return trigger_result::fire;
    const clock_time* const fire_time = fire_time_.get();
    if (fire_time == nullptr || *fire_time != t) return trigger_result::continue_;
    fire_time_.clear();
    arm(t + interval_, window, context);
    return trigger_result::fire;
  }

  /// The merged window fires at the earliest of the times at which one of the others was to.
  template <class W>
  void on_merge(const W&, trigger_merge_context& context) {
    context.merge(fire_time_);
    if (fire_time_.get() != nullptr) context.register_timer(*fire_time_.get());
  }

 private:
  static bool ends_by_clock(const trigger_context& context) {
    return context.scope().windows() == timer_domain::processing;
  }

  /// Only windows that end by the clock have an end that it can reach.
  template <class W>
  void arm(clock_time t, const W& window, trigger_context& context) {
    if (ends_by_clock(context)) t = std::min(t, clock_time{window.max_time().ms});
    fire_time_.add(t);
    context.register_timer(t);
  }

  duration interval_;
  state::reducing_state<clock_time, smallest_of> fire_time_{"fire-time"};
};

/// Fires when the clock reaches a multiple of `interval`, counted from 1970, for windows that have
/// had an element before it, until they are cleaned up; windows of processing time at their end,
/// too. Errors, in the graph: interval ≤ 0.
inline continuous_processing_time_trigger continuous_processing_time(duration interval) {
  return continuous_processing_time_trigger{interval};
}

}  // namespace weir::windowing

namespace weir {
using windowing::continuous_processing_time;
}
