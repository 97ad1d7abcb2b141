// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "weir/core/bytes.hpp"
#include "weir/core/key_groups.hpp"
#include "weir/state/snapshot_stream.hpp"

namespace weir::state {

/// Gathers the rows of one section by key group and puts them into a snapshot as chunks of about
/// 64 KiB. Several tables may share one. Holds up to about 64 MiB back. Owned and used by one
/// subtask.
class keyed_chunk_writer {
 public:
  /// `out` must live until the last row is added or the snapshot is abandoned.
  /// @pre max_parallelism > 0
  keyed_chunk_writer(snapshot_stream& out, std::string section, std::uint32_t max_parallelism);
  keyed_chunk_writer(keyed_chunk_writer&&) = default;
  keyed_chunk_writer& operator=(keyed_chunk_writer&&) = default;

  /// What the row of a key with this hash is to be written to. `end_row` or `drop_row` follows.
  byte_writer begin_row(std::uint64_t hash) {
    open_ = &chunks_[key_group_of(hash, static_cast<std::uint32_t>(chunks_.size())).value];
    char* const memory = open_->memory.data();
    return byte_writer{memory + open_->used, memory + open_->memory.size(), overflow_};
  }

  /// Whether the row begun last is the first one of its chunk.
  bool begins_chunk() const noexcept { return open_->used == 0; }

  /// Ends the row begun last, which was written to `row`.
  void end_row(const byte_writer& row) {
    ++rows_;
    if (const char* const end = row.end_in_memory()) [[likely]] {
      // When the next row of this group comes, others have been written to many other chunks.
      __builtin_prefetch(end + 128, 1);
      open_->used = static_cast<std::size_t>(end - open_->memory.data());
    } else {
      add_overflow();
    }
    if (open_->used >= chunk_bytes) [[unlikely]]
      put(*open_);
  }

  /// Takes the row begun last back: it is not in the snapshot.
  void drop_row() { overflow_.clear(); }

  /// Puts what is still held back. More rows may follow.
  void flush();

  /// Rows ended so far.
  std::uint64_t rows() const noexcept { return rows_; }

 private:
  static constexpr std::size_t chunk_bytes = std::size_t{64} << 10;

  /// The chunk of a key group that is being filled.
  struct open_chunk {
    std::string memory{};
    std::size_t used = 0;
  };

  void add_overflow();
  void put(open_chunk& chunk);

  snapshot_stream* out_;
  std::string section_;
  std::vector<open_chunk> chunks_;  // by key group
  open_chunk* open_ = nullptr;
  std::string overflow_;  // a row that does not fit into what its chunk has left
  std::size_t held_bytes_ = 0;
  std::uint64_t rows_ = 0;
};

}  // namespace weir::state
