// SPDX-License-Identifier: Apache-2.0
#include "weir/dataflow/state_manager.hpp"

#include "weir/dataflow/partitioned_context.hpp"
#include "weir/state/state_error.hpp"

namespace weir::dataflow {

void state_manager::current_key() const {
  throw state::state_error{
      "current_key(): there are no keys here: call key_by(...) before process(...)"};
}

void no_timers::refuse() {
  throw state::state_error{
      "a timer belongs to a key, and there are no keys here: call key_by(...) before process(...)"};
}

}  // namespace weir::dataflow
