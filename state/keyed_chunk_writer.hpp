// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "weir/state/snapshot_stream.hpp"

namespace weir::state {

/// Gathers the rows of one section by key group and puts them into a snapshot as chunks of about
/// 64 KiB. Several tables may share one. Owned and used by one subtask.
class keyed_chunk_writer {
 public:
  /// `out` must live until the last row is added or the snapshot is abandoned.
  /// @pre max_parallelism > 0
  keyed_chunk_writer(snapshot_stream& out, std::string section, std::uint32_t max_parallelism);

  /// The bytes to append the row of a key with this hash to. `end_row` or `drop_row` follows.
  std::string& begin_row(std::uint64_t hash);

  /// Ends the row begun last.
  void end_row();

  /// Takes the row begun last back: it is not in the snapshot.
  void drop_row();

  /// Puts what is still held back. More rows may follow.
  void flush();

  /// Rows ended so far.
  std::uint64_t rows() const noexcept { return rows_; }

 private:
  void put(std::size_t group);

  snapshot_stream* out_;
  std::string section_;
  std::vector<std::string> groups_;
  std::size_t open_ = 0;
  std::size_t size_before_ = 0;
  std::size_t held_bytes_ = 0;
  std::uint64_t rows_ = 0;
};

}  // namespace weir::state
