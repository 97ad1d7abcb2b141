// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>

#include "weir/core/ids.hpp"

namespace weir::state {

/// The elements [begin, end) of a list.
struct element_run {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;

  friend bool operator==(const element_run&, const element_run&) = default;
};

/// Deals the elements of the lists of an operator out to its subtasks, one list after the other:
/// in runs, as long as one another up to one element, beginning at a subtask that goes round, so
/// that the leftovers of many lists do not all go to the same few. A value.
///
/// Source: Flink, RoundRobinOperatorStateRepartitioner.
class even_split {
 public:
  /// @pre parallelism > 0
  explicit even_split(std::uint32_t parallelism) : parallelism_{parallelism} {}

  /// What `subtask` gets of the next list, which has `total` elements. The runs of all subtasks are
  /// all elements, each once.
  /// @pre subtask < parallelism
  element_run run_of(subtask_index subtask, std::uint64_t total) const {
    const std::uint64_t each = total / parallelism_;
    const std::uint64_t left_over = total % parallelism_;
    const std::uint64_t place =
        (std::uint64_t{subtask.value} + parallelism_ - start_) % parallelism_;
    const auto begin = place * each + std::min(place, left_over);
    return {begin, begin + each + (place < left_over ? 1 : 0)};
  }

  /// That list is dealt out: the one after it begins at the first subtask that got no leftover.
  void next(std::uint64_t total) {
    start_ = static_cast<std::uint32_t>((start_ + total % parallelism_) % parallelism_);
  }

 private:
  std::uint32_t parallelism_;
  std::uint32_t start_ = 0;
};

}  // namespace weir::state
