// SPDX-License-Identifier: Apache-2.0
#include "weir/actors/internal/wiring.hpp"

#include <algorithm>

namespace weir::actors::internal {
namespace {

using dataflow::partitioning;
using dataflow::plan;

/// The number of a channel's exit among those of its sending task.
std::uint32_t exit_of(const plan& p, std::size_t channel) {
  std::uint32_t exit = 0;
  for (std::size_t i = 0; i < channel; ++i) {
    exit += p.channels[i].from_task == p.channels[channel].from_task;
  }
  return exit;
}

/// How many subtasks send to one receiver.
std::uint32_t senders(const plan& p, std::size_t channel) {
  if (p.channels[channel].how == partitioning::forward) return 1;
  return p.tasks[p.channels[channel].from_task].parallelism;
}

/// The first gate channel that belongs to the plan's channel.
std::uint32_t first_gate_channel(const plan& p, std::size_t channel) {
  std::uint32_t first = 0;
  for (std::size_t i = 0; i < channel; ++i) {
    if (p.channels[i].to_task == p.channels[channel].to_task) first += senders(p, i);
  }
  return first;
}

subtask_id of(std::size_t task, std::uint32_t index) {
  return {static_cast<std::uint32_t>(task), subtask_index{index}};
}

}  // namespace

subtask_wiring wire(const plan& p, subtask_id subtask) {
  subtask_wiring wiring;
  const std::uint32_t me = subtask.index.value;
  for (std::size_t c = 0; c < p.channels.size(); ++c) {
    const auto& channel = p.channels[c];
    const bool forward = channel.how == partitioning::forward;
    if (channel.to_task == subtask.task) {
      for (std::uint32_t s = 0; s < senders(p, c); ++s) {
        wiring.inputs.push_back({of(channel.from_task, forward ? me : s), exit_of(p, c),
                                 forward ? 0 : me, static_cast<std::uint8_t>(channel.port)});
      }
    }
    if (channel.from_task != subtask.task) continue;
    const std::uint32_t first = first_gate_channel(p, c);
    auto& receivers = wiring.outputs.emplace_back();
    if (forward) {
      receivers.push_back({of(channel.to_task, me), exit_of(p, c), first, 0});
      continue;
    }
    for (std::uint32_t r = 0; r < p.tasks[channel.to_task].parallelism; ++r) {
      receivers.push_back({of(channel.to_task, r), exit_of(p, c), first + me, 0});
    }
  }
  return wiring;
}

std::uint32_t credit_per_channel(std::uint32_t per_channel, std::uint32_t per_subtask,
                                 std::size_t channels) {
  if (channels == 0) return per_channel;
  const auto share = per_subtask / static_cast<std::uint32_t>(channels);
  return std::min(per_channel, std::max<std::uint32_t>(2, share));
}

}  // namespace weir::actors::internal
