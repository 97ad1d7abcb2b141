// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "examples/nexmark/bids.hpp"

namespace nexmark {

/// A bid in the window that starts at `start`.
struct highest_bid {
  weir::event_time start;
  std::int64_t auction = 0;
  std::int64_t bidder = 0;
  std::int64_t price = 0;
  weir::event_time time;
};

/// Query 7, highest bid: the bid with the highest price of every 10 s; all of them, if there are
/// several. Each bid is in one window: the benchmark's SQL takes one at the very end of a window
/// for that window, too.
weir::data_stream<highest_bid> q7(const weir::data_stream<bid>& bids);

}  // namespace nexmark
