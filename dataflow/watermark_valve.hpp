// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <vector>

#include "weir/dataflow/control.hpp"

namespace weir::dataflow {

/// Combines the watermarks and statuses of the channels of one input into one: the smallest
/// watermark of those channels that count. An idle channel does not count, nor does one that came
/// back behind what was put out, until it has caught up. What is put out never decreases. When the
/// last channel goes idle, the largest watermark of all is put out first, whatever the order.
/// A channel has ended with its end of input or with the watermark `event_time::max()`: it is not
/// waited for any more. That watermark is put out when all have ended, and not before: what is
/// idle may still come back.
/// Owned and used by one subtask.
///
/// Source: the rules of Apache Flink's StatusWatermarkValve, with the order of idle channels made
/// irrelevant.
class watermark_valve {
 public:
  /// All channels start active at `floor`, which counts as put out already.
  explicit watermark_valve(std::size_t channels, event_time floor = event_time::min());

  /// Each returns what to put out now, in order: at most a watermark and a status. Valid until
  /// the next call. @pre channel < channels
  const std::vector<control>& on_watermark(std::size_t channel, event_time time);
  const std::vector<control>& on_idle(std::size_t channel);
  const std::vector<control>& on_active(std::size_t channel);
  const std::vector<control>& on_end(std::size_t channel);

  /// The watermark that was put out last.
  event_time current() const { return last_; }
  bool idle() const { return idle_; }

  /// The channel that all wait for: of those that count the one with the smallest watermark, the
  /// first of several. None: no channel counts.
  std::optional<std::size_t> holding_back() const;

 private:
  struct channel {
    event_time watermark = event_time::min();
    bool active = true;
    bool aligned = true;
    bool ended = false;
  };

  void emit_minimum();
  bool go_idle();
  void emit(event_time time);

  std::vector<channel> channels_;
  std::vector<control> out_;
  event_time last_;
  bool idle_ = false;
};

/// Combines the two inputs of an operator, each behind a valve of its own, by the same rule: the
/// smaller of the watermarks of the inputs that are neither idle nor ended; the larger, then idle,
/// when none is left and not both have ended.
class two_input_watermarks {
 public:
  two_input_watermarks() = default;
  /// Both inputs start active, at the watermarks from which their valves start; `combined` counts
  /// as put out already.
  two_input_watermarks(event_time combined, event_time first, event_time second);

  /// @pre input is 0 or 1; `c` is a watermark or a status that the input's valve put out
  std::vector<control> on_control(std::size_t input, control c);

  /// The watermark that was put out last.
  event_time current() const { return last_; }

 private:
  struct input_state {
    event_time watermark = event_time::min();
    bool idle = false;
    bool ended = false;
  };

  event_time combine();

  std::array<input_state, 2> inputs_;
  event_time last_ = event_time::min();
  bool idle_ = false;
};

}  // namespace weir::dataflow
