// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>

#include "weir/actors/internal/actor_base.hpp"
#include "weir/actors/internal/actor_messages.hpp"
#include "weir/actors/internal/copy_digests.hpp"
#include "weir/actors/internal/job_blueprint.hpp"
#include "weir/actors/internal/runtime_services.hpp"
#include "weir/actors/job_monitor.hpp"
#include "weir/checkpoint/checkpoint_coordinator_logic.hpp"
#include "weir/checkpoint/checkpoint_store.hpp"

namespace weir::actors::internal {

/// The lists of splits of a job's sources, by uid: what `~splits` keeps in checkpoints.
using split_lists = std::map<std::string, std::vector<std::string>>;

/// From the job's coordinator: an attempt runs.
struct attempt_started {
  attempt_id attempt;
  std::shared_ptr<const subtask_actors> subtasks;  // the table that the subtasks have, too
};
/// From the job's coordinator: it has ended. The answer is `attempt_settled`.
struct attempt_ended {};
/// No manifest is on its way any more.
struct attempt_settled {
  std::optional<checkpoint::manifest> newest;  ///< what the next attempt starts from
};
/// To the job's coordinator: the attempt must end.
struct attempt_failed {
  error cause;
  bool final = false;  ///< nor may there be another one
};
/// To the job's coordinator: everything is processed and committed.
struct job_completed {};
/// To itself: the clock may have reached the logic's next tick.
struct tick_message {};

/// What the actor is made from.
struct checkpoint_setup {
  std::shared_ptr<const job_blueprint> job;
  runtime_services services;
  std::shared_ptr<job_monitor> monitor;
  std::shared_ptr<checkpoint::checkpoint_store> store;  ///< null: nothing is stored
  std::optional<checkpoint::manifest> restored;
  split_lists splits;
  caf::actor coordinator;
};

/// The checkpoint coordinator: carries out what its logic decides, with the store on a lane of the
/// `io_executor`. Keeps the lists of splits in the checkpoints. One per job and process.
class checkpoint_actor final : public actor_base {
 public:
  checkpoint_actor(caf::actor_config& config, std::shared_ptr<checkpoint_setup> setup);

  caf::behavior make_behavior() override;
  void on_exit() override;

 private:
  void start_attempt(attempt_started started);
  void on_report(report_message message);
  void on_commits_done(subtask_id from, checkpoint_id id);
  void publish_end();
  void end_published(const checkpoint::manifest& content, const status& done);
  void note_complete(const checkpoint::manifest& content);
  void carry_out(checkpoint::coordinator_actions actions);
  void carry_out(const checkpoint::record_id& action);
  void carry_out(const checkpoint::trigger_checkpoint& action);
  void carry_out(const checkpoint::publish_manifest& action);
  void carry_out(const checkpoint::notify_complete& action);
  void carry_out(const checkpoint::notify_aborted& action);
  void carry_out(const checkpoint::discard_files& action);
  void carry_out(const checkpoint::retain_checkpoints& action);
  void carry_out(const checkpoint::fail_job& action);
  void carry_out(const checkpoint::withdraw& action);
  void carry_out(const checkpoint::end_job& action);
  void acknowledge_splits(checkpoint_id id);
  void splits_written(checkpoint_id id, const result<checkpoint::state_file>& written);
  void published(const checkpoint::manifest& content, const status& done);
  void settle_if_asked();
  void run_io(std::function<std::function<void()>()> work);
  void tell_all(const subtask_command& command);
  void set_tick();
  clock_time now() const { return setup_.services.time->now(); }

  checkpoint_setup setup_;
  checkpoint::checkpoint_coordinator_logic logic_;
  checkpoint_id last_id_{};  ///< that was used before, or not by the logic
  attempt_id attempt_{};
  std::shared_ptr<const subtask_actors> subtasks_;
  std::optional<checkpoint::manifest> newest_;
  std::optional<checkpoint::state_file> split_file_;  ///< of a complete checkpoint
  std::optional<checkpoint::state_file> new_split_file_;
  std::optional<checkpoint::manifest> newest_end_;  ///< of the newest checkpoint after all data
  std::optional<checkpoint_id> ending_;  ///< the last checkpoint, while its commits are awaited
  std::set<subtask_id> not_committed_;
  copy_digests copies_;
  clock_time tick_at_ = clock_time::max();
  bool publishing_end_ = false;
  bool settling_ = false;
};

}  // namespace weir::actors::internal

CAF_ALLOW_UNSAFE_MESSAGE_TYPE(weir::actors::internal::attempt_started)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(weir::actors::internal::attempt_ended)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(weir::actors::internal::attempt_settled)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(weir::actors::internal::attempt_failed)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(weir::actors::internal::job_completed)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(weir::actors::internal::tick_message)
