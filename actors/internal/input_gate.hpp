// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <vector>

#include "weir/actors/internal/custom_combiners.hpp"
#include "weir/actors/internal/gate_watermarks.hpp"
#include "weir/actors/internal/messages.hpp"
#include "weir/checkpoint/barrier_aligner.hpp"
#include "weir/dataflow/chain.hpp"
#include "weir/dataflow/watermark_valve.hpp"

namespace weir::actors::internal {

/// Faults that tests plant to prove that they are found. None by default.
struct gate_mutations {
  bool barrier_overtakes_data = false;  ///< a barrier jumps ahead of what its channel has queued
};

/// What a gate is made from.
struct gate_spec {
  std::vector<std::uint8_t> ports;  ///< of each channel: which input of the head gets its data
  std::uint32_t credit = 4;         ///< batches per channel that were granted at the start
  std::shared_ptr<const dataflow::watermark_table> watermarks;  ///< the job's own; null: none
  gate_mutations mutations;
};

/// The inputs of a subtask: orders what comes from its channels into the one
/// stream that the head of the chain gets. Data of all channels in turn, to the
/// head's input that the channel belongs to; watermarks and statuses through a
/// valve for each input, and both inputs' together; barriers through the
/// aligner, which holds channels back. Admits nothing behind a control element
/// before that has left the chain. Decides when credit goes back: when the head
/// has finished a batch. Owned and used by one subtask.
class input_gate {
 public:
  explicit input_gate(gate_spec spec);

  /// The watermarks from which the channels start; before the first message.
  void start_at(const gate_watermarks& floor);

  /// Takes a message from a channel. Errors: corrupt on a gap, a duplicate or
  /// more batches than were granted.
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
  gate_watermarks watermarks() const;

  std::size_t ports() const { return ports_.size(); }
  /// The watermark of an input, and the gate's channel that holds it back; none: no channel does.
  /// @pre port < ports()
  event_time watermark_of(std::size_t port) const { return ports_[port].valve.current(); }
  std::optional<std::size_t> holding_back(std::size_t port) const;
  /// Grows with each message that may change these.
  std::uint64_t watermark_changes() const { return watermark_changes_; }

  /// Batches that the head has not got yet, and their bytes.
  std::size_t waiting_batches() const { return waiting_batches_; }
  std::size_t waiting_bytes() const { return waiting_bytes_; }

 private:
  struct channel_state {
    std::deque<channel_message> waiting;
    std::uint64_t next_sequence = 0;
    std::uint32_t held_credit = 0;  ///< finished batches not handed back yet
    std::uint32_t outstanding = 0;  ///< granted batches that are on their way or here
    std::size_t number = 0;         ///< among the channels of its port
    std::uint8_t port = 0;
    bool held = false;
    bool ended = false;
  };

  /// An input of the head.
  struct port_state {
    dataflow::watermark_valve valve;
    std::size_t channels = 0;
    std::size_t open_channels = 0;
    std::deque<std::size_t> in_head;  ///< channels of the batches that the head has, in order
    std::uint64_t returned = 0;       ///< batches of the head that were accounted for
  };

  bool take_next(dataflow::chain& chain, status& problem);
  status take_control(std::size_t channel, dataflow::control c);
  status take_custom(std::size_t channel, dataflow::control c);
  status take_end(std::size_t channel);
  status act(const result<checkpoint::alignment_actions>& actions);
  void admit_valve(std::uint8_t port, const std::vector<dataflow::control>& controls);
  void admit_later(dataflow::control c);

  std::vector<channel_state> channels_;
  std::vector<port_state> ports_;
  dataflow::two_input_watermarks both_;  ///< of a gate with two ports
  custom_combiners custom_;
  checkpoint::barrier_aligner aligner_;
  std::deque<dataflow::control> to_admit_;
  std::size_t next_ = 0;
  std::size_t open_channels_;
  std::size_t waiting_batches_ = 0;
  std::size_t waiting_bytes_ = 0;
  std::uint64_t watermark_changes_ = 0;
  std::uint32_t credit_;
  bool end_admitted_ = false;
  gate_mutations mutations_;
};

}  // namespace weir::actors::internal
