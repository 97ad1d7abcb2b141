// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string_view>

#include "weir/dataflow/batch.hpp"

namespace weir::dataflow {

/// Which subtask of the receiving task gets a record.
enum class partitioning {
  forward,    ///< The one with the sender's index; both tasks have the same parallelism.
  hash,       ///< The owner of the key's group.
  rebalance,  ///< Each in turn, batch by batch.
  broadcast,  ///< All of them.
  global      ///< The first.
};

std::string_view to_string(partitioning p) noexcept;

/// Fills the hash column of a batch with the stable hashes of the records' keys.
template <class T>
using batch_hasher = std::function<void(batch<T>&)>;

}  // namespace weir::dataflow
