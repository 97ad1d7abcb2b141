// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "weir/actors/internal/running_snapshot.hpp"
#include "weir/actors/internal/snapshot_pace.hpp"
#include "weir/actors/internal/subtask_host.hpp"
#include "weir/actors/internal/watermark_gauges.hpp"
#include "weir/checkpoint/state_folder.hpp"
#include "weir/dataflow/chain_builder.hpp"
#include "weir/dataflow/channel_port.hpp"
#include "weir/dataflow/timer_client_base.hpp"

namespace weir::actors::internal {

/// Faults that tests plant to prove that they are found. None by default.
struct subtask_mutations {
  gate_mutations gate;
  bool commit_before_manifest = false;  ///< sinks commit at the acknowledgement
};

/// What a subtask is made from.
struct subtask_spec {
  subtask_id self;
  attempt_id attempt;
  dataflow::built_chain built;
  std::vector<dataflow::operator_environment> environments;  ///< one per operator of the chain
  std::vector<channel_end> inputs;                           ///< sender of each gate channel
  std::vector<std::vector<channel_end>> outputs;             ///< receivers of each exit
  std::uint32_t credit = 4;                                  ///< per input channel
  duration max_linger{100};
  snapshot_limits snapshots;
  const clock* time = nullptr;
  metric_group* metrics = nullptr;
  subtask_mutations mutations;

  /// Where snapshots go; none: they are not stored.
  std::optional<checkpoint::state_folder> folder;
};

/// What a restored operator starts from.
struct restored_operator {
  std::string uid;
  state::restored_chunks chunks;
};
struct restored_subtask {
  checkpoint_id id;
  std::vector<restored_operator> operators;
};

/// A subtask without its actor: runs the chain, feeds it, takes its snapshots. Messages in, calls
/// of the host out. Stops at the first error, and reports it. One thread at a time.
class subtask {
 public:
  subtask(subtask_spec spec, subtask_host& host);

  /// Opens the operators, from `restored` if it is given. Errors fail the attempt.
  status open(const std::optional<restored_subtask>& restored);

  /// The service's halves of the operators' timers; empty: the subtask needs no timer service.
  /// To be called once, after `open`.
  std::vector<std::pair<std::uint32_t, std::unique_ptr<dataflow::timer_queue_base>>>
  take_timer_queues() {
    return std::exchange(timer_queues_, {});
  }

  /// Gives the operators up; nothing else is called afterwards. What they then throw is logged.
  void close();

  void on_command(subtask_command command);
  void on_element(channel_message message);
  void on_credit(const credit_message& message);
  void on_timers(dataflow::timer_actions actions);
  void on_self(self_call what);
  /// Something was done by the `io_executor`: `apply` is what `run_io` was given to call.
  void on_io(const std::function<void()>& apply);

 private:
  void run();
  /// Steps of the chain, and what it makes possible, up to the budget of a handler. True: there
  /// is more to do.
  result<bool> run_chain();
  void note_progress(bool busy);
  void note_in_flight();
  void fail(error cause);

  void start();
  void take_split(split_command command);

  // -- checkpoints, in subtask_checkpoints.cpp
  /// For people: the operator and the subtask.
  std::string place_of(const std::string& uid) const;
  void trigger(checkpoint_id id);
  void at_barrier(dataflow::operator_base& op, checkpoint_id id);
  void cut();
  void continue_snapshot(bool busy);
  bool sweep(bool busy);
  void run_deferred();
  void append_snapshot();
  void finish_snapshot();
  void drop_snapshot();
  void complete(checkpoint_id id);
  void abort(checkpoint_id id);

  status restore(const restored_subtask& restored);
  status restore_gate(const state::restored_chunks& chunks);
  void flush_messages();
  void schedule(bool more);
  void report_of_sources();
  void set_alarm();
  void flush_if_lingering();
  bool has_partial();
  dataflow::chain& operators() { return *spec_.built.operators; }

  /// Makes the sends of one exit go to its receivers.
  struct exit_sender final : dataflow::channel_sender {
    subtask* owner = nullptr;
    std::uint32_t exit = 0;
    void send_data(std::uint32_t channel, dataflow::erased_batch data) override;
    void send_control(std::uint32_t channel, dataflow::control c) override;
    std::vector<std::uint64_t> sequences;
  };

  subtask_spec spec_;
  subtask_host& host_;
  input_gate gate_;
  std::vector<std::unique_ptr<exit_sender>> senders_;
  std::vector<std::pair<std::uint32_t, std::unique_ptr<dataflow::timer_queue_base>>> timer_queues_;
  std::unique_ptr<running_snapshot> snapshot_;
  dataflow::timer_message to_timers_;
  snapshot_pace pace_;
  std::vector<std::uint64_t> swept_rows_;  ///< of each operator, when its last slice was swept
  std::optional<watermark_gauges> watermark_gauges_;
  gauge* in_flight_ = nullptr;
  gauge* snapshot_held_ = nullptr;
  std::uint64_t commits_running_ = 0;
  std::optional<checkpoint_id> completing_;
  checkpoint_id snapshot_trigger_{};  ///< while `barrier_pending_`
  std::optional<checkpoint_id> restored_;
  clock_time alarm_ = clock_time::max();
  clock_time partial_since_ = clock_time::max();
  std::size_t begun_ = 0;  ///< operators of which user code has run
  bool started_ = false;
  bool failed_ = false;
  bool resume_pending_ = false;
  bool tick_pending_ = false;
  bool data_since_tick_ = false;
  bool barrier_pending_ = false;
  bool quiesce_sent_ = false;
  bool ended_reported_ = false;
};

}  // namespace weir::actors::internal
