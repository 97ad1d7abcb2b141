// SPDX-License-Identifier: Apache-2.0
#include "weir/checkpoint/state_file_writer.hpp"

#include <algorithm>
#include <cstring>

#include "weir/checkpoint/internal/state_file_format.hpp"
#include "weir/core/bytes.hpp"

namespace weir::checkpoint {

namespace format = internal::state_file_format;

state_file_writer::state_file_writer() {
  byte_writer out{out_};
  out.raw(format::magic);
  out.fixed(format::version);
}

void state_file_writer::put(std::string_view uid, const state::snapshot_chunk& chunk) {
  const auto start = out_.size();
  out_.append(format::piece_header_size, '\0');
  byte_writer out{out_};
  out.fixed(static_cast<std::uint8_t>(format::piece_kind::chunk));
  out.block(uid);
  out.block(chunk.section);
  out.varint(chunk.group ? std::uint64_t{chunk.group->value} + 1 : 0);
  out.raw(chunk.bytes);
  close_piece(start);
  ++chunks_;
  note(uid, chunk.group.has_value());
}

void state_file_writer::finish() {
  const auto start = out_.size();
  out_.append(format::piece_header_size, '\0');
  byte_writer out{out_};
  out.fixed(static_cast<std::uint8_t>(format::piece_kind::footer));
  out.varint(chunks_);
  close_piece(start);
}

std::string state_file_writer::take() { return std::exchange(out_, {}); }

void state_file_writer::note(std::string_view uid, bool keyed) {
  auto entry = std::find_if(contents_.begin(), contents_.end(),
                            [uid](const auto& known) { return known.uid == uid; });
  if (entry == contents_.end()) {
    entry = contents_.insert(contents_.end(), operator_contents{.uid = std::string{uid}});
  }
  (keyed ? entry->keyed : entry->unkeyed) = true;
}

void state_file_writer::close_piece(std::size_t start) {
  const auto body = std::string_view{out_}.substr(start + format::piece_header_size);
  const auto header = format::piece_header(body);
  std::memcpy(out_.data() + start, header.data(), header.size());
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
