// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "weir/core/result.hpp"

namespace word_blocks {

/// The published rows "block|word|count" of a folder, to be compared block by block, in ascending
/// order. Keeps all rows in memory.
class block_rows {
 public:
  explicit block_rows(const std::string& folder);

  std::uint64_t size() const { return rows_.size(); }

  /// Compares the rows of `block` with `expected`, which is sorted.
  /// Errors: the first difference, also if rows of a block before it were not asked for.
  weir::status compare_next(std::uint64_t block, const std::vector<std::string>& expected);

  /// All rows were asked for. Errors: one that was not.
  weir::status finish() const;

 private:
  std::deque<std::string> texts_;  // do not move: rows are views
  std::vector<std::pair<std::uint64_t, std::string_view>> rows_;
  std::size_t next_ = 0;
};

}  // namespace word_blocks
