// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>

#include "weir/core/result.hpp"
#include "weir/core/time.hpp"

namespace weir::checkpoint {

/// When checkpoints are made and kept. A value.
struct checkpoint_config {
  /// From the start of one to the start of the next; at least 10 ms. None: only the final one of
  /// a job whose input ends.
  std::optional<duration> interval;

  /// From the trigger to the last acknowledgement; at least 10 ms. What takes longer is aborted.
  duration timeout = std::chrono::minutes{10};

  /// From the end of one to the start of the next, at least; in [0, 365 days].
  duration min_pause{0};

  /// How many in a row may fail; one more, and the job does.
  std::uint32_t tolerable_failures = 0;

  /// How many complete ones are kept; at least 1.
  std::uint32_t retained = 1;

  /// Errors: invalid_argument, naming the option and its bounds.
  status validate() const;
};

}  // namespace weir::checkpoint
