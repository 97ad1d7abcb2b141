// SPDX-License-Identifier: Apache-2.0
#include "weir/dataflow/partitioning.hpp"

namespace weir::dataflow {

std::string_view to_string(partitioning p) noexcept {
  switch (p) {
    case partitioning::forward: return "forward";
    case partitioning::hash: return "hash";
    case partitioning::rebalance: return "rebalance";
    case partitioning::broadcast: return "broadcast";
    case partitioning::global: return "global";
  }
  return "?";
}

}  // namespace weir::dataflow
