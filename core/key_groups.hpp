// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "weir/core/ids.hpp"
#include "weir/core/result.hpp"

namespace weir {

/// The most key groups a job may have.
inline constexpr std::uint32_t max_key_groups = 32768;

/// The group, of `max_parallelism` ones, of the keys with this `stable_hash`. Taken from the
/// hash's high bits, so that the low ones are as good as new in the tables of one group.
/// It never changes for a key while a job lives: state is stored by key group.
/// @pre max_parallelism in [1, max_key_groups]
constexpr key_group key_group_of(std::uint64_t hash, std::uint32_t max_parallelism) {
  return {static_cast<std::uint32_t>(((hash >> 32) * max_parallelism) >> 32)};
}

/// The key groups [first, last], both included. Empty as it is made.
struct key_group_range {
  key_group first{1};
  key_group last{0};

  constexpr bool empty() const { return first > last; }
  constexpr bool contains(key_group group) const { return first <= group && group <= last; }
  constexpr std::uint32_t size() const { return empty() ? 0 : last.value - first.value + 1; }

  friend constexpr bool operator==(key_group_range, key_group_range) = default;
};

/// The key groups of subtask `index` of `parallelism`: never empty, and the ranges of all subtasks
/// together are all groups, each once.
/// @pre index < parallelism, and check_parallelism(parallelism, max_parallelism)
/// Source: Flink, KeyGroupRangeAssignment.
constexpr key_group_range range_of(subtask_index index, std::uint32_t parallelism,
                                   std::uint32_t max_parallelism) {
  const std::uint32_t i = index.value;
  return {.first = {(i * max_parallelism + parallelism - 1) / parallelism},
          .last = {((i + 1) * max_parallelism - 1) / parallelism}};
}

/// The subtask, of `parallelism` ones, whose range contains `group`.
/// @pre group < max_parallelism, and check_parallelism(parallelism, max_parallelism)
constexpr subtask_index owner_of(key_group group, std::uint32_t parallelism,
                                 std::uint32_t max_parallelism) {
  return {group.value * parallelism / max_parallelism};
}

/// The number of key groups of a job that is started with `parallelism` and does not say: a power
/// of two with room to grow by half, in [128, max_key_groups].
std::uint32_t default_max_parallelism(std::uint32_t parallelism) noexcept;

/// Errors: invalid_argument if `max_parallelism` is not in [1, max_key_groups], or `parallelism`
/// not in [1, max_parallelism].
status check_parallelism(std::uint32_t parallelism, std::uint32_t max_parallelism);

}  // namespace weir
