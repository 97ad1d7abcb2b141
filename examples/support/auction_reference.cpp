// SPDX-License-Identifier: Apache-2.0
#include "examples/support/auction_reference.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "weir/connectors/nexmark_generator.hpp"

namespace auction_monitor {
namespace {

using bid = weir::connectors::nexmark_bid_view;

std::string joined(std::initializer_list<std::int64_t> fields) {
  std::string row;
  for (const auto field : fields) {
    if (!row.empty()) row.push_back('|');
    row.append(std::to_string(field));
  }
  return row;
}

}  // namespace

auction_reference make_auction_reference(const weir::connectors::nexmark_config& stream,
                                         std::int64_t window_ms) {
  const weir::connectors::nexmark_generator generator{stream};
  std::map<std::pair<std::int64_t, std::int64_t>, std::int64_t> counts;  // by start and auction
  std::map<std::int64_t, std::vector<bid>> highest;                      // by start
  for (std::uint64_t i = 0; i < stream.events; ++i) {
    if (generator.kind(i) != weir::connectors::nexmark_kind::bid) continue;
    const auto next = generator.make_bid_only(i);
    const auto start = next.time.ms / window_ms * window_ms;
    ++counts[{start, next.auction}];
    auto& best = highest[start];
    if (!best.empty() && next.price > best.front().price) best.clear();
    if (best.empty() || next.price == best.front().price) best.push_back(next);
  }
  auction_reference reference;
  for (const auto& [place, count] : counts) {
    reference.bids_per_auction.push_back(joined({place.first, place.second, count}));
  }
  for (const auto& [start, bids] : highest) {
    for (const auto& b : bids) {
      reference.highest_bids.push_back(joined({start, b.auction, b.bidder, b.price, b.time.ms}));
    }
  }
  std::sort(reference.bids_per_auction.begin(), reference.bids_per_auction.end());
  std::sort(reference.highest_bids.begin(), reference.highest_bids.end());
  return reference;
}

row_checksum checksum_of(const std::vector<std::string>& rows) {
  row_checksum checksum{rows.size(), 0};
  for (const auto& row : rows) {
    std::uint64_t hash = 0xcbf29ce484222325ull;
    for (const unsigned char byte : row) hash = (hash ^ byte) * 0x100000001b3ull;
    checksum.sum += hash;
  }
  return checksum;
}

}  // namespace auction_monitor
