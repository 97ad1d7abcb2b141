// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "weir/dataflow/control.hpp"

namespace weir::dataflow {

/// Combines the watermarks of the splits that one subtask reads at a time into those of the
/// subtask: the smallest of the active splits, which never decreases; when all are idle the largest
/// of all, then idle. A split that is closed does not count any more, and puts nothing out by that.
/// Owned and used by one subtask.
///
/// Source: the rules of Apache Flink's WatermarkOutputMultiplexer.
class split_watermarks {
 public:
  /// `floor` counts as put out already.
  explicit split_watermarks(event_time floor = event_time::min())
      : combined_{floor}, last_{floor} {}

  /// A further split, active, at `watermark`. @pre it is not open
  void open(std::uint64_t split, event_time watermark = event_time::min());
  void close(std::uint64_t split) { splits_.erase(split); }

  /// A watermark of a split, which makes it active. A smaller one than before changes nothing else.
  /// @pre the split is open
  void set(std::uint64_t split, event_time watermark);
  void set_idle(std::uint64_t split, bool idle) { splits_.at(split).idle = idle; }
  bool idle(std::uint64_t split) const { return splits_.at(split).idle; }

  /// Takes the splits as they are now into account.
  void combine();

  /// What is to be put out since the last call, in order: at most a status, a watermark, and a
  /// status. Valid until the next call.
  const std::vector<control>& take_output();

  /// Whether `take_output` would give something; a status.
  bool has_output() const { return combined_ > last_ || status_changed(); }
  bool status_changed() const { return idle_ != told_idle_; }

  /// The combined watermark, be it put out or not.
  event_time current() const { return combined_; }
  /// The watermark that was put out last.
  event_time last() const { return last_; }
  bool all_idle() const { return idle_; }

  /// The active split with the smallest watermark, the first of several, and that watermark; none:
  /// there is none.
  std::optional<std::uint64_t> holding_back() const;
  std::optional<event_time> smallest() const;

 private:
  struct split_state {
    event_time watermark;
    bool idle = false;
  };

  std::map<std::uint64_t, split_state> splits_;
  std::vector<control> out_;
  event_time combined_;
  event_time last_;
  bool idle_ = false;
  bool told_idle_ = false;
};

}  // namespace weir::dataflow
