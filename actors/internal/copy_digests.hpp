// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "weir/checkpoint/state_file_writer.hpp"
#include "weir/core/ids.hpp"
#include "weir/dataflow/graph.hpp"

namespace weir::actors::internal {

/// Compares what the subtasks say that their copies of broadcast states come to, checkpoint by
/// checkpoint. A value.
class copy_digests {
 public:
  void add(checkpoint_id id, subtask_index subtask,
           const std::vector<checkpoint::state_digest>& digests) {
    for (const auto& [uid, state, digest] : digests) by_id_[id][{uid, state}][subtask] = digest;
  }

  /// A warning for each broadcast state of an operator of `job` of which not all copies in
  /// checkpoint `id` are the same. Forgets that checkpoint and all before.
  std::vector<std::string> take_warnings(checkpoint_id id, const dataflow::graph& job);

 private:
  using copies = std::map<subtask_index, std::uint64_t>;

  std::map<checkpoint_id, std::map<std::pair<std::string, std::string>, copies>> by_id_;
};

}  // namespace weir::actors::internal
