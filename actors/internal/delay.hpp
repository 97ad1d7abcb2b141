// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <chrono>

#include "weir/core/time.hpp"

namespace weir::actors::internal {

/// From `now` to `at`: not negative, and at most 30 days, so that it can be counted in nanoseconds.
/// Who is called early by that looks at the clock and waits again.
inline std::chrono::milliseconds delay_until(clock_time at, clock_time now) {
  constexpr std::chrono::milliseconds most = std::chrono::hours{24 * 30};
  const auto wait = std::chrono::milliseconds{saturating_add(at.ms, -now.ms)};
  return std::clamp(wait, std::chrono::milliseconds::zero(), most);
}

}  // namespace weir::actors::internal
