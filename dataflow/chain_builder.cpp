// SPDX-License-Identifier: Apache-2.0
#include "weir/dataflow/chain_builder.hpp"

#include <map>
#include <utility>

namespace weir::dataflow {

result<built_chain> build_chain(const graph& job, const plan& p, std::size_t task) {
  built_chain built{std::make_unique<chain>(), {}, {}};
  auto& operators = *built.operators;
  std::map<std::uint32_t, std::size_t> place_of;
  for (const auto index : p.tasks[task].nodes) {
    const auto& node = job.at(index);
    auto op = node.make();
    for (const auto& side : node.side_outputs) op->add_side_output(side.tag, side.make());
    const std::size_t place = operators.add(std::move(op));
    place_of[index.value] = place;
    built.nodes.push_back(index);
    if (place == 0) continue;
    const auto& edge = node.inputs.front();
    if (auto done = operators.connect(place_of.at(edge.from.value), edge.output, place); !done) {
      return std::move(done).failure().within("operator \"" + node.name + "\"");
    }
  }
  for (std::size_t i = 0; i < p.channels.size(); ++i) {
    const auto& channel = p.channels[i];
    if (channel.from_task != task) continue;
    const auto& receiver = job.at(channel.to);
    const auto& edge = receiver.inputs[channel.input];
    const std::size_t place =
        operators.add(edge.make_channel(channel.how, receiver.max_parallelism));
    auto done = operators.connect(place_of.at(channel.from.value), channel.output, place);
    if (!done) return std::move(done).failure().within("operator \"" + receiver.name + "\"");
    built.exits.push_back({i, place});
  }
  return built;
}

}  // namespace weir::dataflow
