// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "weir/actors/internal/messages.hpp"
#include "weir/dataflow/plan.hpp"

namespace weir::actors::internal {

/// The channels of one subtask: who sends to each channel of its gate, and who receives from each
/// of its exits.
struct subtask_wiring {
  std::vector<channel_end> inputs;
  std::vector<std::vector<channel_end>> outputs;
};

/// A pure function of the plan: both ends of a channel see it alike.
subtask_wiring wire(const dataflow::plan& p, subtask_id subtask);

/// Batches that each of `channels` input channels is granted, so that all together stay within the
/// subtask's budget: at least 2 each, unless `per_channel` is 1.
std::uint32_t credit_per_channel(std::uint32_t per_channel, std::uint32_t per_subtask,
                                 std::size_t channels);

}  // namespace weir::actors::internal
