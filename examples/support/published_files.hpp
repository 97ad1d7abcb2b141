// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace example {

/// A file that readers of the output may see.
struct published_file {
  std::string path;
  std::uint64_t inode = 0;
  std::int64_t modified_ns = 0;
  std::uint64_t bytes = 0;

  friend bool operator==(const published_file&, const published_file&) = default;
};

/// The files in `folder` and the folders in it, without hidden ones, sorted by path.
std::vector<published_file> published_files(const std::string& folder);

/// The lines of those files, in any order. Errors: an unreadable file ends the list early, which
/// a comparison finds.
std::vector<std::string> published_rows(const std::string& folder);

}  // namespace example
