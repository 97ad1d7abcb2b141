// SPDX-License-Identifier: Apache-2.0
#include "weir/dataflow/broadcast_context.hpp"

#include "weir/state/state_error.hpp"

namespace weir::dataflow {

void key_visitor::fail_without_keys() {
  throw state::state_error{
      "apply_to_keyed_state(state, f): there are no keys here: connect a keyed stream to the "
      "broadcast stream"};
}

void key_visitor::fail_as_other_keys() {
  throw state::state_error{
      "apply_to_keyed_state(state, f): f must take the type of the stream's keys: `void f(const K& "
      "key, State& state)`"};
}

}  // namespace weir::dataflow
