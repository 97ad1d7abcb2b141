// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "weir/dataflow/channel_operator.hpp"
#include "weir/dataflow/graph.hpp"

namespace weir::dataflow {

/// Where a stream comes from: an output of an operator of a graph. A value; the graph is shared by
/// the environment and all its streams.
struct stream_origin {
  std::shared_ptr<graph> job;
  node_index node;
  std::size_t output = 0;
};

/// The edge along which records of type T leave `from`.
template <class T>
graph_edge edge_from(const stream_origin& from, partitioning how, batch_hasher<T> hasher = {}) {
  graph_edge edge;
  edge.from = from.node;
  edge.output = from.output;
  edge.how = how;
  edge.type = tag_of<T>();
  edge.make_channel = [hasher = std::move(hasher)](partitioning p, std::uint32_t max_parallelism) {
    return std::make_unique<channel_operator<T>>(p, hasher, max_parallelism);
  };
  return edge;
}

/// What all streams can do with the operator that they come from.
template <class Derived>
class stream_base {
 public:
  explicit stream_base(stream_origin origin) : origin_{std::move(origin)} {}

  /// Names the operator, for people.
  Derived name(std::string text) const {
    node().name = std::move(text);
    return self();
  }
  /// Names the operator for checkpoints: its state is found again by it, whatever else changes.
  /// Those that begin with '~' are the engine's own.
  Derived uid(std::string text) const {
    node().uid = std::move(text);
    node().uid_given = true;
    return self();
  }
  Derived parallelism(std::uint32_t subtasks, call_site where = call_site::here()) const {
    if (subtasks == 0) {
      origin_.job->report(where,
                          "operator \"" + node().name + "\": parallelism 0, needs 1 or more");
    } else {
      node().wanted_parallelism = subtasks;
    }
    return self();
  }
  /// How many key groups the operator's keyed state has: the highest parallelism it can ever get.
  Derived max_parallelism(std::uint32_t groups, call_site where = call_site::here()) const {
    if (groups == 0) {
      origin_.job->report(where,
                          "operator \"" + node().name + "\": max parallelism 0, needs 1 or more");
    } else {
      node().wanted_max_parallelism = groups;
    }
    return self();
  }
  /// Keeps the operator out of the chain of the one before it.
  Derived start_new_chain() const {
    node().chainable = false;
    return self();
  }

  const stream_origin& origin() const { return origin_; }

 protected:
  graph_node& node() const { return origin_.job->at(origin_.node); }

 private:
  Derived self() const { return static_cast<const Derived&>(*this); }

  stream_origin origin_;
};

}  // namespace weir::dataflow
