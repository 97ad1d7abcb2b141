// SPDX-License-Identifier: Apache-2.0
#include "weir/dataflow/partition_visitor.hpp"

#include "weir/state/state_error.hpp"

namespace weir::dataflow {

void partition_visitor::fail_as_other_types() {
  throw state::state_error{
      "apply_to_all_partitions(f): f must take a collector<R>& for each output of the function, "
      "and "
      "then a keyed_context<K>& with the keys of the stream, or a partitioned_context& where there "
      "are no keys"};
}

}  // namespace weir::dataflow
