// SPDX-License-Identifier: Apache-2.0
#include "examples/nexmark/q7.hpp"

#include <vector>

#include "weir/windowing/tumbling_windows.hpp"

#include "examples/support/keep_highest.hpp"

namespace nexmark {
namespace {

using namespace std::chrono_literals;

struct to_highest_bids {
  void process_record(const weir::time_window& window, const std::vector<bid>& highest,
                      weir::collector<highest_bid>& out) const {
    for (const auto& b : highest) {
      out.collect({window.start, b.auction, b.bidder, b.price, b.time});
    }
  }
};

}  // namespace

weir::data_stream<highest_bid> q7(const weir::data_stream<bid>& bids) {
  return bids.window_all(weir::tumbling_event_time(10s))
      .aggregate(example::keep_highest<bid, &bid::price>{}, to_highest_bids{})
      .name("highest bid");
}

}  // namespace nexmark
