// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace weir::dataflow {

/// The key of a stream that is one partition: there is one. Stored in snapshots: never renumber.
enum class single_partition : std::uint8_t { whole = 0 };

}  // namespace weir::dataflow
