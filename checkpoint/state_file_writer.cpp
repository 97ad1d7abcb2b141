// SPDX-License-Identifier: Apache-2.0
#include "weir/checkpoint/state_file_writer.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "weir/checkpoint/internal/state_file_format.hpp"
#include "weir/core/bytes.hpp"

namespace weir::checkpoint {

namespace format = internal::state_file_format;

std::uint32_t state_file_piece::seal() {
  const auto sum = checksum(bytes);
  const auto header = format::piece_header(
      std::string_view{head}.substr(start + format::piece_header_size), bytes.size(), sum);
  std::memcpy(head.data() + start, header.data(), header.size());
  return sum;
}

state_file_writer::state_file_writer() {
  byte_writer out{next_head_};
  out.raw(format::magic);
  out.fixed(format::version);
}

void state_file_writer::put(std::string_view uid, state::snapshot_chunk chunk) {
  auto piece = begin_piece();
  byte_writer out{piece.head};
  out.fixed(static_cast<std::uint8_t>(format::piece_kind::chunk));
  out.block(uid);
  out.block(chunk.section);
  out.varint(chunk.group ? std::uint64_t{chunk.group->value} + 1 : 0);
  piece.bytes = std::move(chunk.bytes);
  add(std::move(piece));
  ++chunks_;
  note(uid, chunk.group.has_value());
}

void state_file_writer::finish() {
  auto piece = begin_piece();
  byte_writer out{piece.head};
  out.fixed(static_cast<std::uint8_t>(format::piece_kind::footer));
  out.varint(chunks_);
  add(std::move(piece));
}

std::vector<state_file_piece> state_file_writer::take_pieces() {
  waiting_ = 0;
  return std::exchange(pieces_, {});
}

std::string state_file_writer::take() {
  std::string bytes;
  for (auto& piece : take_pieces()) {
    piece.seal();
    bytes.append(piece.head).append(piece.bytes);
  }
  return bytes;
}

state_file_piece state_file_writer::begin_piece() {
  state_file_piece piece;
  piece.head = std::exchange(next_head_, {});
  piece.start = piece.head.size();
  piece.head.append(format::piece_header_size, '\0');
  return piece;
}

void state_file_writer::add(state_file_piece piece) {
  waiting_ += piece.size();
  pieces_.push_back(std::move(piece));
}

void state_file_writer::note(std::string_view uid, bool keyed) {
  auto entry = std::find_if(contents_.begin(), contents_.end(),
                            [uid](const auto& known) { return known.uid == uid; });
  if (entry == contents_.end()) {
    entry = contents_.insert(contents_.end(), operator_contents{.uid = std::string{uid}});
  }
  (keyed ? entry->keyed : entry->unkeyed) = true;
}

std::vector<operator_files> name_contents(const std::vector<operator_contents>& contents,
                                          const state_file& written) {
  std::vector<operator_files> named;
  for (const auto& part : contents) {
    auto file = written;
    file.kind = file_kind::chunks;
    file.keyed = part.keyed;
    file.unkeyed = part.unkeyed;
    named.push_back({.uid = part.uid, .files = {std::move(file)}});
  }
  return named;
}

}  // namespace weir::checkpoint
