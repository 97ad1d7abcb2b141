// SPDX-License-Identifier: Apache-2.0
#include "weir/dataflow/split_watermarks.hpp"

#include <algorithm>

namespace weir::dataflow {

void split_watermarks::open(std::uint64_t split, event_time watermark) {
  splits_.insert_or_assign(split, split_state{watermark, false});
}

void split_watermarks::set(std::uint64_t split, event_time watermark) {
  auto& state = splits_.at(split);
  state.idle = false;
  state.watermark = std::max(state.watermark, watermark);
}

void split_watermarks::combine() {
  idle_ = false;
  if (splits_.empty()) return;
  event_time smallest = event_time::max();
  event_time largest = event_time::min();
  idle_ = true;
  for (const auto& [split, state] : splits_) {
    largest = std::max(largest, state.watermark);
    if (state.idle) continue;
    idle_ = false;
    smallest = std::min(smallest, state.watermark);
  }
  combined_ = std::max(combined_, idle_ ? largest : smallest);
}

const std::vector<control>& split_watermarks::take_output() {
  out_.clear();
  if (told_idle_ && (!idle_ || combined_ > last_)) {
    told_idle_ = false;
    out_.push_back(control::active());
  }
  if (combined_ > last_) {
    last_ = combined_;
    out_.push_back(control::watermark(combined_));
  }
  if (idle_ && !told_idle_) {
    told_idle_ = true;
    out_.push_back(control::idle());
  }
  return out_;
}

std::optional<event_time> split_watermarks::smallest() const {
  const auto split = holding_back();
  return split ? std::optional{splits_.at(*split).watermark} : std::nullopt;
}

std::optional<std::uint64_t> split_watermarks::holding_back() const {
  const split_state* smallest = nullptr;
  std::optional<std::uint64_t> found;
  for (const auto& [split, state] : splits_) {
    if (state.idle || (smallest != nullptr && state.watermark >= smallest->watermark)) continue;
    smallest = &state;
    found = split;
  }
  return found;
}

}  // namespace weir::dataflow
