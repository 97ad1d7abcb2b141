// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "examples/nexmark/bidder_bids.hpp"

namespace nexmark {

/// Query 11, user sessions: how often somebody bids in a session, which ends when there is no bid
/// for longer than `gap`.
weir::data_stream<bidder_bids> q11(const weir::data_stream<bid>& bids,
                                   weir::duration gap = std::chrono::seconds{10});

}  // namespace nexmark
