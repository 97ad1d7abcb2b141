// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "weir/checkpoint/manifest.hpp"
#include "weir/checkpoint/subtask_id.hpp"
#include "weir/core/ids.hpp"

namespace weir::checkpoint {

/// Make durable that `id` is used (`checkpoint_store::record_last_id`), then say `id_recorded` or
/// `id_record_failed`.
struct record_id {
  checkpoint_id id;

  friend bool operator==(const record_id&, const record_id&) = default;
};

/// Send the trigger of `id` to these subtasks.
struct trigger_checkpoint {
  checkpoint_id id;
  std::vector<subtask_id> targets;

  friend bool operator==(const trigger_checkpoint&, const trigger_checkpoint&) = default;
};

/// Publish it (`checkpoint_store::publish`), then say `published` or `publish_failed`.
struct publish_manifest {
  manifest content;

  friend bool operator==(const publish_manifest&, const publish_manifest&) = default;
};

/// Tell all subtasks that `id` is complete, and with it all earlier ones.
struct notify_complete {
  checkpoint_id id;

  friend bool operator==(const notify_complete&, const notify_complete&) = default;
};

/// Tell all subtasks that there will be no `id`.
struct notify_aborted {
  checkpoint_id id;
  std::string reason;

  friend bool operator==(const notify_aborted&, const notify_aborted&) = default;
};

/// Remove what was written for `id` (`checkpoint_store::discard`). If that fails the job goes on:
/// the next retention removes it.
struct discard_files {
  checkpoint_id id;

  friend bool operator==(const discard_files&, const discard_files&) = default;
};

/// Keep the newest `count` (`checkpoint_store::retain`). If that fails the job goes on.
struct retain_checkpoints {
  std::uint32_t count = 1;

  friend bool operator==(const retain_checkpoints&, const retain_checkpoints&) = default;
};

/// The attempt has failed: the restart policy decides.
struct fail_job {
  std::string reason;

  friend bool operator==(const fail_job&, const fail_job&) = default;
};

/// The folder is not ours any more, or what it holds is not known: no notice, no commit. Stop, or
/// open the folder again.
struct withdraw {
  std::string reason;

  friend bool operator==(const withdraw&, const withdraw&) = default;
};

/// All data has been processed, and the checkpoint that says so is complete.
struct end_job {
  checkpoint_id id;

  friend bool operator==(const end_job&, const end_job&) = default;
};

using coordinator_action =
    std::variant<record_id, trigger_checkpoint, publish_manifest, notify_complete, notify_aborted,
                 discard_files, retain_checkpoints, fail_job, withdraw, end_job>;

/// What to do now, in order.
using coordinator_actions = std::vector<coordinator_action>;

}  // namespace weir::checkpoint
