// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include "weir/core/result.hpp"
#include "weir/core/time.hpp"

namespace weir::checkpoint {

/// Decides whether and when a failed job starts again. A value; owned by the job's coordinator.
/// Source: the restart strategies of Flink.
class restart_policy {
 public:
  /// The first failure is final.
  static restart_policy none() { return {0, duration{0}}; }

  /// `attempts` restarts, each `delay` after the failure; the failure after the last is final.
  /// Errors: invalid_argument if the delay is negative.
  static result<restart_policy> fixed_delay(std::uint32_t attempts, duration delay);

  /// Takes a failure. When to start again, or nothing: then the job has failed for good.
  std::optional<clock_time> on_failure(clock_time now);

  /// How many restarts are left.
  std::uint32_t attempts_left() const noexcept { return attempts_left_; }

 private:
  restart_policy(std::uint32_t attempts, duration delay)
      : attempts_left_{attempts}, delay_{delay} {}

  std::uint32_t attempts_left_;
  duration delay_;
};

}  // namespace weir::checkpoint
