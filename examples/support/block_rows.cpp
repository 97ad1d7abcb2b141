// SPDX-License-Identifier: Apache-2.0
#include "examples/support/block_rows.hpp"

#include <algorithm>
#include <charconv>
#include <limits>

#include "weir/core/file_system.hpp"

#include "examples/support/published_files.hpp"

namespace word_blocks {
namespace {

weir::error differs(const std::string& text) {
  return {weir::errc::corrupt, "words has a row that should not be, or lacks one: " + text};
}

}  // namespace

block_rows::block_rows(const std::string& folder) {
  for (const auto& file : example::published_files(folder)) {
    auto text = weir::read_file(weir::real_file_system(), file.path);
    if (!text) continue;  // its rows will be missing
    texts_.push_back(*std::move(text));
    for (std::string_view rest = texts_.back(); !rest.empty();) {
      const auto row = rest.substr(0, rest.find('\n'));
      rest.remove_prefix(std::min(rest.size(), row.size() + 1));
      std::uint64_t block = std::numeric_limits<std::uint64_t>::max();  // if there is none
      std::from_chars(row.data(), row.data() + row.size(), block);
      rows_.emplace_back(block, row);
    }
  }
  std::sort(rows_.begin(), rows_.end());
}

weir::status block_rows::compare_next(std::uint64_t block,
                                      const std::vector<std::string>& expected) {
  for (const auto& row : expected) {
    if (next_ == rows_.size() || rows_[next_] != std::pair{block, std::string_view{row}}) {
      return differs(row);
    }
    ++next_;
  }
  return {};
}

weir::status block_rows::finish() const {
  return next_ == rows_.size() ? weir::status{} : differs(std::string{rows_[next_].second});
}

}  // namespace word_blocks
