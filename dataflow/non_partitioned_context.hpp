// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <type_traits>
#include <utility>

#include "weir/dataflow/operator_base.hpp"
#include "weir/dataflow/partition_visitor.hpp"
#include "weir/dataflow/runtime_context.hpp"
#include "weir/dataflow/watermark_manager.hpp"

namespace weir::dataflow {

/// Who has the partitions of a context: its operator.
class partition_host {
 public:
  /// Errors: throws `state_error` if the visitor is written for other types than the operator's.
  virtual void visit_partitions(partition_visitor& visitor) = 0;

 protected:
  ~partition_host() = default;
};

/// What a function can ask for where no record is in hand: in `open`, `on_watermark`, `end_input`.
/// There is no current key. Made and owned by the operator; valid during the call.
class non_partitioned_context : public runtime_context {
 public:
  /// For the engine. `op` is open, and both outlive the context.
  non_partitioned_context(operator_base& op, partition_host& host)
      : runtime_context{op.environment()}, host_{&host}, watermarks_{op} {}

  /// Calls `visit` in each partition of this subtask. On a keyed stream those are the keys that
  /// have state, restored ones included: `visit(collector<R>&, keyed_context<K>&)` may read, change
  /// and clear it. On any other stream there is one: `visit(collector<R>&, partitioned_context&)`.
  /// A function with two outputs has two collectors here, too. Not from within itself.
  /// Errors: throws `state_error` if the types are not those of the function.
  template <class Visit>
  void apply_to_all_partitions(Visit visit) {
    using visitor = visitor_of<Visit>;
    static_assert(!std::is_void_v<visitor>,
                  "apply_to_all_partitions(f): f must be a function object "
                  "`void f(collector<R>&, keyed_context<K>&)`, or with a `partitioned_context&` "
                  "where there are no keys, and not generic");
    if constexpr (!std::is_void_v<visitor>) {
      visitor made{std::move(visit)};
      host_->visit_partitions(made);
    }
  }

  /// Emits the job's own watermarks.
  dataflow::watermark_manager& watermark_manager() { return watermarks_; }

 private:
  partition_host* host_;
  dataflow::watermark_manager watermarks_;
};

}  // namespace weir::dataflow

namespace weir {
using dataflow::non_partitioned_context;
}
