// SPDX-License-Identifier: Apache-2.0
#include "weir/dataflow/state_legality.hpp"

namespace weir::dataflow {

std::string_view to_string(function_input input) noexcept {
  switch (input) {
    case function_input::global: return "a global stream";
    case function_input::keyed: return "a keyed stream";
    case function_input::non_keyed: return "a non-keyed stream";
    case function_input::two_global: return "two global streams";
    case function_input::two_keyed: return "two keyed streams";
    case function_input::two_non_keyed: return "two non-keyed streams";
    case function_input::keyed_and_broadcast: return "a keyed and a broadcast stream";
    case function_input::non_keyed_and_broadcast: return "a non-keyed and a broadcast stream";
  }
  return "an unknown stream";
}

}  // namespace weir::dataflow
