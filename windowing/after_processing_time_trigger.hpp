// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "weir/core/result.hpp"
#include "weir/windowing/combinable_trigger.hpp"
#include "weir/windowing/trigger_defaults.hpp"

namespace weir::windowing {

/// Fires some time after an element. A value; made by `after_processing_time`.
class after_processing_time_trigger : public trigger_defaults,
                                      public combinable_trigger<after_processing_time_trigger> {
 public:
  static constexpr const char* kind = "after processing time";
  static constexpr bool can_merge = true;

  explicit after_processing_time_trigger(duration delay) : delay_{delay} {}

  /// Errors: invalid_argument unless the delay is more than 0.
  status validate() const {
    if (delay_ > duration::zero()) return {};
    return error{errc::invalid_argument, "after_processing_time(" + std::to_string(delay_.count()) +
                                             " ms): it needs more than 0"};
  }

  template <class T, class W>
  trigger_result on_element(const T&, event_time, const W&, trigger_context& context) const {
    if (!context.processing_timer()) context.register_timer(context.now() + delay_);
    return trigger_result::continue_;
  }

  template <class W>
  trigger_result on_processing_time(clock_time, const W&, trigger_context&) const {
    return trigger_result::fire;
  }

  template <class W>
  void on_merge(const W&, trigger_merge_context& context) const {
    if (const auto first = context.absorbed_processing_timer()) context.register_timer(*first);
  }

 private:
  duration delay_;
};

/// Fires `delay` of the processing clock after the first element of the window, and then after the
/// first one since the last fire. Errors, in the graph: delay ≤ 0.
inline after_processing_time_trigger after_processing_time(duration delay) {
  return after_processing_time_trigger{delay};
}

}  // namespace weir::windowing

namespace weir {
using windowing::after_processing_time;
}
