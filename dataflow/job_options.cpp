// SPDX-License-Identifier: Apache-2.0
#include "weir/dataflow/job_options.hpp"

namespace weir::dataflow {

status job_options::validate() const {
  const auto wrong = [](std::string text) {
    return error{errc::invalid_argument, std::move(text)};
  };
  if (parallelism == 0) return wrong("parallelism 0: a job needs at least 1");
  if (checkpoint_interval != duration::zero() && checkpoint_interval < duration{10}) {
    return wrong("the checkpoint interval must be 0 (none) or at least 10 ms");
  }
  if (checkpoint_interval != duration::zero() && checkpoint_folder.empty()) {
    return wrong("checkpoints need a folder");
  }
  if (checkpoint_timeout < duration{10}) {
    return wrong("the checkpoint timeout must be at least 10 ms");
  }
  if (retained_checkpoints == 0) return wrong("at least one checkpoint must be retained");
  if (restart_delay < duration::zero()) return wrong("the restart delay must not be negative");
  if (limits.rows == 0 || limits.bytes == 0) return wrong("a batch must have room for a record");
  if (channel_credit == 0) return wrong("the credit of a channel must be at least 1");
  if (subtask_credit == 0) return wrong("the credit of a subtask must be at least 1");
  if (max_linger <= duration::zero()) return wrong("the linger time must be positive");
  return {};
}

}  // namespace weir::dataflow
