// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <type_traits>
#include <utility>

#include "weir/dataflow/non_partitioned_context.hpp"
#include "weir/dataflow/output_tag.hpp"
#include "weir/dataflow/state_manager.hpp"

namespace weir::dataflow {

/// Stands where a keyed function finds its timers. Each call throws `state_error`: a timer belongs
/// to a key.
class no_timers {
 public:
  [[noreturn]] void register_timer(event_time) const { refuse(); }
  [[noreturn]] void register_timer(clock_time) const { refuse(); }
  [[noreturn]] void delete_timer(event_time) const { refuse(); }
  [[noreturn]] void delete_timer(clock_time) const { refuse(); }

 private:
  [[noreturn]] static void refuse();
};

/// What a function on a stream without keys can ask for while it is called for a record. Made and
/// owned by the operator; valid during the call.
class partitioned_context : public runtime_context {
 public:
  /// For the engine. All outlive it.
  partitioned_context(operator_base& op, non_partitioned_context& whole,
                      const listed_states& states)
      : runtime_context{op.environment()}, op_{&op}, whole_{&whole}, states_{states} {}

  /// The time of the record; `event_time::min()` if it has none.
  event_time timestamp() const { return time_; }

  dataflow::state_manager& state_manager() { return states_; }

  no_timers timers() const { return {}; }

  /// Emits to a side output, with the time of the record.
  template <class U>
  void output(const output_tag<U>& tag, std::type_identity_t<U> record) {
    op_->emit_side(tag, std::move(record), time_);
  }

  dataflow::non_partitioned_context& non_partitioned() { return *whole_; }

  // For the engine.
  void set_time(event_time time) { time_ = time; }

 private:
  operator_base* op_;
  dataflow::non_partitioned_context* whole_;
  dataflow::state_manager states_;
  event_time time_ = event_time::min();
};

}  // namespace weir::dataflow

namespace weir {
using dataflow::partitioned_context;
}
