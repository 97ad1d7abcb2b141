// SPDX-License-Identifier: Apache-2.0
#include "weir/state/state_handle.hpp"

#include "weir/state/state_error.hpp"

namespace weir::state {

std::string_view to_string(redistribution mode) noexcept {
  switch (mode) {
    case redistribution::none: return "none";
    case redistribution::redistributable: return "redistributable";
    case redistribution::identical: return "identical";
  }
  return "unknown";
}

void state_handle::fail_without_row() const {
  if (!bound_)
    throw state_error{"state \"" + name_ +
                      "\" is used but not listed in uses_states(): list it there"};
  throw state_error{"state \"" + name_ +
                    "\": no key set: keyed state can be used only while a record or a timer of a "
                    "key is processed, not in open() or in a callback without a key"};
}

}  // namespace weir::state
