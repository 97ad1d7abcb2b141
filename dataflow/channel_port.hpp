// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "weir/dataflow/batch.hpp"
#include "weir/dataflow/control.hpp"

namespace weir::dataflow {

/// Carries what leaves a chain to other subtasks. Implemented by the runtime.
class channel_sender {
 public:
  virtual ~channel_sender() = default;

  /// `channel` counts the receivers of one `channel_port`.
  virtual void send_data(std::uint32_t channel, erased_batch data) = 0;
  virtual void send_control(std::uint32_t channel, control c) = 0;
};

/// The end of a chain from which records go to other subtasks: what the runtime does with it.
class channel_port {
 public:
  virtual ~channel_port() = default;

  /// Says where to send, and to how many receivers. Called once, before the first record.
  virtual void bind(channel_sender& sender, std::uint32_t channels) = 0;

  /// Receiver `channel` takes `batches` more batches.
  virtual void add_credit(std::uint32_t channel, std::uint32_t batches) = 0;

  /// Whether anything still waits for credit.
  virtual bool drained() const = 0;
};

}  // namespace weir::dataflow
