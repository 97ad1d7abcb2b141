// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <limits>

#include "weir/core/key_groups.hpp"

namespace weir::state {

/// The hashes [first, last], both included.
struct hash_range {
  std::uint64_t first = 0;
  std::uint64_t last = std::numeric_limits<std::uint64_t>::max();

  friend constexpr bool operator==(hash_range, hash_range) = default;
};

/// The hashes of the keys of `groups`.
/// @pre !groups.empty(), groups.last < max_parallelism <= max_key_groups
constexpr hash_range hashes_of(key_group_range groups, std::uint32_t max_parallelism) {
  // The inverse of `key_group_of`: the least upper half of a hash that is in `group` or behind it.
  const auto first_half = [&](std::uint64_t group) {
    return ((group << 32) + max_parallelism - 1) / max_parallelism;
  };
  return {.first = first_half(groups.first.value) << 32,
          .last = (first_half(groups.last.value + 1ull) << 32) - 1};
}

}  // namespace weir::state
