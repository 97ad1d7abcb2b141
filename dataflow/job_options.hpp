// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "weir/core/result.hpp"
#include "weir/core/time.hpp"
#include "weir/dataflow/batch.hpp"

namespace weir::dataflow {

/// What to do at the start with what the checkpoint folder holds.
enum class start_mode {
  restore,  ///< Go on from the newest complete checkpoint, or start fresh if there is none.
  fresh     ///< Start from the beginning; an error if the folder holds a checkpoint.
};

/// What to do when the newest checkpoint is damaged.
enum class damaged_checkpoint {
  stop,     ///< Do not start, and name the file.
  previous  ///< Take the one before; what sinks committed since may appear twice.
};

/// How a job runs. Set before it starts; constant from then on.
struct job_options {
  // Behaviour.
  std::uint32_t parallelism = 1;
  std::string checkpoint_folder;    ///< empty: no checkpoints
  duration checkpoint_interval{0};  ///< 0: only the final one
  duration checkpoint_timeout{600'000};
  std::uint32_t tolerable_failed_checkpoints = 0;
  std::uint32_t retained_checkpoints = 1;
  start_mode start = start_mode::restore;
  damaged_checkpoint on_damaged = damaged_checkpoint::stop;
  std::uint32_t restart_attempts = 0;  ///< how often a failed job starts again; 0: never
  duration restart_delay{1'000};
  bool allow_non_restored_state = false;

  // Performance.
  batch_limits limits;
  std::uint32_t channel_credit = 4;    ///< batches per channel, where the budget allows it
  std::uint32_t subtask_credit = 128;  ///< batches over all channels of one subtask
  duration max_linger{100};            ///< how long a record may wait in a batch

  /// Errors: invalid_argument naming the option.
  status validate() const;
};

}  // namespace weir::dataflow
