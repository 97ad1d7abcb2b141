// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "weir/core/time.hpp"

namespace weir::dataflow {

/// How long nothing has come, on the processing clock: idle when that is longer than the timeout.
/// Does not count while it is paused: what is held back is not idle. A value.
///
/// Source: the idleness timer of Apache Flink's WatermarksWithIdleness and its pausable clock.
class idleness_timer {
 public:
  /// Runs from `now` on. No timeout: never idle.
  idleness_timer(std::optional<duration> timeout, clock_time now) : timeout_{timeout}, last_{now} {}

  /// Something came.
  void on_event(clock_time now) { last_ = running(now); }

  void pause(clock_time now);
  void resume(clock_time now);
  bool paused() const { return paused_at_.has_value(); }

  /// Whether nothing has come for longer than the timeout.
  bool idle(clock_time now) const;

  /// When it becomes idle if nothing comes until then; `max()`: never as things are.
  clock_time due() const;

 private:
  /// The clock without the pauses.
  clock_time running(clock_time now) const;

  std::optional<duration> timeout_;
  clock_time last_;  // without the pauses
  duration pauses_{0};
  std::optional<clock_time> paused_at_;
};

}  // namespace weir::dataflow
