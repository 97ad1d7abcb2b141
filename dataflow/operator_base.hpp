// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "weir/core/result.hpp"
#include "weir/dataflow/collector.hpp"
#include "weir/dataflow/control_tracker.hpp"
#include "weir/dataflow/operator_environment.hpp"
#include "weir/dataflow/output_tag.hpp"
#include "weir/dataflow/snapshot_context.hpp"
#include "weir/dataflow/timer_queue.hpp"
#include "weir/state/snapshot_stream.hpp"

namespace weir::dataflow {

class source_port;
class timer_client_base;
class channel_port;

/// An operator within a chain: typed code behind one virtual call per batch or control element.
/// It never waits: it does a step when it has work and room, and keeps a cursor where it stopped.
/// Owned by the chain; called by its subtask only, one call at a time.
class operator_base {
 public:
  operator_base() = default;
  operator_base(const operator_base&) = delete;
  operator_base& operator=(const operator_base&) = delete;
  virtual ~operator_base() = default;

  // -- wiring ------------------------------------------------------------------------------------

  virtual std::size_t inputs() const = 0;
  /// @pre port < inputs()
  virtual element_queue_base& input(std::size_t port) = 0;
  /// Takes a control element behind what is queued.
  virtual void push_control(control c) { input(0).push_control(c); }
  /// The main output, if there is one, is number 0; side outputs follow.
  const std::vector<output_base*>& outputs() const { return outputs_; }

  /// Opens the side output `tag`. Those that nobody opens drop what is emitted, and count it.
  void add_side_output(std::string tag, std::unique_ptr<output_base> output) {
    add_output(*output);
    sides_.push_back({std::move(tag), std::move(output)});
  }
  /// Emits to a side output.
  template <class U>
  void emit_side(const output_tag<U>& tag, U record, event_time time) {
    for (auto& side : sides_) {
      if (side.tag != tag.name || side.output->type() != tag_of<U>()) continue;
      static_cast<collector<U>&>(*side.output).collect(std::move(record), time);
      return;
    }
    ++dropped_side_records_;
  }

  std::uint64_t dropped_side_records() const { return dropped_side_records_; }

  // -- life --------------------------------------------------------------------------------------

  /// Called once, before anything else. Errors fail the attempt.
  virtual status open(const operator_environment& environment) {
    environment_ = environment;
    for (auto* output : outputs_) output->set_limits(environment.limits);
    return {};
  }
  /// Called once after `open` when the job starts from a checkpoint: also without chunks.
  virtual status restore(const state::restored_chunks&) { return {}; }
  /// Called once, after `open` and `restore` and before any element: user code that begins runs
  /// here. May emit. Errors fail the attempt.
  virtual status start() { return {}; }
  /// Called at most once, after `start`, as the last: at the end, or after a failure or
  /// cancellation. Not when the process dies.
  virtual void close() {}

  const operator_environment& environment() const { return environment_; }

  /// The watermark from which a keyed operator goes on after a restore; none if it is not keyed.
  virtual std::optional<event_time> restored_watermark() const { return std::nullopt; }

  // -- work --------------------------------------------------------------------------------------

  /// Whether a step could do something, as far as the inputs go.
  virtual bool has_work() const = 0;

  /// Does a piece of the work: at most a batch, a control element or a slice of a firing.
  /// Emits no more than the outputs take and one user call gives. Errors fail the attempt.
  /// @pre runnable()
  virtual status step() = 0;

  bool runnable() { return has_work() && outputs_have_room(); }

  bool outputs_have_room() {
    bool room = true;
    for (auto* output : outputs_) room &= output->has_room();
    return room && ready_to_emit();
  }

  /// Whether records wait in a batch that is not full.
  virtual bool has_partial() const {
    for (const auto* output : outputs_) {
      if (output->has_partial()) return true;
    }
    return false;
  }

  /// Ships partial batches. True if there were any.
  virtual bool flush() {
    bool any = false;
    for (auto* output : outputs_) {
      any |= output->has_partial();
      output->flush();
    }
    return any;
  }

  /// The time of the record in hand, for the report of an exception; `min()`: none.
  virtual event_time record_time() const { return event_time::min(); }

  /// When this operator wants to be called although no element comes; `max()`: never.
  virtual clock_time next_alarm() const { return clock_time::max(); }
  /// The processing clock shows `now`. Only takes note: work follows in `step`.
  virtual void on_alarm(clock_time /*now*/) {}

  /// `environment().wake` was called. Only takes note.
  virtual void on_wake() {}

  // -- checkpoints -------------------------------------------------------------------------------

  /// The cut. Must be quick: rows may follow later through the context's stream.
  virtual void begin_snapshot(snapshot_context&) {}
  /// Whether rows of the snapshot are still to come.
  virtual bool snapshot_running() const { return false; }
  /// Writes up to about `slots` table slots of the running snapshot.
  virtual void sweep_snapshot(std::size_t /*slots*/) {}
  virtual void abort_snapshot() {}
  /// Checkpoint `id`, and with it all before, is complete. Returned work, if any, is run on the
  /// `io_executor`; its failure fails the attempt. May be called again for the same checkpoint.
  virtual std::function<status()> on_checkpoint_complete(checkpoint_id) { return {}; }
  /// The work returned for `id` has succeeded.
  virtual void on_committed(checkpoint_id /*id*/) {}
  /// Checkpoint `id` will not be complete: it is as if it had never been. May not be told.
  virtual void on_checkpoint_aborted(checkpoint_id /*id*/) {}

  // -- what the subtask asks for beyond records --------------------------------------------------

  virtual source_port* as_source() { return nullptr; }
  virtual channel_port* as_channel() { return nullptr; }
  virtual timer_client_base* timers() { return nullptr; }
  /// The timer service's half of `timers()`, restored from the chunks if there are any.
  /// @pre timers() is not null
  virtual result<std::unique_ptr<timer_queue_base>> make_timer_queue(
      const state::restored_chunks&) {
    return std::unique_ptr<timer_queue_base>{};
  }

  /// Whether the operator waits, at the end of input, for `on_timers_quiesced`: no processing timer
  /// is left by then.
  virtual bool wants_timers_quiesced() const { return false; }
  virtual void on_timers_quiesced() {}

  // -- for the chain -----------------------------------------------------------------------------

  /// `barrier_hook` is called when a barrier passes this operator, before it is passed on.
  void attach(control_tracker& tracker, in_flight_bytes& bytes,
              std::function<void(operator_base&, checkpoint_id)> hook) {
    tracker_ = &tracker;
    bytes_ = &bytes;
    barrier_hook_ = std::move(hook);
  }
  void set_leaves(std::size_t leaves) { leaves_ = leaves; }
  std::size_t leaves() const { return leaves_; }

 protected:
  void add_output(output_base& output) { outputs_.push_back(&output); }

  /// For operators that emit elsewhere than to `outputs()`.
  virtual bool ready_to_emit() const { return true; }

  /// Passes a control element on to all outputs; on a leaf it leaves the chain here.
  void forward(control c) {
    if (c.kind() == control_kind::barrier) barrier_hook_(*this, c.checkpoint());
    bool leaf = true;
    for (auto* output : outputs_) {
      output->send(c);
      leaf &= output->targets() == 0;
    }
    if (leaf) tracker_->leave(1);
  }
  /// Starts a control element of this operator's own. @pre kind is no barrier
  void originate(control c) {
    tracker_->enter(leaves_);
    forward(c);
  }
  /// Lets a control element end here.
  void swallow() { tracker_->leave(leaves_); }

  const control_tracker& tracker() const { return *tracker_; }
  in_flight_bytes& bytes() { return *bytes_; }

 private:
  friend class watermark_manager;

  struct side_output {
    std::string tag;
    std::unique_ptr<output_base> output;
  };

  std::vector<output_base*> outputs_;
  std::vector<side_output> sides_;
  std::uint64_t dropped_side_records_ = 0;
  operator_environment environment_;
  control_tracker* tracker_ = nullptr;
  in_flight_bytes* bytes_ = nullptr;
  std::function<void(operator_base&, checkpoint_id)> barrier_hook_;
  std::size_t leaves_ = 1;
};

}  // namespace weir::dataflow
