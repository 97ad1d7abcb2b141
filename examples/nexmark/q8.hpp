// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "examples/nexmark/bids.hpp"

namespace nexmark {

/// A person who is new in the window that starts at `start`.
struct new_seller {
  std::int64_t id = 0;
  std::string name;
  weir::event_time start;
};

/// Query 8, monitor new users: who registered within a window of 10 s and opened an auction within
/// the same one; each once.
weir::data_stream<new_seller> q8(const weir::data_stream<event>& events);

}  // namespace nexmark
