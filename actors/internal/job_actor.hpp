// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "weir/actors/internal/checkpoint_actor.hpp"
#include "weir/actors/internal/restored_state.hpp"
#include "weir/actors/internal/split_pool.hpp"
#include "weir/checkpoint/restart_policy.hpp"
#include "weir/dataflow/chain_builder.hpp"

namespace weir::actors::internal {

/// To the job's coordinator: end the job now, without output for what is not committed.
struct cancel_message {};
/// To itself: the restart delay is over.
struct restart_message {
  attempt_id after;
};

/// What the actor is made from.
struct job_setup {
  std::shared_ptr<const job_blueprint> job;
  runtime_services services;
  std::shared_ptr<job_monitor> monitor;
};

/// What was found at the start.
struct job_opening {
  std::shared_ptr<const job_blueprint> job;  ///< fitted to what is restored; with the coordinators
  std::shared_ptr<checkpoint::checkpoint_store> store;
  checkpoint::start_kind kind = checkpoint::start_kind::fresh;
  std::optional<checkpoint::manifest> restored;
  std::vector<std::string> warnings;
  split_lists splits;
};

/// What an attempt starts from.
struct attempt_basis {
  /// With the subtasks, until each has its part; null: a fresh start.
  std::shared_ptr<restored_state> restored;
  std::map<std::string, dataflow::split_progress> progress;  ///< by the source's uid
};

/// The coordinator of a job: opens the checkpoint folder, deploys the subtasks, watches them, and
/// starts them again from the newest checkpoint when one fails. Ends when the job is over; the
/// monitor says how.
class job_actor final : public actor_base {
 public:
  job_actor(caf::actor_config& config, std::shared_ptr<job_setup> setup);

  caf::behavior make_behavior() override;
  void on_exit() override;

 private:
  void open_job();
  void opened(result<job_opening> opening);
  void prepare_attempt(std::optional<checkpoint::manifest> from);
  void deploy(const result<attempt_basis>& basis);
  caf::actor spawn_subtask(subtask_id id, const attempt_basis& basis);
  dataflow::operator_environment environment_of(subtask_id id, std::size_t place,
                                                const dataflow::built_chain& built);
  void on_report(report_message message);
  void on_ready(subtask_id from);
  void on_split_request(subtask_id from, std::uint32_t source);
  dataflow::alignment_groups aligned_sources() const;
  void on_alignment_report(subtask_id from, const alignment_report& report);
  const dataflow::graph_node& source_of(subtask_id id, std::uint32_t place) const;
  void on_down(const caf::down_msg& down) override;
  void attempt_is_over(const error& cause, bool final);
  void settle_if_stopped();
  void finish(job_state state, std::optional<error> cause);
  void run_io(std::function<std::function<void()>()> work);
  void log(log_level level, std::string text);
  clock_time now() const { return setup_.services.time->now(); }

  job_setup setup_;
  checkpoint::restart_policy restarts_;
  split_lists splits_;
  caf::actor checkpoints_;
  epoch_id epoch_{1};
  attempt_id attempt_{};
  checkpoint_id restored_{};
  std::shared_ptr<const subtask_actors> subtasks_;
  std::map<std::string, split_pool> pools_;
  dataflow::alignment_groups alignment_;
  std::set<subtask_id> not_ready_;
  std::set<caf::actor_addr> alive_;
  std::optional<error> failure_;  ///< why the attempt that is being stopped failed
  std::optional<attempt_settled> settled_;
  bool final_failure_ = false;
  bool completed_ = false;
  bool cancelled_ = false;
};

}  // namespace weir::actors::internal

CAF_ALLOW_UNSAFE_MESSAGE_TYPE(weir::actors::internal::cancel_message)
CAF_ALLOW_UNSAFE_MESSAGE_TYPE(weir::actors::internal::restart_message)
