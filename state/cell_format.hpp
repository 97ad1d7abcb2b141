// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "weir/core/bytes.hpp"
#include "weir/state/row_head.hpp"
#include "weir/state/ttl_rule.hpp"

namespace weir::state {

/// How a cell is stored: with a time stamp (8 bytes) in front of each thing that expires by itself,
/// or without. Read and written by the cells through `read_stamp` and `write_stamp`.
struct cell_format {
  bool stored_timed = false;  ///< What is read has stamps.
  bool timed = false;         ///< The state has a TTL: what is written has stamps.
  bool restamp = false;       ///< Stored stamps are of another clock, and mean nothing.
  std::int64_t restore_time = 0;
  const ttl_rule* keep_live_only = nullptr;  ///< For writing: leave out what it says has expired.

  /// The stamp to give to what is read next: the stored one, or the time of the restore.
  std::int64_t read_stamp(byte_reader& in) const {
    const auto stored = stored_timed ? in.fixed<std::int64_t>() : restore_time;
    return restamp ? restore_time : stored;
  }

  void write_stamp(byte_writer& out, std::int64_t stamp) const {
    if (timed) out.fixed(stamp);
  }

  /// Whether what was touched last at `stamp` is to be written.
  bool keeps(std::int64_t stamp) const noexcept {
    return keep_live_only == nullptr || !keep_live_only->expired(stamp);
  }
};

/// How each cell of a row is stored.
using cell_formats = std::array<cell_format, max_cells>;

}  // namespace weir::state
