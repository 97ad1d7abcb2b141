// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>

#include "weir/core/ids.hpp"
#include "weir/dataflow/sink.hpp"
#include "weir/dataflow/snapshot_context.hpp"

namespace weir::dataflow {

/// What one subtask of a two-phase sink has prepared, by checkpoint, from the barrier until it is
/// known to be committed. Until then it is in every snapshot: so a crash before or within a commit
/// leads to another commit. A completed checkpoint commits those before it too, since their
/// notices may be lost, late, or never come. Owned by a sink's operator.
///
/// Source: Flink's TwoPhaseCommitSinkFunction.
class prepared_commits {
 public:
  /// Takes what is this subtask's own of a restored checkpoint: of each former subtask, whole.
  /// Errors: corrupt. @pre nothing was added
  status restore(const state::restored_chunks& chunks, subtask_index self,
                 std::uint32_t parallelism);

  /// What all former subtasks had prepared. Errors: corrupt.
  static result<committables> read_all(const state::restored_chunks& chunks);

  /// At the barrier of `id`: the work that runs `prepare`, keeps what it gives, and makes the
  /// chunks of the snapshot. Works are to run in the order of the calls, on any thread.
  /// @pre `id` is greater than that of every call before
  snapshot_work add(checkpoint_id id, std::function<result<committables>()> prepare);

  /// Checkpoint `id` is complete: what is to be committed now, oldest first. Nothing that was given
  /// before. @pre the works of all checkpoints up to `id` have run
  committables take(checkpoint_id id);

  /// All that was given up to `id` is committed: later snapshots need not name it.
  void committed(checkpoint_id id);

 private:
  /// Shared with the works: one that runs reads those of the works before it.
  using entry = std::shared_ptr<committables>;

  std::map<checkpoint_id, entry> entries_;
  checkpoint_id given_{};  ///< up to it, entries were given out to be committed
};

}  // namespace weir::dataflow
