// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "weir/dataflow/watermark_declaration.hpp"

namespace weir::dataflow {

class operator_base;

/// Emits custom watermarks. Belongs to an operator; given to its function by the contexts.
class watermark_manager {
 public:
  /// For the engine. `op` outlives it.
  explicit watermark_manager(operator_base& op) : operator_{&op} {}

  /// Sends a value to all outputs, behind the records emitted so far and before those that follow.
  /// Errors: throws `state_error` if no function of the job declares this watermark, or one
  /// declares it otherwise.
  void emit_watermark(const long_watermark& which, std::int64_t value) { emit(which, value); }
  void emit_watermark(const bool_watermark& which, bool value) { emit(which, value ? 1 : 0); }

 private:
  void emit(const watermark_declaration& which, std::int64_t value);

  operator_base* operator_;
};

}  // namespace weir::dataflow

namespace weir {
using dataflow::watermark_manager;
}
