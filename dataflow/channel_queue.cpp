// SPDX-License-Identifier: Apache-2.0
#include "weir/dataflow/channel_queue.hpp"

#include <utility>

#include "weir/dataflow/waiting_signals.hpp"

namespace weir::dataflow {
void channel_queue::push(erased_batch data, in_flight_bytes& bytes) {
  bytes.add(data->bytes());
  ++batches_;
  waiting_.push_back({std::move(data), control::idle()});
}

void channel_queue::push(control c) {
  if (is_signal(c)) return push_signal(waiting_, {{}, c});
  ++unconditional_;
  waiting_.push_back({{}, c});
}

bool channel_queue::may_go(const element& e) const {
  if (e.data || is_signal(e.signal)) return credit_ > 0;
  return true;
}

void channel_queue::send(std::uint32_t channel, channel_sender& sender, in_flight_bytes& bytes) {
  while (!waiting_.empty()) {
    auto& front = waiting_.front();
    // A barrier takes the signals in front of it along: only data may hold it up.
    const bool goes_along = !front.data && batches_ == 0 && unconditional_ > 0;
    if (!goes_along && !may_go(front)) return;
    element e = std::move(front);
    waiting_.pop_front();
    if (e.data) {
      --batches_;
      --credit_;
      bytes.remove(e.data->bytes());
      sender.send_data(channel, std::move(e.data));
    } else {
      if (!is_signal(e.signal)) --unconditional_;
      sender.send_control(channel, e.signal);
    }
  }
}

}  // namespace weir::dataflow
