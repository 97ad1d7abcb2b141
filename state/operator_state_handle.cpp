// SPDX-License-Identifier: Apache-2.0
#include "weir/state/operator_state_handle.hpp"

#include "weir/state/state_error.hpp"

namespace weir::state {

void operator_state_handle::fail_unbound() const {
  throw state_error{"state \"" + name_ +
                    "\" is used but not bound: list it in uses_states(), and use it only while "
                    "the job runs"};
}

}  // namespace weir::state
