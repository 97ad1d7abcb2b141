// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace word_blocks {

/// What counting words in blocks of lines must output, computed with plain loops and maps and
/// nothing of the engine. Lines are numbered from 0 through all files; line n is of block
/// n / lines_per_block. A word is a run of bytes, as long as possible, none of them an ASCII blank
/// (space, \t, \n, \v, \f, \r).
///
/// Calls `take` for one block after the other with how often each word is in it, as rows
/// "block|word|count", sorted as text; a block without words has none. Returns how many lines there
/// are; 0 if a file cannot be read.
/// @pre lines_per_block > 0
std::uint64_t read_line_reference(
    const std::vector<std::string>& paths, std::uint64_t lines_per_block,
    const std::function<void(std::uint64_t block, const std::vector<std::string>& rows)>& take);

}  // namespace word_blocks
