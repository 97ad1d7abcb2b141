// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <utility>

#include "weir/dataflow/operator_base.hpp"

namespace weir::windowing {

/// What becomes of records that no window takes: they go to a side output, or are counted in the
/// metric `late_records_dropped`. Owned and used by one subtask.
template <class T>
class late_records {
 public:
  /// `output` is the tag of the side output; none: they are dropped and counted.
  explicit late_records(std::optional<std::string> output) : output_{std::move(output)} {}

  /// To be called once, before all else.
  void open(const dataflow::operator_environment& environment) {
    dropped_ = &environment.metrics->add_counter("late_records_dropped");
  }

  /// Deals with a record of `op`.
  void refuse(dataflow::operator_base& op, const T& record, event_time time) {
    if (output_)
      op.emit_side(output_tag<T>{*output_}, record, time);
    else
      dropped_->increment();
  }

 private:
  std::optional<std::string> output_;
  counter* dropped_ = nullptr;
};

/// That a record has come without the time that its windows go by.
error no_timestamp();

}  // namespace weir::windowing
