// SPDX-License-Identifier: Apache-2.0
#include "weir/actors/watermark_lag.hpp"

#include <algorithm>

namespace weir::actors {

std::optional<duration> watermark_lag(const job_monitor& job, clock_time now) {
  std::optional<duration> most;
  for (const char* metric : {"input_watermark", "watermark_made"}) {
    for (const auto& [subtask, watermark] : job.values_of(metric)) {
      if (watermark == event_time::min().ms || watermark == event_time::max().ms) continue;
      const duration lag{saturating_add(now.ms, -watermark)};
      most = std::max(most.value_or(lag), lag);
    }
  }
  return most;
}

}  // namespace weir::actors
