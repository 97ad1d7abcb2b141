// SPDX-License-Identifier: Apache-2.0
#include "examples/support/line_reference.hpp"

#include <algorithm>
#include <fstream>
#include <map>
#include <string_view>
#include <utility>

namespace word_counts {
namespace {

constexpr std::string_view blanks = " \t\n\v\f\r";

}  // namespace

std::optional<line_reference> make_line_reference(const std::vector<std::string>& paths,
                                                  std::uint64_t lines_per_block) {
  std::map<std::uint64_t, std::uint64_t> words;
  std::map<std::pair<std::uint64_t, std::string>, std::uint64_t> counts;
  std::uint64_t number = 0;
  for (const auto& path : paths) {
    std::ifstream file{path, std::ios::binary};
    if (!file) return std::nullopt;
    for (std::string line; std::getline(file, line); ++number) {
      const auto block = number / lines_per_block;
      auto& words_of_block = words[block];
      for (std::size_t begin = 0;;) {
        begin = line.find_first_not_of(blanks, begin);
        if (begin == std::string::npos) break;
        const auto end = std::min(line.find_first_of(blanks, begin), line.size());
        ++words_of_block;
        ++counts[{block, line.substr(begin, end - begin)}];
        begin = end;
      }
    }
    if (file.bad()) return std::nullopt;
  }
  line_reference reference;
  for (const auto& [block, count] : words) {
    reference.words_per_block.push_back(std::to_string(block) + "|" + std::to_string(count));
  }
  for (const auto& [place, count] : counts) {
    reference.counts_per_word.push_back(std::to_string(place.first) + "|" + place.second + "|" +
                                        std::to_string(count));
  }
  std::sort(reference.words_per_block.begin(), reference.words_per_block.end());
  std::sort(reference.counts_per_word.begin(), reference.counts_per_word.end());
  return reference;
}

}  // namespace word_counts
