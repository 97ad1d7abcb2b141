// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "examples/nexmark/bidder_bids.hpp"

namespace nexmark {

/// Query 12, processing-time windows: how often somebody bids while the processing clock shows a
/// window of 10 s. Results come when the clock has left the window. Windows that are open when the
/// stream ends are not emitted.
weir::data_stream<bidder_bids> q12(const weir::data_stream<bid>& bids);

}  // namespace nexmark
