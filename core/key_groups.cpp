// SPDX-License-Identifier: Apache-2.0
#include "weir/core/key_groups.hpp"

#include <algorithm>
#include <bit>
#include <string>

namespace weir {

std::uint32_t default_max_parallelism(std::uint32_t parallelism) noexcept {
  const std::uint64_t room = std::uint64_t{parallelism} + parallelism / 2;
  return static_cast<std::uint32_t>(
      std::clamp<std::uint64_t>(std::bit_ceil(room), 128, max_key_groups));
}

status check_parallelism(std::uint32_t parallelism, std::uint32_t max_parallelism) {
  if (max_parallelism < 1 || max_parallelism > max_key_groups) {
    return error{errc::invalid_argument, "max parallelism " + std::to_string(max_parallelism) +
                                             " (with parallelism " + std::to_string(parallelism) +
                                             "): choose one of 1 to " +
                                             std::to_string(max_key_groups)};
  }
  if (parallelism < 1 || parallelism > max_parallelism) {
    return error{errc::invalid_argument,
                 "parallelism " + std::to_string(parallelism) + " with max parallelism " +
                     std::to_string(max_parallelism) + ": choose one of 1 to the max parallelism"};
  }
  return {};
}

}  // namespace weir
