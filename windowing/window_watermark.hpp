// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>

#include "weir/dataflow/key_group_watermarks.hpp"
#include "weir/dataflow/operator_environment.hpp"

namespace weir::windowing {

/// How far event time is for the windows of one operator: its watermark, and the floors of its key
/// groups. Owned and used by one subtask.
class window_watermark {
 public:
  /// To be called once, before all else.
  void open(const dataflow::operator_environment& environment) {
    floors_.open(environment.groups, environment.max_parallelism);
  }

  /// Goes on from the lowest watermark of the own key groups. Errors: corrupt for damaged bytes.
  status restore(const state::restored_chunks& chunks);
  void write(state::snapshot_stream& out) const { floors_.write(watermark_, out); }

  /// What was restored; none if nothing was.
  std::optional<event_time> restored() const { return restored_; }

  event_time watermark() const { return watermark_; }
  void advance(event_time t) { watermark_ = t; }
  /// All that the watermark made due has been done.
  void advanced() { floors_.reached(watermark_); }

  /// Whether key groups differ in their watermarks.
  bool has_floors() const noexcept { return floors_.any(); }
  /// The watermark as the keys with this hash have seen it.
  event_time watermark_of(std::uint64_t hash) const {
    return has_floors() ? std::max(watermark_, floors_.floor_of(hash)) : watermark_;
  }
  /// How far the keys with this hash were when the snapshot was taken. @pre has_floors()
  event_time floor_of(std::uint64_t hash) const { return floors_.floor_of(hash); }

 private:
  event_time watermark_ = event_time::min();
  std::optional<event_time> restored_;
  dataflow::key_group_watermarks floors_;
};

}  // namespace weir::windowing
