// SPDX-License-Identifier: Apache-2.0
#include "weir/dataflow/watermark_valve.hpp"

#include <algorithm>

namespace weir::dataflow {

watermark_valve::watermark_valve(std::size_t channels, event_time floor)
    : channels_(channels, channel{floor}), last_{floor} {}

void watermark_valve::emit(event_time time) {
  if (time <= last_) return;
  last_ = time;
  out_.push_back(control::watermark(time));
}

void watermark_valve::emit_minimum() {
  event_time smallest = event_time::max();
  bool any = false;
  bool all_ended = true;
  for (const auto& c : channels_) {
    all_ended &= c.ended;
    if (c.ended || !c.aligned) continue;
    any = true;
    smallest = std::min(smallest, c.watermark);
  }
  if (any || all_ended) emit(smallest);
}

/// Puts out the largest watermark and the idleness, if there is nobody left to wait for.
bool watermark_valve::go_idle() {
  event_time largest = event_time::min();
  bool all_ended = true;
  for (const auto& c : channels_) {
    if (c.active && !c.ended) return false;
    all_ended &= c.ended;
    largest = std::max(largest, c.watermark);
  }
  if (all_ended) return false;
  emit(largest);
  idle_ = true;
  out_.push_back(control::idle());
  return true;
}

const std::vector<control>& watermark_valve::on_watermark(std::size_t index, event_time time) {
  if (time == event_time::max()) return on_end(index);
  out_.clear();
  auto& c = channels_[index];
  if (c.ended || !c.active || time <= c.watermark) return out_;
  c.watermark = time;
  if (!c.aligned && time >= last_) c.aligned = true;
  emit_minimum();
  return out_;
}

const std::vector<control>& watermark_valve::on_idle(std::size_t index) {
  out_.clear();
  auto& c = channels_[index];
  if (c.ended || !c.active) return out_;
  c.active = false;
  c.aligned = false;
  if (!go_idle()) emit_minimum();
  return out_;
}

const std::vector<control>& watermark_valve::on_active(std::size_t index) {
  out_.clear();
  auto& c = channels_[index];
  if (c.ended || c.active) return out_;
  c.active = true;
  if (c.watermark >= last_) c.aligned = true;
  if (idle_) {
    idle_ = false;
    out_.push_back(control::active());
  }
  return out_;
}

const std::vector<control>& watermark_valve::on_end(std::size_t index) {
  out_.clear();
  auto& c = channels_[index];
  if (c.ended) return out_;
  c.ended = true;
  const bool all_ended =
      std::all_of(channels_.begin(), channels_.end(), [](const auto& x) { return x.ended; });
  if (idle_ && !all_ended) return out_;
  if (idle_) {
    idle_ = false;
    out_.push_back(control::active());
  }
  if (!go_idle()) emit_minimum();
  return out_;
}

std::optional<std::size_t> watermark_valve::holding_back() const {
  std::optional<std::size_t> found;
  for (std::size_t i = 0; i < channels_.size(); ++i) {
    const auto& c = channels_[i];
    if (c.ended || !c.active || !c.aligned) continue;
    if (!found || c.watermark < channels_[*found].watermark) found = i;
  }
  return found;
}

two_input_watermarks::two_input_watermarks(event_time combined, event_time first, event_time second)
    : last_{combined} {
  inputs_[0] = {first, false, first == event_time::max()};
  inputs_[1] = {second, false, second == event_time::max()};
}

std::vector<control> two_input_watermarks::on_control(std::size_t input, control c) {
  auto& changed = inputs_[input];
  switch (c.kind()) {
    case control_kind::watermark:
      if (c.time() == event_time::max()) {
        changed.ended = true;
      } else {
        changed.watermark = std::max(changed.watermark, c.time());
      }
      break;
    case control_kind::idle: changed.idle = true; break;
    case control_kind::active: changed.idle = false; break;
    case control_kind::barrier:
    case control_kind::end_of_input:
    case control_kind::input_ended:
    case control_kind::custom: return {c};
  }
  const bool was_idle = idle_;
  const auto combined = combine();
  std::vector<control> out;
  if (was_idle && !idle_) out.push_back(control::active());
  if (combined > last_) {
    last_ = combined;
    out.push_back(control::watermark(combined));
  }
  if (idle_ && !was_idle) out.push_back(control::idle());
  return out;
}

event_time two_input_watermarks::combine() {
  const auto& [a, b] = inputs_;
  idle_ = false;
  if (a.ended && b.ended) return event_time::max();
  const bool a_counts = !a.ended && !a.idle;
  const bool b_counts = !b.ended && !b.idle;
  if (a_counts && b_counts) return std::min(a.watermark, b.watermark);
  if (a_counts) return a.watermark;
  if (b_counts) return b.watermark;
  idle_ = true;
  return std::max(a.watermark, b.watermark);
}

}  // namespace weir::dataflow
