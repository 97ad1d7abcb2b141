// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "weir/core/bytes.hpp"
#include "weir/core/checksum.hpp"

/// What writer and reader of state files agree on; docs/formats.md has the grammar.
namespace weir::checkpoint::internal::state_file_format {

inline constexpr std::string_view magic = "WEIRSTAT";
inline constexpr std::uint8_t version = 1;
inline constexpr std::size_t file_header_size = 9;

/// Length of the body (u64), checksum of length and body (u32).
inline constexpr std::size_t piece_header_size = 12;

/// Stored: never renumber.
enum class piece_kind : std::uint8_t {
  chunk = 1,
  footer = 2,
};

/// What stands in front of a body that has `rest_size` more bytes with the checksum `rest`.
inline std::string piece_header(std::string_view body, std::uint64_t rest_size = 0,
                                std::uint32_t rest = 0) {
  std::string header;
  byte_writer out{header};
  out.fixed(std::uint64_t{body.size() + rest_size});
  out.fixed(joined_checksum(checksum(body, checksum(header)), rest, rest_size));
  return header;
}

}  // namespace weir::checkpoint::internal::state_file_format
