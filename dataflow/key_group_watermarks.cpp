// SPDX-License-Identifier: Apache-2.0
#include "weir/dataflow/key_group_watermarks.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "weir/core/codec.hpp"

namespace weir::dataflow {

result<bool> key_group_watermarks::restore(const state::restored_chunks& chunks) {
  for (const auto& chunk : chunks) {
    if (chunk.section != section || !chunk.group || !groups_.contains(*chunk.group)) continue;
    auto stored = decode<event_time>(chunk.bytes);
    if (!stored) return std::move(stored).failure().within("restoring a watermark");
    if (floors_.empty()) floors_.resize(groups_.size(), event_time::min());
    floors_[chunk.group->value - groups_.first.value] = *stored;
  }
  return !floors_.empty();
}

event_time key_group_watermarks::lowest() const {
  return any() ? *std::min_element(floors_.begin(), floors_.end()) : event_time::min();
}

void key_group_watermarks::reached(event_time watermark) {
  if (std::all_of(floors_.begin(), floors_.end(), [&](auto f) { return f <= watermark; }))
    floors_.clear();
}

void key_group_watermarks::write(event_time watermark, state::snapshot_stream& out) const {
  for (std::uint32_t i = 0; i < groups_.size(); ++i) {
    const auto seen = any() ? std::max(watermark, floors_[i]) : watermark;
    out.put({std::string{section}, key_group{groups_.first.value + i}, encode(seen), {}});
  }
}

}  // namespace weir::dataflow
