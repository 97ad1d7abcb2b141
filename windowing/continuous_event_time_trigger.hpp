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

/// Fires when the watermark reaches a multiple of an interval, the window's end, and then for each
/// late element. A value; made by `continuous_event_time`.
class continuous_event_time_trigger : public trigger_defaults,
                                      public combinable_trigger<continuous_event_time_trigger> {
 public:
  static constexpr const char* kind = "continuous event time";
  static constexpr bool can_merge = true;
  static constexpr timer_domain ends_by = timer_domain::event;
  static constexpr bool needs_timestamps = true;

  explicit continuous_event_time_trigger(duration interval) : interval_{interval} {}

  /// Errors: invalid_argument unless the interval is more than 0.
  status validate() const {
    if (interval_ > duration::zero()) return {};
    return error{errc::invalid_argument, "continuous_event_time(" +
                                             std::to_string(interval_.count()) +
                                             " ms): it needs an interval of more than 0"};
  }

  auto uses_states() { return state::states(fire_time_); }

  template <class T, class W>
  trigger_result on_element(const T&, event_time time, const W& window, trigger_context& context) {
    if (window.max_time() <= context.current_watermark()) return trigger_result::fire;
    context.register_timer(window.max_time());
    if (fire_time_.get() == nullptr) {
      const duration since_multiple{floor_mod(time.ms, interval_.count())};
      arm(time + (interval_ - since_multiple), window, context);
    }
    return trigger_result::continue_;
  }

  template <class W>
  trigger_result on_event_time(event_time t, const W& window, trigger_context& context) {
    if (t == window.max_time()) return trigger_result::fire;
    const event_time* const fire_time = fire_time_.get();
    if (fire_time == nullptr || *fire_time != t) return trigger_result::continue_;
    fire_time_.clear();
    arm(t + interval_, window, context);
    return trigger_result::fire;
  }

  template <class W>
  void start(const W& window, trigger_context& context) const {
    if (window.max_time() > context.current_watermark()) context.register_timer(window.max_time());
  }

  /// The merged window fires at the earliest of the times at which one of the others was to, even
  /// if the watermark is there already.
  template <class W>
  void on_merge(const W&, trigger_merge_context& context) {
    context.merge(fire_time_);
    if (fire_time_.get() != nullptr) context.register_timer(*fire_time_.get());
  }

 private:
  template <class W>
  void arm(event_time next, const W& window, trigger_context& context) {
    const event_time t = std::min(next, window.max_time());
    fire_time_.add(t);
    context.register_timer(t);
  }

  duration interval_;
  state::reducing_state<event_time, smallest_of> fire_time_{"fire-time"};
};

/// Fires when the watermark reaches a multiple of `interval`, counted from 1970, for windows that
/// have had an element before it; at the window's end; and for each late element.
/// Errors, in the graph: interval ≤ 0.
inline continuous_event_time_trigger continuous_event_time(duration interval) {
  return continuous_event_time_trigger{interval};
}

}  // namespace weir::windowing

namespace weir {
using windowing::continuous_event_time;
}
