// SPDX-License-Identifier: Apache-2.0
#include "examples/nexmark/bids.hpp"

namespace nexmark {

weir::data_stream<bid> bids_of(const weir::data_stream<event>& events) {
  return events
      .flat_map<bid>([](const event& e, weir::collector<bid>& out) {
        if (const auto* b = e.bid()) out.collect({b->auction, b->bidder, b->price, b->time});
      })
      .name("bids");
}

}  // namespace nexmark
