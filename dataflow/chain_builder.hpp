// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "weir/core/result.hpp"
#include "weir/dataflow/chain.hpp"
#include "weir/dataflow/plan.hpp"

namespace weir::dataflow {

/// The chain of one subtask of a task, with what leads out of it.
struct built_chain {
  struct exit {
    std::size_t channel = 0;  ///< index in `plan::channels`
    std::size_t place = 0;    ///< of the operator with the `channel_port`, in the chain
  };

  std::unique_ptr<chain> operators;
  std::vector<node_index> nodes;  ///< of the operators at places 0 … nodes.size() − 1
  std::vector<exit> exits;
};

/// Makes the operators of one subtask of task `task` and joins them. Not sealed yet.
/// @pre the graph has been built, and `p` is its plan
result<built_chain> build_chain(const graph& job, const plan& p, std::size_t task);

}  // namespace weir::dataflow
