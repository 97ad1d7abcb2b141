// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "weir/connectors/nexmark_event.hpp"

namespace example {

/// An aggregate that keeps all bids of the highest price.
struct keep_highest {
  using bid = weir::connectors::nexmark_bid_view;
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

}  // namespace example
