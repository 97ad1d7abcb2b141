// SPDX-License-Identifier: Apache-2.0
#include "weir/dataflow/channel_queue.hpp"

#include <utility>

namespace weir::dataflow {
namespace {

bool is_signal(const control& c) {
  return c.kind() == control_kind::watermark || c.kind() == control_kind::idle ||
         c.kind() == control_kind::active;
}

/// What two signals in a row come to: idle and active cancel each other out, the later of two
/// watermarks or of two equal statuses counts.
enum class merged { both, later, neither };

merged merge(const control& first, const control& second) {
  if (first.kind() == second.kind()) return merged::later;
  if (first.kind() == control_kind::watermark || second.kind() == control_kind::watermark) {
    return merged::both;
  }
  return merged::neither;
}

}  // namespace

void channel_queue::push(erased_batch data, in_flight_bytes& bytes) {
  bytes.add(data->bytes());
  ++batches_;
  waiting_.push_back({std::move(data), control::idle()});
}

void channel_queue::push(control c) {
  if (!is_signal(c)) {
    ++unconditional_;
  } else if (!waiting_.empty() && !waiting_.back().data && is_signal(waiting_.back().signal)) {
    switch (merge(waiting_.back().signal, c)) {
      case merged::both: break;
      case merged::later: waiting_.back().signal = c; return;
      case merged::neither: waiting_.pop_back(); return;
    }
  }
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
