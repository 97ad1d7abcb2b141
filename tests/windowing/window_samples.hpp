// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "windowing/window_model.hpp"

namespace weir::testing {

/// What random programs put in windows. Made one of two, `seen` tells of all.
struct sample {
  std::int64_t key;
  int value;
  std::int64_t gap;
  std::vector<int> seen;
};

/// What comes out.
struct window_values {
  std::int64_t key;
  std::int64_t start;
  std::int64_t end;
  std::vector<int> values;
};

inline constexpr const char* late_samples = "late";

}  // namespace weir::testing
