// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "weir/core/file_system.hpp"
#include "weir/core/ids.hpp"
#include "weir/core/result.hpp"
#include "weir/dataflow/call_site.hpp"
#include "weir/dataflow/operator_base.hpp"
#include "weir/dataflow/partitioning.hpp"
#include "weir/dataflow/state_legality.hpp"
#include "weir/state/state_declaration.hpp"

namespace weir::dataflow {

/// Records that go from one operator to another.
struct graph_edge {
  node_index from;
  std::size_t output = 0;  ///< which output of `from`
  std::size_t port = 0;    ///< which input of the receiver
  partitioning how = partitioning::forward;
  /// With `hash`: the records are with their keys already, if sender and receiver have the same
  /// parallelism and the same key groups.
  bool keyed_already = false;
  type_tag type = nullptr;

  /// Makes the end of the sender's chain, where the two do not chain. `max_parallelism` is that of
  /// the receiver.
  std::function<std::unique_ptr<operator_base>(partitioning, std::uint32_t max_parallelism)>
      make_channel;
};

/// A side output that some stream reads.
struct side_output_request {
  std::string tag;
  type_tag type = nullptr;
  std::function<std::unique_ptr<output_base>()> make;
};

/// What operators may need before an attempt starts.
struct attempt_start {
  std::string job;
  incarnation current;
  file_system* files = nullptr;
  state::restored_chunks chunks;  ///< unkeyed ones, of all former subtasks; empty at the beginning
};

/// An operator of the job, once, whatever its parallelism.
struct graph_node {
  std::string kind;  ///< "map", "source", "tumbling window"
  std::string name;
  std::string uid;  ///< empty: derived by `graph::build`
  bool uid_given = false;
  std::uint32_t parallelism = 0;             ///< filled in by `graph::build`
  std::uint32_t max_parallelism = 0;         ///< the same
  std::uint32_t wanted_parallelism = 0;      ///< 0: the job's
  std::uint32_t wanted_max_parallelism = 0;  ///< 0: the default for the parallelism
  bool keyed = false;
  bool chainable = true;         ///< with the operator before it
  bool single = false;           ///< of a global stream: it has one subtask, whatever the job has
  std::size_t main_outputs = 1;  ///< the outputs in front of its side outputs
  /// What the user's function is given; none if it is not one that can declare states.
  std::optional<function_input> function;
  std::vector<graph_edge> inputs;
  std::vector<state::state_declaration> states;
  std::vector<side_output_request> side_outputs;
  call_site where;

  /// Makes the operator of one subtask: a copy of the user's function of its own.
  std::function<std::unique_ptr<operator_base>()> make;

  /// Of a source: its splits, encoded, in order. Blocking.
  std::function<result<std::vector<std::string>>(file_system&)> splits;

  /// Done once per attempt, before any subtask opens; may be empty. Blocking. Its failure fails the
  /// job.
  std::function<status(const attempt_start&)> before_attempt;
};

/// The operators of a job and how records go between them. Building it never stops at the first
/// error: errors gather, with the place of the call, and `build` returns them all.
class graph {
 public:
  node_index add(graph_node node);

  graph_node& at(node_index index) { return nodes_[index.value]; }
  const graph_node& at(node_index index) const { return nodes_[index.value]; }
  const std::vector<graph_node>& nodes() const { return nodes_; }

  /// Output number of the side output `request`, which is made on the first call.
  std::size_t side_output(node_index node, side_output_request request);

  void report(call_site where, std::string message);

  /// Fills in parallelisms and uids, and checks everything. Called before a plan is made; may be
  /// called again. Errors: invalid_argument with all messages, a line each.
  status build(std::uint32_t job_parallelism);

 private:
  void derive_uids();
  void check_uids(std::vector<std::string>& errors) const;
  void spread_nodes(std::uint32_t job_parallelism, std::vector<std::string>& errors);
  void check_node(const graph_node& node, std::vector<std::string>& errors) const;
  void check_states(const graph_node& node, std::vector<std::string>& errors) const;

  std::vector<graph_node> nodes_;
  std::vector<std::string> errors_;
};

}  // namespace weir::dataflow
