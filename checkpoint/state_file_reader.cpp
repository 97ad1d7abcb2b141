// SPDX-License-Identifier: Apache-2.0
#include "weir/checkpoint/state_file_reader.hpp"

#include <utility>

#include "weir/checkpoint/internal/state_file_format.hpp"
#include "weir/core/bytes.hpp"
#include "weir/core/key_groups.hpp"

namespace weir::checkpoint {

namespace format = internal::state_file_format;

status state_file_reader::feed(std::string_view bytes) {
  buffer_.append(bytes);
  if (!has_header_) {
    if (buffer_.size() < format::file_header_size) return {};
    if (auto header = read_header(); !header) return header;
  }
  while (true) {
    auto more = read_piece();
    if (!more) return std::move(more).failure();
    if (!*more) break;
  }
  dropped_ += at_;
  buffer_.erase(0, std::exchange(at_, 0));
  return {};
}

status state_file_reader::finish() {
  if (dropped_ == 0 && buffer_.empty()) return error{errc::corrupt, "it is empty"};
  if (has_footer_) return {};
  return corrupt("it is cut short: " + std::to_string(chunks_) + " whole chunks and no end found");
}

status state_file_reader::read_header() {
  const auto header = std::string_view{buffer_}.substr(0, format::file_header_size);
  if (header.substr(0, format::magic.size()) != format::magic) {
    return error{errc::corrupt, "it is not a state file of weir"};
  }
  const auto written_by = static_cast<std::uint8_t>(header.back());
  if (written_by != format::version) {
    return error{errc::corrupt, "it has format version " + std::to_string(written_by) +
                                    ", this program reads version " +
                                    std::to_string(format::version)};
  }
  has_header_ = true;
  at_ = format::file_header_size;
  return {};
}

result<bool> state_file_reader::read_piece() {
  const auto rest = std::string_view{buffer_}.substr(at_);
  if (rest.empty()) return false;
  if (has_footer_) return corrupt("there is more after its end");
  if (rest.size() < format::piece_header_size) return false;
  const auto header = rest.substr(0, format::piece_header_size);
  const auto length = byte_reader{header}.fixed<std::uint64_t>();
  if (rest.size() - header.size() < length) return false;
  const auto body = rest.substr(header.size(), length);
  if (format::piece_header(body) != header) return corrupt("a checksum does not match");
  if (body.empty()) return corrupt("a piece is empty");
  const auto kind = static_cast<format::piece_kind>(body.front());
  status read;
  if (kind == format::piece_kind::chunk) {
    read = read_chunk(body.substr(1));
  } else if (kind == format::piece_kind::footer) {
    read = read_footer(body.substr(1));
  } else {
    read = corrupt("a piece is of an unknown kind");
  }
  if (!read) return std::move(read).failure();
  at_ += header.size() + body.size();
  return true;
}

status state_file_reader::read_chunk(std::string_view body) {
  byte_reader in{body};
  state_chunk_view chunk;
  chunk.uid = in.block();
  chunk.section = in.block();
  const auto group = in.varint();
  if (in.failed() || group > max_key_groups) return corrupt("a chunk's header is malformed");
  if (group > 0) chunk.group = key_group{static_cast<std::uint32_t>(group - 1)};
  chunk.bytes = in.raw(in.remaining());
  ++chunks_;
  visit_(chunk);
  return {};
}

status state_file_reader::read_footer(std::string_view body) {
  byte_reader in{body};
  const auto expected = in.varint();
  if (in.failed() || in.remaining() != 0) return corrupt("its end is malformed");
  if (expected != chunks_) {
    return corrupt(std::to_string(expected) + " chunks expected, " + std::to_string(chunks_) +
                   " found");
  }
  has_footer_ = true;
  return {};
}

error state_file_reader::corrupt(std::string message) const {
  message.append(" (at byte ").append(std::to_string(dropped_ + at_)).append(")");
  return {errc::corrupt, std::move(message)};
}

}  // namespace weir::checkpoint
