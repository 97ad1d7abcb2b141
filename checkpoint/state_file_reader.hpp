// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "weir/core/ids.hpp"
#include "weir/core/result.hpp"

namespace weir::checkpoint {

/// A chunk as it lies in a state file. Views, good while the visitor runs.
struct state_chunk_view {
  std::string_view uid;
  std::string_view section;
  std::optional<key_group> group;
  std::string_view bytes;
};

/// Reads the bytes of a state file, handed to it piece by piece, and trusts none of them.
/// Owned by one thread. What it has shown counts only once `finish` has succeeded.
class state_file_reader {
 public:
  using visitor = std::function<void(const state_chunk_view&)>;

  /// `visit` is called for each chunk, in the order in which they were put.
  explicit state_file_reader(visitor visit) : visit_{std::move(visit)} {}

  /// The next bytes of the file, as many as you like.
  /// Errors: corrupt, saying what is wrong and at which byte; the caller adds the file's name.
  status feed(std::string_view bytes);

  /// That was the whole file.
  /// Errors: corrupt if it is cut short, or has fewer or more chunks than its end says
  /// ("8 chunks expected, 7 found").
  status finish();

 private:
  status read_header();
  /// Reads one piece at `at_`; false if it is not all there yet.
  result<bool> read_piece();
  status read_chunk(std::string_view body);
  status read_footer(std::string_view body);
  error corrupt(std::string message) const;

  visitor visit_;
  std::string buffer_;
  std::size_t at_ = 0;         ///< how much of the buffer is done with
  std::uint64_t dropped_ = 0;  ///< bytes of the file in front of the buffer
  std::uint64_t chunks_ = 0;
  bool has_header_ = false;
  bool has_footer_ = false;
};

}  // namespace weir::checkpoint
