// SPDX-License-Identifier: Apache-2.0
#include "weir/actors/internal/copy_digests.hpp"

#include "weir/state/operator_state_format.hpp"

namespace weir::actors::internal {

std::vector<std::string> copy_digests::take_warnings(checkpoint_id id, const dataflow::graph& job) {
  std::vector<std::string> warnings;
  for (const auto& [state, subtasks] : by_id_[id]) {
    const auto& [uid, name] = state;
    for (const auto& node : job.nodes()) {
      if (node.uid != uid) continue;
      auto warning = state::difference_of_copies(node.name, name, subtasks);
      if (!warning) continue;
      warnings.push_back("checkpoint " + std::to_string(id.value) + ": " + *std::move(warning));
    }
  }
  by_id_.erase(by_id_.begin(), by_id_.upper_bound(id));
  return warnings;
}

}  // namespace weir::actors::internal
