// SPDX-License-Identifier: Apache-2.0
#include "weir/dataflow/graph.hpp"

#include <map>
#include <set>
#include <utility>

#include "weir/core/hash.hpp"
#include "weir/core/key_groups.hpp"

namespace weir::dataflow {
namespace {

std::string described(const graph_node& node) {
  return node.where.text() + ": operator \"" + node.name + "\"";
}

std::string hex(std::uint64_t value) {
  static constexpr char digits[] = "0123456789abcdef";
  std::string text(16, '0');
  for (std::size_t i = 16; i-- > 0; value >>= 4) text[i] = digits[value & 15];
  return text;
}

}  // namespace

node_index graph::add(graph_node node) {
  nodes_.push_back(std::move(node));
  return {static_cast<std::uint32_t>(nodes_.size() - 1)};
}

std::size_t graph::side_output(node_index index, side_output_request request) {
  auto& sides = at(index).side_outputs;
  for (std::size_t i = 0; i < sides.size(); ++i) {
    if (sides[i].tag != request.tag) continue;
    if (sides[i].type != request.type) {
      report(at(index).where, "side output \"" + request.tag + "\" of operator \"" +
                                  at(index).name + "\" is read with two record types");
    }
    return at(index).main_outputs + i;
  }
  sides.push_back(std::move(request));
  return at(index).main_outputs + sides.size() - 1;
}

void graph::report(call_site where, std::string message) {
  errors_.push_back(where.text() + ": " + std::move(message));
}

void graph::derive_uids() {
  std::map<std::string, std::uint32_t> used;
  for (auto& node : nodes_) {
    if (node.uid_given) continue;
    std::string content = node.kind + '\n' + node.name;
    for (const auto& edge : node.inputs) {
      content += '\n' + at(edge.from).uid + ':' + std::to_string(edge.output);
    }
    for (const auto& state : node.states) content += "\n" + state.name + ' ' + state.type;
    std::string uid = hex(stable_hash(content));
    const std::uint32_t twin = used[uid]++;
    node.uid = twin == 0 ? uid : uid + '-' + std::to_string(twin);
  }
}

void graph::check_uids(std::vector<std::string>& errors) const {
  std::map<std::string, const graph_node*> seen;
  for (const auto& node : nodes_) {
    if (node.uid.empty()) errors.push_back(described(node) + ": its uid is empty");
    if (node.uid.starts_with('~')) {
      errors.push_back(described(node) + ": uid \"" + node.uid +
                       "\" begins with '~', which is kept for the engine");
    }
    const auto [at, fresh] = seen.emplace(node.uid, &node);
    if (fresh) continue;
    errors.push_back(described(node) + ": uid \"" + node.uid + "\" is taken by operator \"" +
                     at->second->name + "\" (" + at->second->where.text() +
                     "); give each operator a uid of its own");
  }
}

void graph::check_node(const graph_node& node, std::vector<std::string>& errors) const {
  if (auto fits = check_parallelism(node.parallelism, node.max_parallelism); !fits) {
    errors.push_back(described(node) + ": " + fits.error_text());
  }
  check_states(node, errors);
}

void graph::check_states(const graph_node& node, std::vector<std::string>& errors) const {
  if (auto fits = state::check_declarations(node.states); !fits) {
    errors.push_back(described(node) + ": " + fits.error_text());
  }
  if (!node.function) return;
  for (const auto& state : node.states) {
    if (may_declare(*node.function, state.mode)) continue;
    std::string text = described(node) + ": state \"" + state.name + "\" (" + state.kind + " of " +
                       state.type + ") has redistribution mode " +
                       std::string{to_string(state.mode)} + ", which a function on " +
                       std::string{to_string(*node.function)} + " may not declare: ";
    text += state.mode == state::redistribution::identical
                ? "connect a broadcast stream"
                : "call key_by(...) first, or use an operator_list_state";
    errors.push_back(std::move(text));
  }
}

void graph::collect_watermarks(std::vector<std::string>& errors) {
  std::vector<watermark_declaration> all;
  std::map<std::string, std::pair<const graph_node*, const watermark_declaration*>> seen;
  for (const auto& node : nodes_) {
    for (const auto& declared : node.watermarks) {
      const auto begin = described(node) + ": watermark \"" + declared.identifier + "\" ";
      all.push_back(declared);
      if (declared.identifier.empty()) errors.push_back(begin + "has an empty identifier");
      if (declared.aligned) {
        errors.push_back(begin +
                         "is aligned: it would block a channel until the others have sent theirs, "
                         "and the barriers of checkpoints behind it with the channel; "
                         "use wait_for_all without it");
      }
      const auto [at, fresh] = seen.emplace(declared.identifier, std::pair{&node, &declared});
      const auto& [other, earlier] = at->second;
      if (fresh || *earlier == declared) continue;
      errors.push_back(begin + "is declared as " + to_string(declared) + ", and by operator \"" +
                       other->name + "\" (" + other->where.text() + ") as " + to_string(*earlier) +
                       "; give it another identifier, or declare it alike");
    }
  }
  watermarks_ = std::make_shared<const watermark_table>(std::move(all));
}

void graph::spread_nodes(std::uint32_t job_parallelism, std::vector<std::string>& errors) {
  for (auto& node : nodes_) {
    node.parallelism = node.wanted_parallelism != 0 ? node.wanted_parallelism : job_parallelism;
    if (node.single) {
      if (node.wanted_parallelism > 1) {
        errors.push_back(described(node) + ": parallelism " +
                         std::to_string(node.wanted_parallelism) +
                         ", but a global stream is one partition: leave it at 1");
      }
      node.parallelism = 1;
    }
    node.max_parallelism = node.wanted_max_parallelism != 0
                               ? node.wanted_max_parallelism
                               : default_max_parallelism(node.parallelism);
  }
}

status graph::build(std::uint32_t job_parallelism) {
  auto errors = errors_;
  spread_nodes(job_parallelism, errors);
  if (job_parallelism == 0) errors.push_back("parallelism 0: a job needs at least 1");
  if (nodes_.empty()) errors.push_back("the job has no operators: start with a source");
  derive_uids();
  check_uids(errors);
  if (job_parallelism != 0) {
    for (const auto& node : nodes_) check_node(node, errors);
  }
  collect_watermarks(errors);
  if (errors.empty()) return {};
  std::string text;
  for (const auto& line : errors) text += (text.empty() ? "" : "\n") + line;
  return error{errc::invalid_argument, text};
}

}  // namespace weir::dataflow
