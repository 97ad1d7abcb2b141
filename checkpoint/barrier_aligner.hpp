// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <variant>
#include <vector>

#include "weir/core/ids.hpp"
#include "weir/core/result.hpp"

namespace weir::checkpoint {

/// Take nothing more from the channel until it is released.
struct hold_channel {
  std::size_t channel = 0;

  friend bool operator==(const hold_channel&, const hold_channel&) = default;
};

/// Go on with these held channels, ascending.
struct release_channels {
  std::vector<std::size_t> channels;

  friend bool operator==(const release_channels&, const release_channels&) = default;
};

/// All inputs are at the barrier: snapshot now, and pass the barrier on.
struct alignment_complete {
  checkpoint_id id;

  friend bool operator==(const alignment_complete&, const alignment_complete&) = default;
};

/// There will be no snapshot of `id` here: pass that on.
struct alignment_abandoned {
  checkpoint_id id;

  friend bool operator==(const alignment_abandoned&, const alignment_abandoned&) = default;
};

using alignment_action =
    std::variant<hold_channel, release_channels, alignment_complete, alignment_abandoned>;

/// What to do now, in order.
using alignment_actions = std::vector<alignment_action>;

/// Holds back channels until the barrier of one checkpoint has come from all of them, or the
/// channel has ended. Owned and used by one subtask. Keeps no data: it says which channels to hold.
///
/// The end of input closes a channel's data, not the channel: barriers may still come from it,
/// and it is never held or waited for.
///
/// Source: Carbone et al., "Lightweight Asynchronous Snapshots for Distributed Dataflows", 2015,
/// algorithm 1; ended channels: Flink, FLIP-147.
class barrier_aligner {
 public:
  /// Of a subtask with so many input channels; a source has none.
  explicit barrier_aligner(std::size_t channels) : channels_(channels) {}

  /// Takes the barrier of `id` from `channel`. A barrier newer than the one being aligned abandons
  /// the older one; one of a checkpoint that is over here changes nothing.
  /// Errors: invalid_argument if `channel` is not one of ours, or `id` is 0.
  result<alignment_actions> on_barrier(std::size_t channel, checkpoint_id id);

  /// Takes the coordinator's trigger of `id`, as sources get it, and subtasks all of whose inputs
  /// have ended. The checkpoint starts as with a barrier, but no channel is aligned by it.
  /// Errors: invalid_argument if `id` is 0.
  result<alignment_actions> on_trigger(checkpoint_id id);

  /// No more data will come from `channel`: it counts as aligned from now on.
  /// Errors: invalid_argument if `channel` is not one of ours, or has ended before.
  result<alignment_actions> on_end_of_input(std::size_t channel);

  /// Checkpoint `id` is aborted: barriers of it that are yet to come hold nothing. Says nothing
  /// if it is over here already.
  alignment_actions on_cancel(checkpoint_id id);

  /// Whether a checkpoint is being aligned.
  bool aligning() const noexcept { return aligning_; }

  /// The newest checkpoint heard of.
  checkpoint_id newest() const noexcept { return newest_; }

 private:
  struct channel_state {
    bool ended = false;
    bool at_barrier = false;  ///< of `newest_`, while aligning
  };

  /// Makes `id` the one being aligned. False if it is over.
  bool begin(checkpoint_id id, alignment_actions& actions);
  void finish_if_aligned(alignment_actions& actions);
  void release_all(alignment_actions& actions);
  status check_channel(std::size_t channel) const;

  std::vector<channel_state> channels_;
  checkpoint_id newest_{};
  bool aligning_ = false;
};

}  // namespace weir::checkpoint
