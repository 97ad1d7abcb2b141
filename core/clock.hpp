// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/core/time.hpp"

namespace weir {

/// Tells the processing time. The one place where a wall clock may be read is its real
/// implementation; tests and the simulator have clocks that move by hand. Any thread.
class clock {
 public:
  virtual ~clock() = default;

  /// The processing time now.
  virtual clock_time now() const = 0;
};

/// The machine's clock. Lives until the process ends.
const clock& system_clock();

}  // namespace weir
