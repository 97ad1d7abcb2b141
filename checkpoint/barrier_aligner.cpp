// SPDX-License-Identifier: Apache-2.0
#include "weir/checkpoint/barrier_aligner.hpp"

#include <algorithm>
#include <string>
#include <utility>

namespace weir::checkpoint {

namespace {

error no_id() { return {errc::invalid_argument, "a barrier without a checkpoint id"}; }

}  // namespace

result<alignment_actions> barrier_aligner::on_barrier(std::size_t channel, checkpoint_id id) {
  if (auto ours = check_channel(channel); !ours) return std::move(ours).failure();
  if (id == checkpoint_id{}) return no_id();
  alignment_actions actions;
  if (!begin(id, actions)) return actions;
  auto& state = channels_[channel];
  if (!state.ended && !state.at_barrier) {
    state.at_barrier = true;
    actions.emplace_back(hold_channel{channel});
  }
  finish_if_aligned(actions);
  return actions;
}

result<alignment_actions> barrier_aligner::on_trigger(checkpoint_id id) {
  if (id == checkpoint_id{}) return no_id();
  alignment_actions actions;
  if (begin(id, actions)) finish_if_aligned(actions);
  return actions;
}

result<alignment_actions> barrier_aligner::on_end_of_input(std::size_t channel) {
  if (auto ours = check_channel(channel); !ours) return std::move(ours).failure();
  auto& state = channels_[channel];
  if (state.ended) {
    return error{errc::invalid_argument,
                 "input channel " + std::to_string(channel) + " has ended a second time"};
  }
  state.ended = true;
  alignment_actions actions;
  if (aligning_) finish_if_aligned(actions);
  return actions;
}

alignment_actions barrier_aligner::on_cancel(checkpoint_id id) {
  alignment_actions actions;
  if (!begin(id, actions)) return actions;
  aligning_ = false;
  actions.emplace_back(alignment_abandoned{id});
  release_all(actions);
  return actions;
}

bool barrier_aligner::begin(checkpoint_id id, alignment_actions& actions) {
  if (id < newest_) return false;
  if (id == newest_) return aligning_;
  if (aligning_) {
    actions.emplace_back(alignment_abandoned{newest_});
    release_all(actions);
  }
  newest_ = id;
  aligning_ = true;
  return true;
}

void barrier_aligner::finish_if_aligned(alignment_actions& actions) {
  const bool aligned = std::all_of(channels_.begin(), channels_.end(),
                                   [](const auto& c) { return c.ended || c.at_barrier; });
  if (!aligned) return;
  aligning_ = false;
  actions.emplace_back(alignment_complete{newest_});
  release_all(actions);
}

void barrier_aligner::release_all(alignment_actions& actions) {
  release_channels held;
  for (std::size_t channel = 0; channel < channels_.size(); ++channel) {
    if (std::exchange(channels_[channel].at_barrier, false)) held.channels.push_back(channel);
  }
  if (!held.channels.empty()) actions.emplace_back(std::move(held));
}

status barrier_aligner::check_channel(std::size_t channel) const {
  if (channel < channels_.size()) return {};
  return error{errc::invalid_argument, "input channel " + std::to_string(channel) +
                                           " does not exist: there are " +
                                           std::to_string(channels_.size())};
}

}  // namespace weir::checkpoint
