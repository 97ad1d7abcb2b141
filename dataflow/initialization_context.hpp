// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "weir/core/ids.hpp"
#include "weir/core/time.hpp"
#include "weir/dataflow/runtime_context.hpp"
#include "weir/state/operator_state_store.hpp"

namespace weir::dataflow {

/// What a function, reader or writer gets before anything else is asked of it, on every start.
class initialization_context : public runtime_context {
 public:
  /// For the engine. Both outlive it.
  initialization_context(const operator_environment& environment,
                         state::operator_state_store& states)
      : runtime_context{environment}, states_{&states} {}

  /// Whether the job goes on from a checkpoint: also true in a subtask that gets no state of it.
  bool is_restored() const { return restored_checkpoint().has_value(); }

  /// The checkpoint that the job goes on from.
  std::optional<checkpoint_id> restored_checkpoint() const { return environment().restored; }

  /// The states that are not kept by key: those listed in `uses_states()`, and further ones that
  /// are asked for here. What it gives lives as long as the object that is initialized.
  state::operator_state_store& operator_state() { return *states_; }

 private:
  state::operator_state_store* states_;
};

/// What a function, reader or writer gets at a barrier: between two records, before its state is
/// saved.
class function_snapshot_context {
 public:
  /// For the engine.
  function_snapshot_context(checkpoint_id id, clock_time now) : id_{id}, now_{now} {}

  checkpoint_id checkpoint() const { return id_; }
  /// When the barrier reached this subtask.
  clock_time timestamp() const { return now_; }

 private:
  checkpoint_id id_;
  clock_time now_;
};

}  // namespace weir::dataflow

namespace weir {
using dataflow::function_snapshot_context;
using dataflow::initialization_context;
}  // namespace weir
