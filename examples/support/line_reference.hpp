// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace word_counts {

/// What counting words in blocks of lines must output, computed with plain loops and maps and
/// nothing of the engine. Lines are numbered from 0 through all files; line n is of block
/// n / lines_per_block. A word is a run of bytes, as long as possible, none of them an ASCII blank
/// (space, \t, \n, \v, \f, \r). Rows are sorted as text.
struct line_reference {
  /// How many words each block has, 0 too: "block|words".
  std::vector<std::string> words_per_block;

  /// How often each word is in each block: "block|word|count".
  std::vector<std::string> counts_per_word;
};

/// Computes both results for the files, in this order; nothing if one cannot be read.
/// @pre lines_per_block > 0
std::optional<line_reference> make_line_reference(const std::vector<std::string>& paths,
                                                  std::uint64_t lines_per_block = 1'000);

}  // namespace word_counts
