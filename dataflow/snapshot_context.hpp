// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <vector>

#include "weir/core/ids.hpp"
#include "weir/core/result.hpp"
#include "weir/state/snapshot_stream.hpp"

namespace weir::dataflow {

/// Work for the `io_executor` that gives further chunks of the snapshot.
using snapshot_work = std::function<result<std::vector<state::snapshot_chunk>>()>;

/// What an operator gets at a barrier. The subtask acknowledges the checkpoint when the stream has
/// been given everything and all deferred works have succeeded.
class snapshot_context {
 public:
  virtual ~snapshot_context() = default;

  virtual checkpoint_id id() const = 0;

  /// Takes the operator's chunks until its snapshot is no longer running.
  virtual state::snapshot_stream& stream() = 0;

  /// Runs `work` on the `io_executor`, after the handler; the works of a subtask in the order in
  /// which they were deferred, also those of an aborted checkpoint. A failure fails the attempt.
  virtual void defer(snapshot_work work) = 0;
};

}  // namespace weir::dataflow
