// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "weir/connectors/nexmark_config.hpp"

namespace auction_monitor {

/// What the auction monitor must output, computed from the whole stream at once, with plain loops
/// and maps and nothing of the engine but the generator of the events. Rows are sorted as text.
struct auction_reference {
  /// Bids per auction and window: "start|auction|count".
  std::vector<std::string> bids_per_auction;

  /// The bids with the highest price of their window, all if there are several:
  /// "start|auction|bidder|price|time".
  std::vector<std::string> highest_bids;
};

/// Computes both results over windows [start, start + window_ms) with start a multiple of
/// `window_ms`, in event time.
/// @pre the stream is valid, has an end, and no event before 1970; window_ms > 0
auction_reference make_auction_reference(const weir::connectors::nexmark_config& stream,
                                         std::int64_t window_ms = 10'000);

/// Rows in any order as two numbers, to compare large outputs.
struct row_checksum {
  std::size_t rows = 0;
  std::uint64_t sum = 0;  ///< Of the FNV-1a-64 hashes of the rows, modulo 2^64.

  friend bool operator==(const row_checksum&, const row_checksum&) = default;
};

row_checksum checksum_of(const std::vector<std::string>& rows);

}  // namespace auction_monitor
