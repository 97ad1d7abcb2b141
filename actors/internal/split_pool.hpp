// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "weir/dataflow/split_progress.hpp"

namespace weir::actors::internal {

/// The splits of one source that nobody has read yet: handed out in order, to whoever asks.
/// Owned by the job's coordinator; made anew for each attempt.
class split_pool {
 public:
  /// All of `splits` but those that are finished; those that were begun from where they stood.
  split_pool(const std::vector<std::string>& splits, const dataflow::split_progress& progress) {
    for (std::uint64_t number = 0; number < splits.size(); ++number) {
      if (progress.is_finished(number)) continue;
      const auto* position = progress.position_of(number);
      left_.push_back({number, splits[number], position ? *position : std::string{},
                       position ? progress.watermark_of(number) : std::string{}});
    }
  }

  /// None: there are no more.
  std::optional<dataflow::encoded_split> take() {
    if (left_.empty()) return std::nullopt;
    auto next = std::move(left_.front());
    left_.pop_front();
    return next;
  }

 private:
  std::deque<dataflow::encoded_split> left_;
};

}  // namespace weir::actors::internal
