// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <type_traits>
#include <utility>

#include "weir/dataflow/operator_base.hpp"
#include "weir/dataflow/output_tag.hpp"
#include "weir/dataflow/runtime_context.hpp"
#include "weir/dataflow/state_manager.hpp"

namespace weir::windowing {

/// What a window function can ask for while it is called for a window of a key. Made and owned by
/// the operator; valid during the call.
class window_context : public dataflow::runtime_context {
 public:
  /// For the engine. All outlive it.
  window_context(dataflow::operator_base& op, const dataflow::listed_states& states)
      : runtime_context{op.environment()}, op_{&op}, states_{states} {}

  /// The watermark, as the key has seen it: at least the window's last time when the window has
  /// ended, less when its trigger fires early.
  event_time current_watermark() const { return watermark_; }

  /// The processing clock.
  clock_time now() const { return time().now(); }

  /// Finds states that the function lists, by declarations.
  dataflow::state_manager& state_manager() { return states_; }

  /// Emits to a side output, with the last time of the window.
  template <class U>
  void output(const output_tag<U>& tag, std::type_identity_t<U> record) {
    op_->emit_side(tag, std::move(record), time_);
  }

  // For the engine.
  void set(event_time time, event_time watermark) {
    time_ = time;
    watermark_ = watermark;
  }

 private:
  dataflow::operator_base* op_;
  dataflow::state_manager states_;
  event_time time_ = event_time::min();
  event_time watermark_ = event_time::min();
};

}  // namespace weir::windowing

namespace weir {
using windowing::window_context;
}
