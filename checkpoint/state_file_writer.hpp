// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "weir/checkpoint/manifest.hpp"
#include "weir/state/snapshot_stream.hpp"

namespace weir::checkpoint {

/// What a state file holds of one operator.
struct operator_contents {
  std::string uid{};
  bool keyed = false;
  bool unkeyed = false;

  friend bool operator==(const operator_contents&, const operator_contents&) = default;
};

/// One chunk, or the end, of a state file. What takes time is left for the thread that writes it.
struct state_file_piece {
  std::string head{};     ///< up to the bytes of the chunk
  std::string bytes{};    ///< of the chunk
  std::size_t start = 0;  ///< where in `head` length and checksum belong

  std::size_t size() const noexcept { return head.size() + bytes.size(); }

  /// Fills in length and checksum. To be called once, before the piece is written. Returns the
  /// checksum of `bytes`.
  std::uint32_t seal();
};

/// Turns the chunks of the operators of one subtask into the bytes of a state file. Writes to no
/// disk: the pieces are taken out as they come, and go to a file in that order.
/// Owned by one thread at a time. docs/formats.md has the grammar.
class state_file_writer {
 public:
  state_file_writer();

  /// Copies none of the chunk's bytes. @pre not finished
  void put(std::string_view uid, state::snapshot_chunk chunk);

  /// Adds the end of the file. Without it a reader takes the file for a torn one.
  /// @pre not finished
  void finish();

  /// The pieces that have come since the last call, unsealed. The first one of all begins with the
  /// head of the file.
  std::vector<state_file_piece> take_pieces();

  /// The bytes of those pieces.
  std::string take();

  /// How many bytes `take` would give.
  std::size_t waiting() const noexcept { return waiting_; }

  /// The operators that have put chunks, in the order of their first.
  const std::vector<operator_contents>& contents() const noexcept { return contents_; }

 private:
  void note(std::string_view uid, bool keyed);
  state_file_piece begin_piece();
  void add(state_file_piece piece);

  std::string next_head_;  // what the next piece begins with: the head of the file
  std::vector<state_file_piece> pieces_;
  std::size_t waiting_ = 0;
  std::vector<operator_contents> contents_;
  std::uint64_t chunks_ = 0;
};

/// What one subtask's copy of a broadcast state comes to.
struct state_digest {
  std::string uid{};  ///< of the operator
  std::string state{};
  std::uint64_t digest = 0;

  friend bool operator==(const state_digest&, const state_digest&) = default;
};

/// The snapshot stream of one operator into a state file. Owned by whoever owns the writer.
class state_file_stream final : public state::snapshot_stream {
 public:
  /// @pre writer outlives the stream
  state_file_stream(state_file_writer& writer, std::string uid)
      : writer_{&writer}, uid_{std::move(uid)} {}

  void put(state::snapshot_chunk chunk) override { writer_->put(uid_, std::move(chunk)); }
  void put_digest(const std::string& state, std::uint64_t digest) override {
    digests_.push_back({uid_, state, digest});
  }

  /// Those that were put, in their order.
  const std::vector<state_digest>& digests() const noexcept { return digests_; }

 private:
  state_file_writer* writer_;
  std::string uid_;
  std::vector<state_digest> digests_;
};

/// The files that hold one operator's state of one subtask.
struct operator_files {
  std::string uid{};
  std::vector<state_file> files{};

  friend bool operator==(const operator_files&, const operator_files&) = default;
};

/// One entry for each of `contents`, naming the file. `written` has its path, length, checksum.
std::vector<operator_files> name_contents(const std::vector<operator_contents>& contents,
                                          const state_file& written);

}  // namespace weir::checkpoint
