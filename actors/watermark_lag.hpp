// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "weir/actors/job_monitor.hpp"
#include "weir/core/time.hpp"

namespace weir::actors {

/// How far event time is behind `now` in the subtask of the job that is furthest behind, by the
/// watermarks that come in and those that are made. It grows while nothing comes. None: no subtask
/// has had a watermark yet, or all input has ended. Any thread.
std::optional<duration> watermark_lag(const job_monitor& job, clock_time now);

}  // namespace weir::actors

namespace weir {
using actors::watermark_lag;
}
