// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "weir/state/restored_chunks.hpp"

namespace weir::state {

/// Takes the chunks of one operator's snapshot while it is being taken. The rows of a snapshot may
/// come long after the barrier (see `row_table`). Owned and called by the subtask.
class snapshot_stream {
 public:
  virtual ~snapshot_stream() = default;

  virtual void put(snapshot_chunk chunk) = 0;

  /// Says what the content of a state comes to, whatever its order, that is to be the same in all
  /// subtasks. Who compares them warns of differences.
  virtual void put_digest(const std::string& /*state*/, std::uint64_t /*digest*/) {}
};

}  // namespace weir::state
