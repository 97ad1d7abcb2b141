// SPDX-License-Identifier: Apache-2.0
#include "weir/dataflow/watermark_combiner.hpp"

#include <algorithm>

namespace weir::dataflow {

std::optional<std::int64_t> watermark_combiner::on_value(std::size_t channel, std::int64_t value) {
  if (!newest_[channel]) --missing_;
  newest_[channel] = value;
  if (wait_for_all_ && missing_ > 0) return std::nullopt;
  std::int64_t combined = value;
  for (const auto& newest : newest_) {
    if (!newest) continue;
    combined = largest_ ? std::max(combined, *newest) : std::min(combined, *newest);
  }
  if (handed_on_ == combined) return std::nullopt;
  handed_on_ = combined;
  return combined;
}

}  // namespace weir::dataflow
