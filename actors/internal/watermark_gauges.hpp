// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "weir/actors/internal/input_gate.hpp"
#include "weir/core/metrics.hpp"

namespace weir::actors::internal {

/// Shows where the watermarks of a subtask stand, and who holds them back. Owned and used by the
/// subtask.
class watermark_gauges {
 public:
  /// `metrics` outlives this object.
  watermark_gauges(metric_group& metrics, std::size_t ports);

  /// `senders`: of each channel of the gate.
  void show(const input_gate& gate, const std::vector<channel_end>& senders);

 private:
  struct port_gauges {
    gauge* watermark;
    gauge* held_by_task;
    gauge* held_by_subtask;
  };

  gauge* combined_;
  std::vector<port_gauges> ports_;
  std::uint64_t shown_ = std::numeric_limits<std::uint64_t>::max();
};

}  // namespace weir::actors::internal
