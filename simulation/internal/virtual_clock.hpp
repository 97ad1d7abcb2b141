// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <limits>

#include "weir/core/clock.hpp"
#include "weir/core/time.hpp"

namespace weir::simulation::internal {

inline constexpr std::int64_t ns_per_ms = 1'000'000;

/// `length` in nanoseconds, held at the ends of the range.
constexpr std::int64_t to_ns(duration length) {
  std::int64_t ns = 0;
  if (!__builtin_mul_overflow(length.count(), ns_per_ms, &ns)) return ns;
  return length.count() < 0 ? std::numeric_limits<std::int64_t>::min()
                            : std::numeric_limits<std::int64_t>::max();
}

/// Shows the kernel's time, which is in nanoseconds, off by a constant.
class virtual_clock final : public clock {
 public:
  /// @pre `now_ns` outlives this
  virtual_clock(const std::int64_t& now_ns, duration ahead) : now_ns_{now_ns}, ahead_{ahead} {}

  clock_time now() const override {
    const std::int64_t whole = now_ns_ - floor_mod(now_ns_, ns_per_ms);
    return clock_time{whole / ns_per_ms} + ahead_;
  }

 private:
  const std::int64_t& now_ns_;
  duration ahead_;
};

}  // namespace weir::simulation::internal
