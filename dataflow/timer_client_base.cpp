// SPDX-License-Identifier: Apache-2.0
#include "weir/dataflow/timer_client_base.hpp"

#include <algorithm>
#include <utility>

namespace weir::dataflow {

void timer_client_base::begin_advance(event_time watermark) {
  until_ = watermark.ms;
  advancing_ = true;
  more_ = false;
  advance_request_ = request_state::to_send;
}

void timer_client_base::note_answer(const timer_answer& answer) {
  advance_request_ = request_state::none;
  more_ = answer.more;
  // The service knew all that was registered before the request, and perhaps not what came after.
  due_ = std::min(answer.earliest_event.ms, registered_);
}

void timer_client_base::add_requests(timer_message& message) {
  if (advance_request_ == request_state::to_send) {
    message.requests.push_back({operator_index_, timer_domain::event, {until_}});
    advance_request_ = request_state::sent;
    registered_ = no_time;
  }
  if (std::exchange(processing_done_, false))
    message.requests.push_back({operator_index_, timer_domain::processing, {}});
}

}  // namespace weir::dataflow
