// SPDX-License-Identifier: Apache-2.0
#include "weir/actors/internal/input_gate.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <variant>

namespace weir::actors::internal {

using dataflow::control;
using dataflow::control_kind;

input_gate::input_gate(std::size_t channels, std::uint32_t credit, gate_mutations mutations)
    : channels_(channels),
      valve_{channels},
      aligner_{channels},
      open_channels_{channels},
      credit_{credit},
      mutations_{mutations} {
  for (auto& c : channels_) c.outstanding = credit;
}

void input_gate::start_at(event_time floor) {
  valve_ = dataflow::watermark_valve{channels_.size(), floor};
}

status input_gate::receive(channel_message message) {
  if (message.channel >= channels_.size()) {
    return error{errc::corrupt, "a message for input channel " + std::to_string(message.channel) +
                                    " of " + std::to_string(channels_.size())};
  }
  auto& channel = channels_[message.channel];
  if (message.sequence != channel.next_sequence) {
    return error{errc::corrupt, "input channel " + std::to_string(message.channel) + ": message " +
                                    std::to_string(message.sequence) + " came, " +
                                    std::to_string(channel.next_sequence) + " was expected"};
  }
  ++channel.next_sequence;
  if (message.data) {
    if (channel.outstanding == 0) {
      return error{errc::corrupt, "input channel " + std::to_string(message.channel) +
                                      ": a batch came for which no credit was given"};
    }
    --channel.outstanding;
    ++waiting_batches_;
    waiting_bytes_ += message.data->bytes();
  }
  auto& waiting = channel.waiting;
  const bool coalesce = !message.data && message.signal.kind() == control_kind::watermark &&
                        !waiting.empty() && !waiting.back().data &&
                        waiting.back().signal.kind() == control_kind::watermark;
  if (coalesce) {
    waiting.back().signal = message.signal;
  } else if (mutations_.barrier_overtakes_data && !message.data &&
             message.signal.kind() == control_kind::barrier) {
    waiting.push_front(std::move(message));
  } else {
    waiting.push_back(std::move(message));
  }
  return {};
}

status input_gate::trigger(checkpoint_id id) { return act(aligner_.on_trigger(id)); }

void input_gate::abort(checkpoint_id id) {
  // Releasing channels and passing the news on cannot fail.
  const auto done = act(aligner_.on_cancel(id));
  static_cast<void>(done);
}

status input_gate::feed(dataflow::chain& chain) {
  while (chain.no_control_inside()) {
    if (!to_admit_.empty()) {
      const control c = to_admit_.front();
      to_admit_.pop_front();
      chain.admit(c);
      end_admitted_ |= c.kind() == control_kind::end_of_input;
      return {};
    }
    status problem;
    if (!take_next(chain, problem)) return problem;
  }
  return {};
}

bool input_gate::can_feed(dataflow::chain& chain) {
  if (!chain.no_control_inside()) return false;
  if (!to_admit_.empty()) return true;
  const bool room = chain.head().input(0).has_room();
  return std::any_of(channels_.begin(), channels_.end(), [&](const channel_state& c) {
    return !c.held && !c.waiting.empty() && (room || !c.waiting.front().data);
  });
}

bool input_gate::take_next(dataflow::chain& chain, status& problem) {
  auto& head = chain.head().input(0);
  for (std::size_t tried = 0; tried < channels_.size(); ++tried) {
    const std::size_t index = next_;
    next_ = (next_ + 1) % channels_.size();
    auto& channel = channels_[index];
    if (channel.held || channel.waiting.empty()) continue;
    auto& front = channel.waiting.front();
    if (!front.data) {
      const control c = front.signal;
      channel.waiting.pop_front();
      problem = take_control(index, c);
      return problem.ok();
    }
    if (!head.has_room()) continue;
    if (front.data->type() != head.type()) {
      problem = error{errc::corrupt, "a batch of another record type came"};
      return false;
    }
    --waiting_batches_;
    waiting_bytes_ -= front.data->bytes();
    in_head_.push_back(index);
    head.push_erased(std::move(front.data));
    channel.waiting.pop_front();
    return true;
  }
  return false;
}

status input_gate::take_control(std::size_t index, control c) {
  switch (c.kind()) {
    case control_kind::watermark: admit_later(valve_.on_watermark(index, c.time())); return {};
    case control_kind::idle: admit_later(valve_.on_idle(index)); return {};
    case control_kind::active: admit_later(valve_.on_active(index)); return {};
    case control_kind::barrier: return act(aligner_.on_barrier(index, c.checkpoint()));
    case control_kind::end_of_input: break;
  }
  channels_[index].ended = true;
  --open_channels_;
  admit_later(valve_.on_end(index));
  if (auto done = act(aligner_.on_end_of_input(index)); !done) return done;
  if (open_channels_ == 0) admit_later(control::end_of_input());
  return {};
}

status input_gate::act(const result<checkpoint::alignment_actions>& actions) {
  if (!actions) return actions.failure();
  for (const auto& action : *actions) {
    if (const auto* hold = std::get_if<checkpoint::hold_channel>(&action)) {
      channels_[hold->channel].held = true;
    } else if (const auto* release = std::get_if<checkpoint::release_channels>(&action)) {
      for (const auto channel : release->channels) channels_[channel].held = false;
    } else if (const auto* complete = std::get_if<checkpoint::alignment_complete>(&action)) {
      admit_later(control::barrier(complete->id));
    }
    // An abandoned alignment needs nothing more: the coordinator tells everybody.
  }
  return {};
}

void input_gate::admit_later(const std::vector<control>& controls) {
  for (const auto& c : controls) admit_later(c);
}

void input_gate::admit_later(control c) {
  const bool coalesce = !to_admit_.empty() && c.kind() == control_kind::watermark &&
                        to_admit_.back().kind() == control_kind::watermark;
  if (coalesce) to_admit_.pop_back();
  to_admit_.push_back(c);
}

void input_gate::return_credit(dataflow::chain& chain,
                               const std::function<void(std::size_t, std::uint32_t)>& give) {
  auto& head = chain.head().input(0);
  for (; returned_ < head.finished(); ++returned_) {
    const std::size_t index = in_head_.front();
    in_head_.pop_front();
    auto& channel = channels_[index];
    if (++channel.held_credit < std::max<std::uint32_t>(1, credit_ / 2)) continue;
    channel.outstanding += channel.held_credit;
    give(index, std::exchange(channel.held_credit, 0));
  }
}

}  // namespace weir::actors::internal
