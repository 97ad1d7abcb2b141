// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "weir/core/ids.hpp"
#include "weir/core/result.hpp"

namespace weir::checkpoint::internal {

/// How far a coordinator has come: what its file `last-id-<epoch>` says.
struct progress {
  epoch_id epoch{};
  checkpoint_id last_id{};          ///< the last one used, failed ones included
  std::uint64_t newest_record = 0;  ///< the highest log number known to hold a manifest

  friend bool operator==(const progress&, const progress&) = default;
};

std::string encode(epoch_id epoch);
/// Errors: corrupt.
result<epoch_id> decode_epoch(std::string_view record);

std::string encode(const progress& content);
/// Errors: corrupt.
result<progress> decode_progress(std::string_view record);

}  // namespace weir::checkpoint::internal
