// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "weir/core/clock.hpp"
#include "weir/core/file_system.hpp"
#include "weir/core/key_groups.hpp"
#include "weir/core/log.hpp"
#include "weir/core/metrics.hpp"
#include "weir/dataflow/batch.hpp"
#include "weir/state/async_access.hpp"

namespace weir::dataflow {

class watermark_table;

/// Which incarnation of a job an operator belongs to. Ordered: a later one is greater.
struct incarnation {
  epoch_id epoch;
  attempt_id attempt;

  friend auto operator<=>(const incarnation&, const incarnation&) = default;
};

/// Where an operator runs, and what it may use there. Given at `open`; constant from then on.
/// The pointers outlive the operator.
struct operator_environment {
  std::string job;
  std::string uid;
  std::string name;
  std::uint32_t place = 0;  ///< in the chain
  subtask_index subtask;
  std::uint32_t parallelism = 1;
  std::uint32_t max_parallelism = 128;
  key_group_range groups;  ///< those that this subtask owns
  incarnation current;
  std::optional<checkpoint_id> restored;  ///< what the attempt starts from; none: a fresh start
  batch_limits limits;
  std::shared_ptr<const watermark_table> watermarks;  ///< the job's own ones; null: none

  const clock* time = nullptr;
  file_system* files = nullptr;
  metric_group* metrics = nullptr;
  log_sink* log = nullptr;
  state::access_scheduler* accesses = nullptr;  ///< null: all keyed state is in memory

  /// Has the subtask look again for work. Any thread, any time until the operator is gone; later
  /// it does nothing.
  std::function<void()> wake;
};

}  // namespace weir::dataflow

namespace weir {
using dataflow::operator_environment;
}
