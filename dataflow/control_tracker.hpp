// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace weir::dataflow {

/// Counts the control elements on their way through a chain: one for each leaf of the chain that
/// a control element has still to reach. Owned by the chain.
struct control_tracker {
  std::size_t inside = 0;
  bool barrier_inside = false;  ///< from the admission of a barrier until the subtask has its cut

  void enter(std::size_t leaves) { inside += leaves; }
  void leave(std::size_t leaves) { inside -= leaves; }
};

}  // namespace weir::dataflow
