// SPDX-License-Identifier: Apache-2.0
#include "weir/dataflow/plan.hpp"

#include <utility>

#include "weir/core/hash.hpp"

namespace weir::dataflow {
namespace {

/// Forward between different parallelisms is not possible: such an edge is rebalanced. Records that
/// are with their keys already stay there.
partitioning effective(const graph& job, const graph_edge& edge, const graph_node& to) {
  const auto& from = job.at(edge.from);
  const bool same = from.parallelism == to.parallelism;
  if (edge.how == partitioning::forward && !same) return partitioning::rebalance;
  const bool in_place = edge.keyed_already && same && from.max_parallelism == to.max_parallelism;
  return in_place ? partitioning::forward : edge.how;
}

/// Empty if the edge chains.
std::string why_not_chained(const graph& job, const graph_node& to, const graph_edge& edge) {
  const auto& from = job.at(edge.from);
  if (to.inputs.size() > 1) return "the receiver has several inputs";
  if (!to.chainable) return "chaining is switched off";
  if (from.parallelism != to.parallelism) return "the parallelisms differ";
  const auto how = effective(job, edge, to);
  if (how == partitioning::forward || to.parallelism == 1) return {};
  return std::string{"partitioned by "} + std::string{to_string(how)};
}

std::string fingerprint_of(const graph& job) {
  std::string content;
  for (const auto& node : job.nodes()) {
    content += node.uid + ' ' + node.kind + ' ' + std::to_string(node.max_parallelism);
    for (const auto& state : node.states) content += ' ' + state.name + ' ' + state.type;
    for (const auto& edge : node.inputs) {
      content += ' ' + job.at(edge.from).uid + ':' + std::to_string(edge.output) +
                 std::string{to_string(edge.how)};
    }
    content += '\n';
  }
  return std::to_string(stable_hash(content));
}

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out;
}

/// A keyed state without TTL may grow for ever: so that is said, too.
std::string ttl_of(const state::state_declaration& state) {
  if (state.mode != state::redistribution::none) return {};
  return state.ttl ? ", TTL " + to_string(*state.ttl) : ", no TTL";
}

}  // namespace

plan make_plan(const graph& job) {
  plan p;
  std::vector<std::size_t> task_of(job.nodes().size());
  for (std::uint32_t i = 0; i < job.nodes().size(); ++i) {
    const auto& node = job.nodes()[i];
    const bool chains =
        node.inputs.size() == 1 && why_not_chained(job, node, node.inputs.front()).empty();
    if (chains) {
      task_of[i] = task_of[node.inputs.front().from.value];
    } else {
      task_of[i] = p.tasks.size();
      p.tasks.push_back({{}, node.parallelism});
    }
    p.tasks[task_of[i]].nodes.push_back({i});
    if (chains) continue;
    for (std::size_t input = 0; input < node.inputs.size(); ++input) {
      const auto& edge = node.inputs[input];
      p.channels.push_back({task_of[edge.from.value],
                            edge.from,
                            edge.output,
                            task_of[i],
                            {i},
                            input,
                            edge.port,
                            effective(job, edge, node),
                            why_not_chained(job, node, edge)});
    }
  }
  p.fingerprint = fingerprint_of(job);
  return p;
}

std::string to_text(const graph& job, const plan& p) {
  std::string text;
  for (std::size_t t = 0; t < p.tasks.size(); ++t) {
    text += "task " + std::to_string(t + 1) + " (parallelism " +
            std::to_string(p.tasks[t].parallelism) + ")\n";
    for (const auto& channel : p.channels) {
      if (channel.to_task != t) continue;
      text += "  from task " + std::to_string(channel.from_task + 1) + " by " +
              std::string{to_string(channel.how)} + ": " + channel.why_not_chained + '\n';
    }
    for (const auto index : p.tasks[t].nodes) {
      const auto& node = job.at(index);
      text += "  " + node.kind + " \"" + node.name + "\"  uid " + node.uid +
              (node.uid_given ? "" : " (derived)") + '\n';
      for (const auto& state : node.states) {
        text += "    state \"" + state.name + "\": " + std::string{state.kind} + " of " +
                state.type + ", " + std::string{state::to_string(state.mode)} + ttl_of(state) +
                '\n';
      }
      for (const auto& declared : node.watermarks) {
        text += "    watermark \"" + declared.identifier + "\": " + to_string(declared) + '\n';
      }
    }
  }
  return text;
}

std::string to_dot(const graph& job, const plan& p) {
  std::string text = "digraph job {\n  node [shape=box];\n";
  for (std::size_t t = 0; t < p.tasks.size(); ++t) {
    text += "  subgraph cluster_" + std::to_string(t) + " {\n    label=\"task " +
            std::to_string(t + 1) + " x" + std::to_string(p.tasks[t].parallelism) + "\";\n";
    for (const auto index : p.tasks[t].nodes) {
      text += "    n" + std::to_string(index.value) + " [label=\"" + escaped(job.at(index).name) +
              "\"];\n";
    }
    text += "  }\n";
  }
  for (std::uint32_t i = 0; i < job.nodes().size(); ++i) {
    for (const auto& edge : job.nodes()[i].inputs) {
      text += "  n" + std::to_string(edge.from.value) + " -> n" + std::to_string(i) + " [label=\"" +
              std::string{to_string(effective(job, edge, job.nodes()[i]))} + "\"];\n";
    }
  }
  return text + "}\n";
}

}  // namespace weir::dataflow
