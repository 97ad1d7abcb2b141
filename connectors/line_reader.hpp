// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "weir/connectors/line_splits.hpp"

namespace weir::connectors {

/// How far a split is read. Part of the source's state.
struct line_position {
  std::uint64_t bytes =
      0;  ///< From the start of the split; always the start of a line, or the end.
  std::uint64_t lines = 0;  ///< So many lines of the split are before it.

  friend bool operator==(const line_position&, const line_position&) = default;
};

/// What `line_reader::step` found.
enum class line_step {
  line,        ///< A line.
  need_bytes,  ///< No whole line in memory: call `fill`.
  end,         ///< The split is read to its end.
};

/// Reads the lines of one split. A line is given without its '\n', nor a '\r' before that.
/// Owned by one subtask; `fill` may run on another thread while nothing else is called.
class line_reader {
 public:
  /// Reads on from `from`, which an earlier reader of the same split gave. Opens nothing yet.
  /// `files` outlives this.
  line_reader(file_system& files, line_split split, const line_position& from = {});

  /// Takes the next line out of memory. `line` holds until the next call. Touches no disk.
  line_step step(std::string_view& line);

  /// Reads the next 1 MiB of the split. Blocks for the disk; call it when `step` needs it.
  /// Errors: corrupt if the position is not in the split, or the file is shorter or has other
  /// lines than when the split was made; those of the file system.
  status fill();

  /// `step` and `fill` in one, for callers that may block: false at the end of the split.
  /// Errors: those of `fill`.
  result<bool> next(std::string_view& line);

  /// Where a reader has to go on to give what follows the last line.
  const line_position& position() const noexcept { return position_; }

  /// The number, through all files, of the line that comes next.
  std::uint64_t next_line_number() const noexcept { return split_.first_line + position_.lines; }

  const line_split& split() const noexcept { return split_; }

 private:
  status open();
  error changed(std::string_view how) const;
  std::string_view take(std::size_t end, std::size_t next_begin);

  file_system* files_;
  line_split split_;
  line_position position_;
  std::uint64_t read_;  // so many bytes of the split were read

  std::unique_ptr<readable_file> file_;
  std::string buffer_;     // ends with byte `read_` of the split
  std::size_t begin_ = 0;  // in buffer_: the next line, which is byte position_.bytes of the split
  std::size_t scanned_ = 0;  // in buffer_: no '\n' in [begin_, scanned_)
};

}  // namespace weir::connectors
