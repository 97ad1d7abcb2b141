// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <cstdint>

namespace weir {

/// A number that cannot be mistaken for another kind of number.
template <class Tag, class Number = std::uint64_t>
struct strong_id {
  Number value = 0;

  friend constexpr auto operator<=>(strong_id, strong_id) = default;
};

/// Numbers the checkpoints of a job; 0 means none. Only grows, across restarts too.
using checkpoint_id = strong_id<struct checkpoint_id_tag>;

/// Numbers the coordinators of a checkpoint folder; only grows. A lower epoch is fenced.
using epoch_id = strong_id<struct epoch_id_tag>;

/// Numbers the deployments of a job within one epoch, from 1. A message of an older one is dropped.
using attempt_id = strong_id<struct attempt_id_tag, std::uint32_t>;

/// Position of an operator in its graph, from 0.
using node_index = strong_id<struct node_index_tag, std::uint32_t>;

/// Which of the subtasks of a task, in [0, parallelism).
using subtask_index = strong_id<struct subtask_index_tag, std::uint32_t>;

/// Which of the `max_parallelism` groups of keys.
using key_group = strong_id<struct key_group_tag, std::uint32_t>;

}  // namespace weir
