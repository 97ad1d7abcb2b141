// SPDX-License-Identifier: Apache-2.0
#include "weir/windowing/window_time.hpp"

namespace weir::windowing {

void window_time::open(const dataflow::operator_environment& environment) {
  window_watermark::open(environment);
  timers_.emplace(environment.place);
}

void window_time::opened(const time_window& window) {
  const event_time end = cleanup_time(window);
  if (end == event_time::max()) return;  // it stays open
  timers_->register_timer(end, {window, dataflow::signal_kind::purge});
}

bool window_time::advance(event_time t) {
  window_watermark::advance(t);
  if (!timers_->needs_round_trip(t)) return false;
  timers_->begin_advance(t);
  return true;
}

}  // namespace weir::windowing
