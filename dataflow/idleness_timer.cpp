// SPDX-License-Identifier: Apache-2.0
#include "weir/dataflow/idleness_timer.hpp"

namespace weir::dataflow {

clock_time idleness_timer::running(clock_time now) const {
  return paused_at_.value_or(now) + -pauses_;
}

void idleness_timer::pause(clock_time now) {
  if (!paused_at_) paused_at_ = now;
}

void idleness_timer::resume(clock_time now) {
  if (!paused_at_) return;
  // A clock that was set back meanwhile must not count the pause.
  if (now > *paused_at_) pauses_ += duration{now.ms - paused_at_->ms};
  paused_at_.reset();
}

bool idleness_timer::idle(clock_time now) const {
  return timeout_ && running(now) > last_ + *timeout_;
}

clock_time idleness_timer::due() const {
  if (!timeout_ || paused_at_) return clock_time::max();
  return last_ + pauses_ + *timeout_ + duration{1};
}

}  // namespace weir::dataflow
