// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>

#include "weir/core/time.hpp"

namespace weir::windowing {

/// A stretch of event time: [start, end).
struct time_window {
  event_time start;
  event_time end;

  /// The last time that belongs to the window: results have it, and a watermark that reaches it
  /// ends the window.
  constexpr event_time max_time() const { return {end.ms - 1}; }

  friend constexpr bool operator==(const time_window&, const time_window&) = default;

  /// By end, then by start: the order in which windows become complete.
  friend constexpr bool operator<(const time_window& a, const time_window& b) {
    return a.end != b.end ? a.end < b.end : a.start < b.start;
  }
};

/// Whether two windows have a time in common, or one begins where the other ends: sessions whose
/// gap just closes are one.
constexpr bool intersects(const time_window& a, const time_window& b) {
  return a.start <= b.end && b.start <= a.end;
}

/// The smallest window that holds both.
constexpr time_window cover(const time_window& a, const time_window& b) {
  return {std::min(a.start, b.start), std::max(a.end, b.end)};
}

/// How long after the start of its window `t` lies, when windows of `size` follow each other and
/// one of them starts at `offset`. In [0, size), before 1970 as well. @pre size > 0
constexpr std::int64_t time_in_window(event_time t, duration offset, duration size) {
  const std::int64_t s = size.count();
  return floor_mod(floor_mod(t.ms, s) - floor_mod(offset.count(), s), s);
}

/// Where the window that `t` belongs to starts. @pre size > 0
constexpr event_time window_start(event_time t, duration offset, duration size) {
  return t + duration{-time_in_window(t, offset, size)};
}

}  // namespace weir::windowing

namespace weir {
using windowing::time_window;
}
