// SPDX-License-Identifier: Apache-2.0
#include "weir/windowing/window_time.hpp"

#include <utility>

namespace weir::windowing {

void window_time::open(const dataflow::operator_environment& environment) {
  floors_.open(environment.groups, environment.max_parallelism);
  timers_.emplace(environment.place);
}

status window_time::restore(const state::restored_chunks& chunks) {
  auto found = floors_.restore(chunks);
  if (!found) return std::move(found).failure();
  if (*found) restored_ = watermark_ = floors_.lowest();
  floors_.reached(watermark_);
  return {};
}

void window_time::opened(const time_window& window) {
  const event_time end = cleanup_time(window);
  if (end == event_time::max()) return;  // it stays open
  timers_->register_timer(end, {window, dataflow::signal_kind::purge});
}

bool window_time::advance(event_time t) {
  watermark_ = t;
  if (!timers_->needs_round_trip(t)) return false;
  timers_->begin_advance(t);
  return true;
}

}  // namespace weir::windowing
