// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "weir/core/ids.hpp"
#include "weir/core/result.hpp"
#include "weir/dataflow/graph_node.hpp"
#include "weir/dataflow/watermark_table.hpp"

namespace weir::dataflow {

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

  /// The custom watermarks that its functions declare. @pre the graph has been built
  const std::shared_ptr<const watermark_table>& watermarks() const { return watermarks_; }

 private:
  void derive_uids();
  void check_uids(std::vector<std::string>& errors) const;
  void spread_nodes(std::uint32_t job_parallelism, std::vector<std::string>& errors);
  void check_node(const graph_node& node, std::vector<std::string>& errors) const;
  void check_states(const graph_node& node, std::vector<std::string>& errors) const;
  void collect_watermarks(std::vector<std::string>& errors);

  std::vector<graph_node> nodes_;
  std::vector<std::string> errors_;
  std::shared_ptr<const watermark_table> watermarks_;
};

}  // namespace weir::dataflow
