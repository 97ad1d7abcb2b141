// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/windowing/time_window.hpp"

#include "examples/nexmark/bids.hpp"

namespace nexmark {

/// So many bids of a bidder in the window [start, end).
struct bidder_bids {
  std::int64_t bidder = 0;
  std::int64_t bids = 0;
  weir::event_time start;
  weir::event_time end;
};

struct to_bidder_bids {
  void process_record(std::int64_t bidder, const weir::time_window& window, std::int64_t bids,
                      weir::collector<bidder_bids>& out) const {
    out.collect({bidder, bids, window.start, window.end});
  }
};

}  // namespace nexmark
