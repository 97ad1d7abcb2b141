// SPDX-License-Identifier: Apache-2.0
#include "examples/nexmark/q5.hpp"

#include <vector>

#include "weir/windowing/sliding_windows.hpp"
#include "weir/windowing/tumbling_windows.hpp"

#include "examples/support/keep_highest.hpp"

namespace nexmark {
namespace {

using namespace std::chrono_literals;

struct to_auction_bids {
  void process_record(std::int64_t auction, const weir::time_window& window, std::int64_t bids,
                      weir::collector<auction_bids>& out) const {
    out.collect({window.start, window.end, auction, bids});
  }
};

/// Keeps all that have the most bids.
using keep_hottest = example::keep_highest<auction_bids, &auction_bids::bids>;

struct emit_hottest {
  void process_record(const weir::event_time&, const weir::time_window&,
                      const std::vector<auction_bids>& hottest,
                      weir::collector<auction_bids>& out) const {
    for (const auto& each : hottest) out.collect(each);
  }
};

}  // namespace

weir::data_stream<auction_bids> q5(const weir::data_stream<bid>& bids) {
  // The counts of a window have its last time, so those of one window, and no others, are in one
  // of the windows of 2 s.
  return bids.key_by(&bid::auction)
      .window(weir::sliding_event_time(10s, 2s))
      .aggregate(count_bids{}, to_auction_bids{})
      .name("bids per auction")
      .key_by(&auction_bids::end)
      .window(weir::tumbling_event_time(2s))
      .aggregate(keep_hottest{}, emit_hottest{})
      .name("hot items");
}

}  // namespace nexmark
