// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/connectors/nexmark_event.hpp"
#include "weir/dataflow/data_stream.hpp"

namespace nexmark {

using event = weir::connectors::nexmark_event;

/// A bid without its texts: what the queries about bids read.
using bid = weir::connectors::nexmark_bid_view;

/// The bids among the events.
weir::data_stream<bid> bids_of(const weir::data_stream<event>& events);

/// For windows: how many bids there are.
struct count_bids {
  using accumulator = std::int64_t;

  void add(const bid&, accumulator& count) const { ++count; }
  void merge(const accumulator& from, accumulator& into) const { into += from; }
  std::int64_t get_result(const accumulator& count) const { return count; }
};

}  // namespace nexmark
