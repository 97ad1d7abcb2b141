// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "weir/core/file_system.hpp"
#include "weir/core/result.hpp"

namespace weir::connectors {

/// A piece of a text file that starts and ends at the start of a line (or at the end of the file),
/// with all that is needed to read it alone. Part of the source's state.
struct line_split {
  std::string path;
  std::uint64_t offset = 0;      ///< Of the first byte in the file.
  std::uint64_t length = 0;      ///< In bytes; never 0.
  std::uint64_t first_line = 0;  ///< Number of the first line, from 0, through all files.
  std::uint64_t file_bytes = 0;  ///< Size of the file when the split was made.

  friend bool operator==(const line_split&, const line_split&) = default;
};

/// How text files are cut into splits.
struct line_split_options {
  /// A split ends at the first start of a line at or behind so many bytes.
  std::uint64_t split_bytes = std::uint64_t{8} << 20;

  /// A longer line, '\n' not counted, is refused: such a file is hardly one of lines.
  std::uint64_t max_line_bytes = std::uint64_t{16} << 20;

  /// Whether a job may use these options: smaller splits cost too much each, larger ones are too
  /// few to share and keep event time apart. `plan_line_splits` itself takes any size.
  /// Errors: invalid_argument, unless split_bytes is from 4 to 16 MiB.
  status validate() const;
};

/// Cuts the files into splits, in the order of `paths` and of their bytes. Reads every file once,
/// to number the lines. A line ends with '\n'; what comes behind the last '\n' is a line too.
/// Blocks for the disk.
/// Errors: invalid_argument if there are no paths, a file is empty, or a line is too long (it names
/// the file and where the line begins); those of the file system for a file that cannot be read,
/// among them a folder.
/// @pre options.split_bytes > 0
result<std::vector<line_split>> plan_line_splits(file_system& files,
                                                 const std::vector<std::string>& paths,
                                                 const line_split_options& options = {});

}  // namespace weir::connectors
