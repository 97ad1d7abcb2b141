// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "weir/core/ids.hpp"

namespace weir::state {

/// A piece of an operator's snapshot: rows of one section, all of one key group or of none.
/// Sections are named by the operator; a section may come in many chunks, in any order.
struct snapshot_chunk {
  std::string section;
  std::optional<key_group> group;  ///< none: not keyed, belongs to the subtask as a whole
  std::string bytes;
  subtask_index from{};  ///< which subtask wrote it; filled in at restore
};

/// Takes the chunks of one operator's snapshot while it is being taken. The rows of a snapshot may
/// come long after the barrier (see `row_table`). Owned and called by the subtask.
class snapshot_stream {
 public:
  virtual ~snapshot_stream() = default;

  virtual void put(snapshot_chunk chunk) = 0;
};

/// What a restored operator gets: the keyed chunks of its own key groups, and the unkeyed chunks
/// of all former subtasks.
using restored_chunks = std::vector<snapshot_chunk>;

}  // namespace weir::state
