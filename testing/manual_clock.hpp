// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>

#include "weir/core/clock.hpp"

namespace weir::testing {

/// A clock that moves by hand. Moved by one thread, read by any.
class manual_clock final : public clock {
 public:
  explicit manual_clock(clock_time start = {0}) : ms_{start.ms} {}

  clock_time now() const override { return {ms_.load(std::memory_order_acquire)}; }

  /// Moves the clock on by `by`. A negative `by` leaves it where it is.
  void advance(duration by) { set(now() + by); }

  /// Moves the clock on to `time`. A `time` before now leaves it where it is.
  void set(clock_time time) { set_back(std::max(now(), time)); }

  /// Puts the clock to `time`, be it before now: what a machine's clock does when it is corrected.
  void set_back(clock_time time) { ms_.store(time.ms, std::memory_order_release); }

 private:
  std::atomic<std::int64_t> ms_;
};

}  // namespace weir::testing
