// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "weir/checkpoint/checkpoint_config.hpp"
#include "weir/checkpoint/coordinator_action.hpp"
#include "weir/checkpoint/restore_plan.hpp"
#include "weir/checkpoint/state_file_writer.hpp"

namespace weir::checkpoint {

/// One attempt of a job, as its checkpoints see it.
struct checkpointed_job {
  std::string job_name{};
  std::string graph_fingerprint{};
  epoch_id epoch{};
  attempt_id attempt{};
  std::vector<operator_layout> operators{};
  std::vector<subtask_id> subtasks{};  ///< all that acknowledge; not empty
  std::vector<subtask_id> targets{};   ///< those that get the trigger; not empty
};

/// A subtask has stored its part of checkpoint `id`.
struct acknowledgement {
  checkpoint_id id{};
  subtask_id subtask{};
  bool finished = false;  ///< it had passed the end of its data when it took the snapshot
  std::vector<operator_files> operators{};  ///< those of its operators that had state
};

/// Decides when checkpoints start, when they are complete and what becomes of those that are not.
/// One at a time. Does nothing itself: events come in, actions go out. Owned by the coordinator.
///
/// A checkpoint is complete once its manifest is published, and only then is anybody told.
/// Its id is made durable before it is used, so ids only grow, those of failed ones included.
///
/// Source: Flink, CheckpointCoordinator; the end of a job: FLIP-147.
class checkpoint_coordinator_logic {
 public:
  /// @pre config.validate() finds nothing
  explicit checkpoint_coordinator_logic(checkpoint_config config) : config_{config} {}

  /// An attempt of the job runs. A checkpoint of an earlier attempt is dropped. `last_used` is
  /// what `checkpoint_store` knows.
  /// @pre !publishing()
  coordinator_actions start(checkpointed_job job, checkpoint_id last_used, clock_time now);

  /// The attempt has ended, for whatever reason but `end_job`. A manifest on its way stays so.
  coordinator_actions stop();

  /// Time has passed; due at `next_tick`.
  coordinator_actions tick(clock_time now);

  /// Subtasks have come to the end of their data, or tasks to that of all their inputs.
  /// @pre targets is not empty
  void set_targets(std::vector<subtask_id> targets) { job_.targets = std::move(targets); }

  coordinator_actions id_recorded(checkpoint_id id, clock_time now);
  coordinator_actions id_record_failed(checkpoint_id id, const error& failure, clock_time now);
  coordinator_actions acknowledged(acknowledgement part, clock_time now);
  coordinator_actions declined(checkpoint_id id, subtask_id subtask, const std::string& reason,
                               clock_time now);
  coordinator_actions published(checkpoint_id id, clock_time now);
  coordinator_actions publish_failed(checkpoint_id id, const error& failure, clock_time now);

  /// `subtask` has come to the end of its data. After the last one the final checkpoint starts.
  coordinator_actions subtask_finished(subtask_id subtask, clock_time now);

  /// When `tick` has something to do; nothing: only after another event.
  std::optional<clock_time> next_tick() const;

  /// A manifest is on its way, and may or may not be found in the folder. A restart waits for the
  /// answer, or it could start from a checkpoint before one whose commits are about to happen.
  bool publishing() const noexcept { return phase_ == phase::publishing; }

  /// The newest checkpoint known to be complete; 0 before the first of this coordinator.
  checkpoint_id last_complete() const noexcept { return last_complete_; }

 private:
  enum class phase {
    idle,
    recording,   ///< the id is on its way to the disk
    collecting,  ///< acknowledgements are awaited
    publishing,  ///< all have come
  };

  void begin(clock_time now, coordinator_actions& actions);
  void begin_if_due(clock_time now, coordinator_actions& actions);
  /// The checkpoint has failed in a way that counts.
  void fail(const std::string& reason, clock_time now, coordinator_actions& actions);
  void close(clock_time now);
  bool all_finished() const { return finished_.size() == job_.subtasks.size(); }
  bool is_ours(subtask_id subtask) const;
  /// Errors: invalid_argument if it has state of an operator that the job does not have.
  status check_operators(const acknowledgement& part) const;
  manifest make_manifest(clock_time now) const;

  checkpoint_config config_;
  checkpointed_job job_;
  bool running_ = false;
  std::set<subtask_id> finished_;
  checkpoint_id last_used_{};
  checkpoint_id last_complete_{};
  std::uint32_t failures_ = 0;  ///< in a row
  std::optional<clock_time> next_begin_;

  // The checkpoint that is being made; meaningless while idle.
  phase phase_ = phase::idle;
  clock_time expires_{};
  bool after_end_ = false;        ///< all had finished when it began
  bool marked_finished_ = false;  ///< its manifest says so
  std::map<subtask_id, acknowledgement> parts_;
};

}  // namespace weir::checkpoint
