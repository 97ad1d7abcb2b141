// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>

#include "weir/state/snapshot_stream.hpp"

namespace weir::testing {

/// A snapshot that is kept in memory, as it is restored.
class collected_chunks final : public state::snapshot_stream {
 public:
  void put(state::snapshot_chunk chunk) override { chunks.push_back(std::move(chunk)); }

  std::vector<state::snapshot_chunk> chunks;
};

}  // namespace weir::testing
