// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "weir/dataflow/control.hpp"
#include "weir/dataflow/element_queue.hpp"

namespace weir::dataflow {

/// One output of an operator, whatever its record type. Owned by the operator.
class output_base {
 public:
  virtual ~output_base() = default;

  type_tag type() const { return type_; }

  /// Sends everything that leaves this output to `target` too. @pre target.type() == type()
  virtual void connect(element_queue_base& target) = 0;
  virtual std::size_t targets() const = 0;

  /// Whether every target takes another batch.
  virtual bool has_room() const = 0;

  /// Ships the records of the batch that is not full yet.
  virtual void flush() = 0;
  virtual bool has_partial() const = 0;

  /// Flushes, then sends `c`.
  virtual void send(control c) = 0;

  virtual void set_limits(batch_limits limits) = 0;

 protected:
  explicit output_base(type_tag type) : type_{type} {}

 private:
  type_tag type_;
};

}  // namespace weir::dataflow
