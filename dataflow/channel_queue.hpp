// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>

#include "weir/dataflow/channel_port.hpp"
#include "weir/dataflow/element_queue.hpp"

namespace weir::dataflow {

/// What one receiver has still to get, in order. A batch needs a credit. A watermark, custom or
/// not, or a status needs that there is one, and coalesces with those before it while it waits: so
/// a receiver that takes nothing costs no memory. A barrier or end of input needs none, and never
/// overtakes data.
class channel_queue {
 public:
  static constexpr std::size_t capacity = 2;

  bool has_room() const { return batches_ < capacity; }
  bool empty() const { return waiting_.empty(); }

  void push(erased_batch data, in_flight_bytes& bytes);
  void push(control c);
  void add_credit(std::uint32_t batches) { credit_ += batches; }
  std::uint32_t credit() const { return credit_; }

  /// Sends what may go.
  void send(std::uint32_t channel, channel_sender& sender, in_flight_bytes& bytes);

  /// How many elements wait.
  std::size_t size() const { return waiting_.size(); }

 private:
  struct element {
    erased_batch data;  ///< null: a control element
    control signal = control::idle();
  };

  bool may_go(const element& e) const;

  std::deque<element> waiting_;
  std::size_t batches_ = 0;
  std::size_t unconditional_ = 0;  ///< barriers and ends of input that wait
  std::uint32_t credit_ = 0;
};

}  // namespace weir::dataflow
