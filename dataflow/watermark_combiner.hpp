// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "weir/dataflow/watermark_declaration.hpp"

namespace weir::dataflow {

/// Combines one custom watermark of all channels of one input: the smallest or the largest of the
/// newest values of those that have sent one. Not monotone. Truth values are 0 and 1: all_of is the
/// smallest, any_of the largest.
/// Owned and used by one subtask. Not part of checkpoints.
///
/// Source: the combiners of Apache Flink's DataStream V2, with one position for each channel of the
/// input, whichever edge it belongs to.
class watermark_combiner {
 public:
  watermark_combiner(const watermark_declaration& declaration, std::size_t channels)
      : newest_(channels),
        missing_{channels},
        largest_{declaration.largest},
        wait_for_all_{declaration.wait_for_all} {}

  /// Takes the value that came from `channel`; gives what is to be handed on now, if anything.
  /// @pre channel < channels
  std::optional<std::int64_t> on_value(std::size_t channel, std::int64_t value);

 private:
  std::vector<std::optional<std::int64_t>> newest_;
  std::optional<std::int64_t> handed_on_;
  std::size_t missing_;  ///< channels that have not sent yet
  bool largest_;
  bool wait_for_all_;
};

}  // namespace weir::dataflow
