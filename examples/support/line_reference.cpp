// SPDX-License-Identifier: Apache-2.0
#include "examples/support/line_reference.hpp"

#include <algorithm>
#include <fstream>
#include <map>
#include <string_view>

namespace word_blocks {
namespace {

constexpr std::string_view blanks = " \t\n\v\f\r";

using word_counts = std::map<std::string, std::uint64_t, std::less<>>;

void count_words(const std::string& line, word_counts& counts) {
  for (std::size_t begin = 0;;) {
    begin = line.find_first_not_of(blanks, begin);
    if (begin == std::string::npos) return;
    const auto end = std::min(line.find_first_of(blanks, begin), line.size());
    ++counts[line.substr(begin, end - begin)];
    begin = end;
  }
}

std::vector<std::string> rows_of(std::uint64_t block, const word_counts& counts) {
  std::vector<std::string> rows;
  for (const auto& [word, count] : counts) {
    rows.push_back(std::to_string(block) + "|" + word + "|" + std::to_string(count));
  }
  std::sort(rows.begin(), rows.end());
  return rows;
}

}  // namespace

std::uint64_t read_line_reference(
    const std::vector<std::string>& paths, std::uint64_t lines_per_block,
    const std::function<void(std::uint64_t, const std::vector<std::string>&)>& take) {
  word_counts counts;
  std::uint64_t lines = 0;
  for (const auto& path : paths) {
    std::ifstream file{path, std::ios::binary};
    if (!file) return 0;
    for (std::string line; std::getline(file, line);) {
      count_words(line, counts);
      if (++lines % lines_per_block != 0) continue;
      take(lines / lines_per_block - 1, rows_of(lines / lines_per_block - 1, counts));
      counts.clear();
    }
    if (file.bad()) return 0;
  }
  if (lines % lines_per_block != 0) {
    take(lines / lines_per_block, rows_of(lines / lines_per_block, counts));
  }
  return lines;
}

}  // namespace word_blocks
