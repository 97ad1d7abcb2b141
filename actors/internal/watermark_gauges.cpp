// SPDX-License-Identifier: Apache-2.0
#include "weir/actors/internal/watermark_gauges.hpp"

#include <string>

namespace weir::actors::internal {

watermark_gauges::watermark_gauges(metric_group& metrics, std::size_t ports)
    : combined_{&metrics.add_gauge("input_watermark")} {
  for (std::size_t port = 0; port < ports; ++port) {
    const auto input = "input_" + std::to_string(port) + "_watermark";
    ports_.push_back({&metrics.add_gauge(input), &metrics.add_gauge(input + "_held_by_task"),
                      &metrics.add_gauge(input + "_held_by_subtask")});
  }
}

void watermark_gauges::show(const input_gate& gate, const std::vector<channel_end>& senders) {
  if (shown_ == gate.watermark_changes()) return;
  shown_ = gate.watermark_changes();
  combined_->set(gate.watermarks().combined.ms);
  for (std::size_t port = 0; port < ports_.size(); ++port) {
    const auto& gauges = ports_[port];
    gauges.watermark->set(gate.watermark_of(port).ms);
    const auto channel = gate.holding_back(port);
    gauges.held_by_task->set(channel ? std::int64_t{senders[*channel].subtask.task} : -1);
    gauges.held_by_subtask->set(channel ? std::int64_t{senders[*channel].subtask.index.value} : -1);
  }
}

}  // namespace weir::actors::internal
