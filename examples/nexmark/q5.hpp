// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "examples/nexmark/bids.hpp"

namespace nexmark {

/// So many bids for an auction in the window [start, end).
struct auction_bids {
  weir::event_time start;
  weir::event_time end;
  std::int64_t auction = 0;
  std::int64_t bids = 0;
};

/// Query 5, hot items: every 2 s, the auction with the most bids of the last 10 s; all of them, if
/// there are several.
weir::data_stream<auction_bids> q5(const weir::data_stream<bid>& bids);

}  // namespace nexmark
