// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tuple>
#include <utility>

#include "weir/core/ids.hpp"
#include "weir/core/result.hpp"
#include "weir/dataflow/initialization_context.hpp"
#include "weir/dataflow/listed_states.hpp"
#include "weir/dataflow/snapshot_context.hpp"
#include "weir/state/operator_state_store.hpp"
#include "weir/state/snapshot_stream.hpp"

namespace weir::dataflow {

/// What a user's object may have beyond its work, a function, a source's reader or a sink's writer:
///
/// - `initialize_state(initialization_context&)`: on every start, before everything else;
/// - `snapshot_state(function_snapshot_context&)`: at each barrier, between two records, before its
///   state is saved: what it puts into its states now is part of the checkpoint;
/// - `notify_checkpoint_complete(checkpoint_id)`: that checkpoint, and with it all before, is
///   complete. Ids only grow. May not be told, so the next one covers it; after a restore the
///   checkpoint that was restored is told. An exception fails the attempt, not the checkpoint.
/// - `notify_checkpoint_aborted(checkpoint_id)`: it is as if that checkpoint had never been begun:
///   what belongs to it belongs to the next one. May not be told.
/// - `close()`: the last call, at the end, or after a failure or cancellation; not when the process
///   dies.
///
/// This runs them, and keeps the object's states that are not keyed. Owned by the object's
/// operator; used by its subtask.
template <class F>
class function_lifecycle {
 public:
  /// `f` must outlive this object.
  explicit function_lifecycle(F& f) : function_{&f} {}

  /// Before anything else. `environment` must outlive this object.
  /// Errors: throws `state_error` if the object lists a state twice.
  void open(const operator_environment& environment) {
    check<F>();
    environment_ = &environment;
    listed_.list(*function_);
    if constexpr (lists_operator_state()) states_.bind(*function_);
  }

  /// Errors: corrupt; invalid_argument if a state is stored as something else.
  status restore(const state::restored_chunks& chunks) {
    const auto& e = *environment_;
    auto& log = e.log != nullptr ? *e.log : null_log_sink();
    return states_.restore(chunks, e.subtask, e.parallelism, log, e.name);
  }

  /// Lets the object begin. Whatever it throws passes.
  void initialize() {
    if constexpr (requires(initialization_context& c) { function_->initialize_state(c); }) {
      initialization_context context{*environment_, states_};
      function_->initialize_state(context);
    }
  }

  const listed_states& listed() const { return listed_; }

  /// At the barrier. Whatever the object throws passes.
  void begin_snapshot(snapshot_context& into) {
    if constexpr (requires(function_snapshot_context& c) { function_->snapshot_state(c); }) {
      function_snapshot_context context{into.id(), environment_->time->now()};
      function_->snapshot_state(context);
    }
    states_.begin_snapshot(into.stream());
  }
  bool snapshot_running() const { return states_.snapshotting(); }
  void sweep_snapshot(std::size_t elements) { states_.sweep(elements); }
  void abort_snapshot() { states_.abort_snapshot(); }

  void complete(checkpoint_id id) {
    if (id <= complete_) return;
    complete_ = id;
    if constexpr (requires { function_->notify_checkpoint_complete(id); }) {
      function_->notify_checkpoint_complete(id);
    }
  }

  void aborted(checkpoint_id id) {
    if (id <= complete_) return;
    if constexpr (requires { function_->notify_checkpoint_aborted(id); }) {
      function_->notify_checkpoint_aborted(id);
    }
  }

  void close() {
    if constexpr (requires { function_->close(); }) function_->close();
  }

 private:
  static constexpr bool lists_operator_state() {
    if constexpr (state::has_states<F>) {
      using list = decltype(std::declval<F&>().uses_states());
      return state::state_count<F> < std::tuple_size_v<list>;
    }
    return false;
  }

  /// A member that is there but cannot be called would be a call that is silently missing.
  template <class O>
  static constexpr void check() {
    static_assert(
        !requires { &O::initialize_state; } ||
            requires(O& o, initialization_context& c) { o.initialize_state(c); },
        "initialize_state: it must be callable as "
        "`void initialize_state(initialization_context&)`");
    static_assert(
        !requires { &O::snapshot_state; } ||
            requires(O& o, function_snapshot_context& c) { o.snapshot_state(c); },
        "snapshot_state: it must be callable as "
        "`void snapshot_state(function_snapshot_context&)`");
    static_assert(
        !requires { &O::notify_checkpoint_complete; } ||
            requires(O& o, checkpoint_id id) { o.notify_checkpoint_complete(id); },
        "notify_checkpoint_complete: it must be callable as "
        "`void notify_checkpoint_complete(checkpoint_id)`");
    static_assert(
        !requires { &O::notify_checkpoint_aborted; } ||
            requires(O& o, checkpoint_id id) { o.notify_checkpoint_aborted(id); },
        "notify_checkpoint_aborted: it must be callable as "
        "`void notify_checkpoint_aborted(checkpoint_id)`");
  }

  F* function_;
  const operator_environment* environment_ = nullptr;
  listed_states listed_;
  state::operator_state_store states_;
  checkpoint_id complete_{};
};

}  // namespace weir::dataflow
