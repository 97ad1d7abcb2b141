// SPDX-License-Identifier: Apache-2.0
#include "examples/nexmark/q7.hpp"

#include <vector>

#include "weir/windowing/tumbling_windows.hpp"

namespace nexmark {
namespace {

using namespace std::chrono_literals;

/// Keeps all bids of the highest price.
struct keep_highest {
  using accumulator = std::vector<bid>;

  void add(const bid& next, accumulator& highest) const {
    if (!highest.empty() && next.price < highest.front().price) return;
    if (!highest.empty() && next.price > highest.front().price) highest.clear();
    highest.push_back(next);
  }
  void merge(const accumulator& from, accumulator& into) const {
    for (const auto& each : from) add(each, into);
  }
  const accumulator& get_result(const accumulator& highest) const { return highest; }
};

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
      .aggregate(keep_highest{}, to_highest_bids{})
      .name("highest bid");
}

}  // namespace nexmark
