// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <compare>
#include <cstdint>
#include <limits>

namespace weir {

/// A length of time, in milliseconds.
using duration = std::chrono::milliseconds;

/// A point in event time: milliseconds since 1970-01-01T00:00:00Z, negative before.
/// `min()` means "no timestamp" on a record, and is below every watermark.
struct event_time {
  std::int64_t ms = 0;

  static constexpr event_time min() { return {std::numeric_limits<std::int64_t>::min()}; }
  static constexpr event_time max() { return {std::numeric_limits<std::int64_t>::max()}; }
  friend constexpr auto operator<=>(event_time, event_time) = default;
};

/// A point on the processing clock: milliseconds since 1970-01-01T00:00:00Z.
struct clock_time {
  std::int64_t ms = 0;

  static constexpr clock_time min() { return {std::numeric_limits<std::int64_t>::min()}; }
  static constexpr clock_time max() { return {std::numeric_limits<std::int64_t>::max()}; }
  friend constexpr auto operator<=>(clock_time, clock_time) = default;
};

/// The event time `ms` milliseconds after the epoch.
constexpr event_time at(std::int64_t ms) { return {ms}; }

/// a + b, held at the ends of the range instead of wrapping.
constexpr std::int64_t saturating_add(std::int64_t a, std::int64_t b) {
  std::int64_t sum = 0;
  if (!__builtin_add_overflow(a, b, &sum)) return sum;
  return b > 0 ? std::numeric_limits<std::int64_t>::max()
               : std::numeric_limits<std::int64_t>::min();
}

constexpr event_time operator+(event_time t, duration d) {
  return {saturating_add(t.ms, d.count())};
}
constexpr clock_time operator+(clock_time t, duration d) {
  return {saturating_add(t.ms, d.count())};
}

/// a − floor(a / b) · b: in [0, b) for b > 0, also for negative a.
constexpr std::int64_t floor_mod(std::int64_t a, std::int64_t b) {
  const std::int64_t rest = a % b;
  return rest < 0 ? rest + b : rest;
}

}  // namespace weir
