// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/core/time.hpp"

namespace weir::windowing {

/// The window that all records of a key belong to, and that time does not end. There is one value.
struct global_window {
  /// The time that its results have.
  static constexpr event_time max_time() { return event_time::max(); }

  friend constexpr bool operator==(const global_window&, const global_window&) = default;
  friend constexpr bool operator<(const global_window&, const global_window&) { return false; }
};

}  // namespace weir::windowing

namespace weir {
using windowing::global_window;
}
