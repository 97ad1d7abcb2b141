// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/windowing/combinable_trigger.hpp"
#include "weir/windowing/trigger_defaults.hpp"

namespace weir::windowing {

/// The trigger of processing-time windows unless another is asked for: fires when the clock reaches
/// the window's `max_time`.
class processing_time_trigger : public trigger_defaults,
                                public combinable_trigger<processing_time_trigger> {
 public:
  static constexpr const char* kind = "processing time";
  static constexpr bool can_merge = true;
  static constexpr timer_domain ends_by = timer_domain::processing;

  template <class T, class W>
  trigger_result on_element(const T&, event_time, const W& window, trigger_context& context) const {
    context.register_timer(end_of(window));
    return trigger_result::continue_;
  }

  template <class W>
  trigger_result on_processing_time(clock_time, const W&, trigger_context&) const {
    return trigger_result::fire;
  }

  template <class W>
  void start(const W& window, trigger_context& context) const {
    if (end_of(window) > context.now()) context.register_timer(end_of(window));
  }

  template <class W>
  void on_merge(const W& merged, trigger_merge_context& context) const {
    start(merged, context);
  }

 private:
  template <class W>
  static clock_time end_of(const W& window) {
    return {window.max_time().ms};
  }
};

}  // namespace weir::windowing

namespace weir {
using windowing::processing_time_trigger;
}
