// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/windowing/combinable_trigger.hpp"
#include "weir/windowing/trigger_defaults.hpp"

namespace weir::windowing {

/// Fires when a window is cleaned up. A value; made by `at_cleanup`.
class cleanup_trigger : public trigger_defaults, public combinable_trigger<cleanup_trigger> {
 public:
  static constexpr const char* kind = "at_cleanup";
  static constexpr bool can_merge = true;

  template <class T, class W>
  trigger_result on_element(const T&, event_time, const W& window, trigger_context& context) const {
    arm(window, context);
    return trigger_result::continue_;
  }

  template <class W>
  trigger_result on_event_time(event_time, const W&, trigger_context&) const {
    return trigger_result::fire;
  }
  template <class W>
  trigger_result on_processing_time(clock_time, const W&, trigger_context&) const {
    return trigger_result::fire;
  }

  template <class W>
  void start(const W& window, trigger_context& context) const {
    const auto& scope = context.scope();
    const auto current = scope.windows() == timer_domain::event ? scope.watermark.ms : scope.now.ms;
    if (scope.cleanup_time(window) > current) arm(window, context);
  }

  template <class W>
  void on_merge(const W& merged, trigger_merge_context& context) const {
    arm(merged, context);
  }

 private:
  template <class W>
  static void arm(const W& window, trigger_context& context) {
    const auto& scope = context.scope();
    const event_time t{scope.cleanup_time(window)};
    if (t == event_time::max()) return;
    if (scope.windows() == timer_domain::event)
      context.register_timer(t);
    else
      context.register_timer(clock_time{t.ms});
  }
};

/// Fires once, when the window is cleaned up: at its end and, in event time, after the allowed
/// lateness. Windows that are never cleaned up do not fire.
inline cleanup_trigger at_cleanup() { return {}; }

}  // namespace weir::windowing

namespace weir {
using windowing::at_cleanup;
}
