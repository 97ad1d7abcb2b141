// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "weir/dataflow/call_site.hpp"
#include "weir/dataflow/operator_base.hpp"
#include "weir/dataflow/partitioning.hpp"
#include "weir/dataflow/state_legality.hpp"
#include "weir/dataflow/watermark_alignment.hpp"
#include "weir/dataflow/watermark_declaration.hpp"
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
  std::vector<watermark_declaration> watermarks;  ///< custom ones that its function declares
  std::vector<side_output_request> side_outputs;
  call_site where;

  /// Makes the operator of one subtask: a copy of the user's function of its own.
  std::function<std::unique_ptr<operator_base>()> make;

  /// Of a source: its splits, encoded, in order. Blocking.
  std::function<result<std::vector<std::string>>(file_system&)> splits;

  /// Of a source that waits for others.
  std::optional<alignment_options> alignment;

  /// Done once per attempt, before any subtask opens; may be empty. Blocking. An io_error fails the
  /// attempt, other errors the job.
  std::function<status(const attempt_start&)> before_attempt;
};

}  // namespace weir::dataflow
