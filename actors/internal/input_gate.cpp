// SPDX-License-Identifier: Apache-2.0
#include "weir/actors/internal/input_gate.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <variant>

#include "weir/dataflow/waiting_signals.hpp"

namespace weir::actors::internal {

using dataflow::control;
using dataflow::control_kind;

input_gate::input_gate(gate_spec spec)
    : channels_(spec.ports.size()),
      custom_{std::move(spec.watermarks)},
      aligner_{spec.ports.size()},
      open_channels_{spec.ports.size()},
      credit_{spec.credit},
      mutations_{spec.mutations} {
  std::vector<std::size_t> of_port(1, 0);
  for (std::size_t i = 0; i < channels_.size(); ++i) {
    const auto port = spec.ports[i];
    if (port >= of_port.size()) of_port.resize(port + std::size_t{1}, 0);
    channels_[i].port = port;
    channels_[i].number = of_port[port]++;
    channels_[i].outstanding = spec.credit;
  }
  for (const auto channels : of_port) {
    ports_.push_back({dataflow::watermark_valve{channels}, channels, channels, {}, 0});
  }
}

void input_gate::start_at(const gate_watermarks& floor) {
  const bool several = ports_.size() > 1;
  const bool stored = floor.ports.size() == ports_.size();
  const auto start = [&](std::size_t port) {
    return several && stored ? floor.ports[port] : floor.combined;
  };
  for (std::size_t port = 0; port < ports_.size(); ++port) {
    ports_[port].valve = dataflow::watermark_valve{ports_[port].channels, start(port)};
  }
  ++watermark_changes_;
  if (several) both_ = dataflow::two_input_watermarks{floor.combined, start(0), start(1)};
}

gate_watermarks input_gate::watermarks() const {
  if (ports_.size() == 1) return {ports_[0].valve.current(), {}};
  gate_watermarks now{both_.current(), {}};
  for (const auto& port : ports_) now.ports.push_back(port.valve.current());
  return now;
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
  if (!message.data && dataflow::is_signal(message.signal)) {
    dataflow::push_signal(waiting, std::move(message));
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
  return std::any_of(channels_.begin(), channels_.end(), [&](const channel_state& c) {
    if (c.held || c.waiting.empty()) return false;
    return !c.waiting.front().data || chain.head().input(c.port).has_room();
  });
}

bool input_gate::take_next(dataflow::chain& chain, status& problem) {
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
    auto& head = chain.head().input(channel.port);
    if (!head.has_room()) continue;
    if (front.data->type() != head.type()) {
      problem = error{errc::corrupt, "a batch of another record type came"};
      return false;
    }
    --waiting_batches_;
    waiting_bytes_ -= front.data->bytes();
    ports_[channel.port].in_head.push_back(index);
    head.push_erased(std::move(front.data));
    channel.waiting.pop_front();
    return true;
  }
  return false;
}

status input_gate::take_control(std::size_t index, control c) {
  const auto port = channels_[index].port;
  const auto number = channels_[index].number;
  auto& valve = ports_[port].valve;
  switch (c.kind()) {
    case control_kind::watermark: admit_valve(port, valve.on_watermark(number, c.time())); break;
    case control_kind::idle: admit_valve(port, valve.on_idle(number)); break;
    case control_kind::active: admit_valve(port, valve.on_active(number)); break;
    case control_kind::barrier: return act(aligner_.on_barrier(index, c.checkpoint()));
    case control_kind::end_of_input: return take_end(index);
    case control_kind::custom: return take_custom(index, c);
    case control_kind::input_ended:
      return error{errc::corrupt, "the end of one input came through a channel"};
  }
  return {};
}

status input_gate::take_custom(std::size_t index, control c) {
  const auto& channel = channels_[index];
  auto combined = custom_.take({channel.port, channel.number, ports_[channel.port].channels}, c);
  if (!combined) return std::move(combined).failure();
  if (*combined) admit_later(**combined);
  return {};
}

status input_gate::take_end(std::size_t index) {
  auto& channel = channels_[index];
  auto& port = ports_[channel.port];
  channel.ended = true;
  --open_channels_;
  --port.open_channels;
  admit_valve(channel.port, port.valve.on_end(channel.number));
  if (ports_.size() > 1 && port.open_channels == 0) {
    admit_later(control::input_ended(channel.port));
  }
  if (open_channels_ == 0) admit_later(control::end_of_input());
  // In front of the barrier that it may complete: the senders had ended before theirs.
  return act(aligner_.on_end_of_input(index));
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
    // An abandoned alignment needs nothing more: the coordinator tells
    // everybody.
  }
  return {};
}

std::optional<std::size_t> input_gate::holding_back(std::size_t port) const {
  const auto number = ports_[port].valve.holding_back();
  if (!number) return std::nullopt;
  for (std::size_t i = 0; i < channels_.size(); ++i) {
    if (channels_[i].port == port && channels_[i].number == *number) return i;
  }
  return std::nullopt;
}

void input_gate::admit_valve(std::uint8_t port, const std::vector<control>& controls) {
  ++watermark_changes_;
  for (const auto& c : controls) {
    if (ports_.size() == 1) {
      admit_later(c);
      continue;
    }
    for (const auto& combined : both_.on_control(port, c)) admit_later(combined);
  }
}

void input_gate::admit_later(control c) {
  const bool coalesce = !to_admit_.empty() && c.kind() == control_kind::watermark &&
                        to_admit_.back().kind() == control_kind::watermark;
  if (coalesce) to_admit_.pop_back();
  to_admit_.push_back(c);
}

void input_gate::return_credit(dataflow::chain& chain,
                               const std::function<void(std::size_t, std::uint32_t)>& give) {
  for (std::size_t i = 0; i < chain.head().inputs(); ++i) {
    auto& port = ports_[i];
    for (const auto finished = chain.head().input(i).finished(); port.returned < finished;
         ++port.returned) {
      const std::size_t index = port.in_head.front();
      port.in_head.pop_front();
      auto& channel = channels_[index];
      if (++channel.held_credit < std::max<std::uint32_t>(1, credit_ / 2)) continue;
      channel.outstanding += channel.held_credit;
      give(index, std::exchange(channel.held_credit, 0));
    }
  }
}

}  // namespace weir::actors::internal
