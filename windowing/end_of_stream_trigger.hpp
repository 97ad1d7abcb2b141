// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/windowing/combinable_trigger.hpp"
#include "weir/windowing/trigger_defaults.hpp"

namespace weir::windowing {

/// Fires once, when the input has ended. For global windows, whose end that is.
class end_of_stream_trigger : public trigger_defaults,
                              public combinable_trigger<end_of_stream_trigger> {
 public:
  static constexpr const char* kind = "end of stream";

  template <class T, class W>
  trigger_result on_element(const T&, event_time, const W& window, trigger_context& context) const {
    context.register_timer(window.max_time());
    return trigger_result::continue_;
  }

  template <class W>
  trigger_result on_event_time(event_time t, const W& window, trigger_context&) const {
    return t == window.max_time() ? trigger_result::fire : trigger_result::continue_;
  }

  template <class W>
  void start(const W& window, trigger_context& context) const {
    if (window.max_time() > context.current_watermark()) context.register_timer(window.max_time());
  }
};

}  // namespace weir::windowing

namespace weir {
using windowing::end_of_stream_trigger;
}
