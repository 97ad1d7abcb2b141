// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/windowing/combinable_trigger.hpp"
#include "weir/windowing/shared_trigger_context.hpp"
#include "weir/windowing/trigger_defaults.hpp"

namespace weir::windowing {

/// The trigger of event-time windows unless another is asked for: fires when the watermark reaches
/// the window's `max_time`, and then for each record that still comes within the allowed lateness.
///
/// Its answers depend on the window and the watermark only. So it can be asked for all keys of a
/// window at once, with a `shared_trigger_context`, and then a window has one timer, however many
/// keys it holds.
class event_time_trigger : public trigger_defaults, public combinable_trigger<event_time_trigger> {
 public:
  static constexpr const char* kind = "event time";
  static constexpr bool can_merge = true;
  static constexpr timer_domain ends_by = timer_domain::event;
  static constexpr bool same_for_all_keys = true;

  template <class T, class W>
  trigger_result on_element(const T&, event_time, const W& window, trigger_context& context) const {
    return on_element(window, context);
  }

  template <class W>
  trigger_result on_event_time(event_time t, const W& window, trigger_context&) const {
    return at_time(t, window);
  }

  template <class W>
  void start(const W& window, trigger_context& context) const {
    if (window.max_time() > context.current_watermark()) context.register_timer(window.max_time());
  }

  template <class W>
  void on_merge(const W& merged, trigger_merge_context& context) const {
    start(merged, context);
  }

  // -- for all keys at once ----------------------------------------------------------------------

  /// A record has been added to `window`.
  template <class W, class Context>
  trigger_result on_element(const W& window, Context& context) const {
    if (window.max_time() <= context.current_watermark()) return trigger_result::fire;
    context.register_timer(window.max_time());
    return trigger_result::continue_;
  }

  /// The timer of `window` for time `t` is due.
  trigger_result on_event_time(event_time t, const time_window& window,
                               shared_trigger_context&) const {
    return at_time(t, window);
  }

  using trigger_defaults::clear;

  /// `window` is being closed.
  void clear(const time_window& window, shared_trigger_context& context) const {
    context.delete_timer(window.max_time());
  }

 private:
  template <class W>
  static trigger_result at_time(event_time t, const W& window) {
    return t == window.max_time() ? trigger_result::fire : trigger_result::continue_;
  }
};

}  // namespace weir::windowing

namespace weir {
using windowing::event_time_trigger;
}
