// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "weir/dataflow/graph.hpp"

namespace weir::dataflow {

/// A task: operators that run chained, in one actor per subtask.
struct plan_task {
  std::vector<node_index> nodes;  ///< in topological order; the first is the head
  std::uint32_t parallelism = 1;
};

/// Records that go from one task to another.
struct plan_channel {
  std::size_t from_task = 0;
  node_index from;
  std::size_t output = 0;
  std::size_t to_task = 0;
  node_index to;
  std::size_t input = 0;  ///< which of `to`'s edges
  std::size_t port = 0;   ///< which of `to`'s inputs
  partitioning how = partitioning::forward;
  std::string why_not_chained;
};

/// How a job runs: which operators share an actor, and what goes between the actors. A pure
/// function of the graph.
struct plan {
  std::vector<plan_task> tasks;
  std::vector<plan_channel> channels;

  /// The same for the same program: what nodes of a cluster, and checkpoints, compare.
  std::string fingerprint;
};

/// @pre the graph has been built
plan make_plan(const graph& job);

/// The plan for people: tasks, operators with uid, states, and why operators do not chain.
std::string to_text(const graph& job, const plan& p);

/// The plan in the language of Graphviz.
std::string to_dot(const graph& job, const plan& p);

}  // namespace weir::dataflow
