// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/windowing/shared_trigger_context.hpp"
#include "weir/windowing/trigger_result.hpp"

namespace weir::windowing {

/// The trigger of event-time windows unless another is asked for: fires when the watermark reaches
/// the window's `max_time`, and then for each record that still comes within the allowed lateness.
///
/// Its answers depend on the window and the watermark only. So it is asked for all keys of a window
/// at once, and a window has one timer, however many keys it holds.
class event_time_trigger {
 public:
  /// A record has been added to `window`.
  trigger_result on_element(const time_window& window, shared_trigger_context& context) const {
    if (window.max_time() <= context.current_watermark()) return trigger_result::fire;
    context.register_event_timer(window.max_time());
    return trigger_result::continue_;
  }

  /// The timer of `window` for time `t` is due.
  trigger_result on_event_time(event_time t, const time_window& window,
                               shared_trigger_context&) const {
    return t == window.max_time() ? trigger_result::fire : trigger_result::continue_;
  }

  /// `window` is being closed.
  void clear(const time_window& window, shared_trigger_context& context) const {
    context.delete_event_timer(window.max_time());
  }
};

}  // namespace weir::windowing

namespace weir {
using windowing::event_time_trigger;
}
