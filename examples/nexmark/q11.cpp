// SPDX-License-Identifier: Apache-2.0
#include "examples/nexmark/q11.hpp"

#include "weir/windowing/session_windows.hpp"

namespace nexmark {

weir::data_stream<bidder_bids> q11(const weir::data_stream<bid>& bids, weir::duration gap) {
  return bids.key_by(&bid::bidder)
      .window(weir::session_event_time(gap))
      .aggregate(count_bids{}, to_bidder_bids{})
      .name("sessions");
}

}  // namespace nexmark
