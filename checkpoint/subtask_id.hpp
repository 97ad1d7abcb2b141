// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <cstdint>

#include "weir/core/ids.hpp"

namespace weir::checkpoint {

/// Names one subtask of a job: the task's position in the plan, from 0, and the subtask's in it.
struct subtask_id {
  std::uint32_t task = 0;
  subtask_index index{};

  friend constexpr auto operator<=>(subtask_id, subtask_id) = default;
};

}  // namespace weir::checkpoint
