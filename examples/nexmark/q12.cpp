// SPDX-License-Identifier: Apache-2.0
#include "examples/nexmark/q12.hpp"

#include "weir/windowing/tumbling_windows.hpp"

namespace nexmark {

using namespace std::chrono_literals;

weir::data_stream<bidder_bids> q12(const weir::data_stream<bid>& bids) {
  return bids.key_by(&bid::bidder)
      .window(weir::tumbling_processing_time(10s))
      .aggregate(count_bids{}, to_bidder_bids{})
      .name("bids per bidder");
}

}  // namespace nexmark
