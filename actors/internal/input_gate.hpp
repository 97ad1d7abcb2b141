// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <vector>

#include "weir/actors/internal/messages.hpp"
#include "weir/checkpoint/barrier_aligner.hpp"
#include "weir/core/result.hpp"
#include "weir/dataflow/chain.hpp"
#include "weir/dataflow/watermark_valve.hpp"

namespace weir::actors::internal {

/// Faults that tests plant to prove that they are found. None by default.
struct gate_mutations {
  bool barrier_overtakes_data = false;  ///< a barrier jumps ahead of what its channel has queued
};

/// The inputs of a subtask: orders what comes from its channels into the one stream that the head
/// of the chain gets. Data of all channels in turn; watermarks and statuses through the valve;
/// barriers through the aligner, which holds channels back. Admits nothing behind a control element
/// before that has left the chain. Decides when credit goes back: when the head has finished a
/// batch. Owned and used by one subtask.
class input_gate {
 public:
  /// `credit` batches per channel were granted at the start.
  input_gate(std::size_t channels, std::uint32_t credit, gate_mutations mutations = {});

  /// The watermark from which the channels start; before the first message.
  void start_at(event_time floor);

  /// Takes a message from a channel. Errors: corrupt on a gap, a duplicate or more batches than
  /// were granted.
  status receive(channel_message message);

  /// The coordinator's trigger, for a subtask without channels.
  status trigger(checkpoint_id id);
  /// The checkpoint is not to be taken any more.
  void abort(checkpoint_id id);

  /// Gives the chain what it may have now.
  status feed(dataflow::chain& chain);

  /// Whether `feed` would give the chain something now.
  bool can_feed(dataflow::chain& chain);

  /// Credit to hand back, since the last call: calls `give(channel, batches)`.
  void return_credit(dataflow::chain& chain,
                     const std::function<void(std::size_t, std::uint32_t)>& give);

  /// Whether the end of input has been given to the chain.
  bool ended() const { return end_admitted_; }
  event_time watermark() const { return valve_.current(); }

  /// Batches that the head has not got yet, and their bytes.
  std::size_t waiting_batches() const { return waiting_batches_; }
  std::size_t waiting_bytes() const { return waiting_bytes_; }

 private:
  struct channel_state {
    std::deque<channel_message> waiting;
    std::uint64_t next_sequence = 0;
    std::uint32_t held_credit = 0;  ///< finished batches not handed back yet
    std::uint32_t outstanding = 0;  ///< granted batches that are on their way or here
    bool held = false;
    bool ended = false;
  };

  bool take_next(dataflow::chain& chain, status& problem);
  status take_control(std::size_t channel, dataflow::control c);
  status act(const result<checkpoint::alignment_actions>& actions);
  void admit_later(const std::vector<dataflow::control>& controls);
  void admit_later(dataflow::control c);

  std::vector<channel_state> channels_;
  dataflow::watermark_valve valve_;
  checkpoint::barrier_aligner aligner_;
  std::deque<dataflow::control> to_admit_;
  std::deque<std::size_t> in_head_;  ///< channels of the batches that the head has, in order
  std::uint64_t returned_ = 0;       ///< batches of the head that were accounted for
  std::size_t next_ = 0;
  std::size_t open_channels_;
  std::size_t waiting_batches_ = 0;
  std::size_t waiting_bytes_ = 0;
  std::uint32_t credit_;
  bool end_admitted_ = false;
  gate_mutations mutations_;
};

}  // namespace weir::actors::internal
