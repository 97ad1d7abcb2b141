// SPDX-License-Identifier: Apache-2.0
#include "weir/connectors/line_reader.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace weir::connectors {
namespace {

constexpr std::uint64_t read_bytes = std::uint64_t{1} << 20;

}  // namespace

line_reader::line_reader(file_system& files, line_split split, const line_position& from)
    : files_{&files}, split_{std::move(split)}, position_{from}, read_{from.bytes} {}

line_step line_reader::step(std::string_view& line) {
  if (const auto unscanned = buffer_.size() - scanned_; unscanned > 0) {
    const auto* newline =
        static_cast<const char*>(std::memchr(buffer_.data() + scanned_, '\n', unscanned));
    if (newline != nullptr) {
      const auto end = static_cast<std::size_t>(newline - buffer_.data());
      line = take(end, end + 1);
      return line_step::line;
    }
    scanned_ = buffer_.size();
  }
  if (read_ != split_.length) return line_step::need_bytes;
  if (begin_ == buffer_.size()) return line_step::end;
  line = take(buffer_.size(), buffer_.size());
  return line_step::line;
}

status line_reader::fill() {
  if (!file_) {
    if (auto opened = open(); !opened) return opened;
  }
  if (read_ == split_.length) return {};
  const auto wanted = std::min(read_bytes, split_.length - read_);
  auto piece = file_->read(split_.offset + read_, wanted);
  if (!piece) return std::move(piece).failure();
  if (piece->size() < wanted) return changed("it is shorter");
  const bool last = read_ + wanted == split_.length;
  if (last && split_.offset + split_.length < split_.file_bytes && piece->back() != '\n') {
    return changed("its lines are others");
  }
  if (begin_ == buffer_.size()) {
    buffer_ = *std::move(piece);
    scanned_ = 0;
  } else {
    buffer_.erase(0, begin_);
    scanned_ -= begin_;
    buffer_.append(*piece);
  }
  begin_ = 0;
  read_ += wanted;
  return {};
}

result<bool> line_reader::next(std::string_view& line) {
  for (;;) {
    switch (step(line)) {
      case line_step::line: return true;
      case line_step::end: return false;
      case line_step::need_bytes:
        if (auto filled = fill(); !filled) return std::move(filled).failure();
    }
  }
}

status line_reader::open() {
  if (position_.bytes > split_.length) {
    return error{errc::corrupt, split_.path + ": position " + std::to_string(position_.bytes) +
                                    " is behind the end of its split"};
  }
  auto file = files_->open(split_.path);
  if (!file) return std::move(file).failure();
  const auto size = (*file)->size();
  if (!size) return size.failure();
  if (*size < split_.file_bytes) return changed("it is shorter");
  file_ = *std::move(file);
  return {};
}

error line_reader::changed(std::string_view how) const {
  return {errc::corrupt, split_.path + ": the file has changed since the job began (" +
                             std::string{how} + "): restore it, or start the job anew"};
}

std::string_view line_reader::take(std::size_t end, std::size_t next_begin) {
  std::string_view line{buffer_.data() + begin_, end - begin_};
  if (next_begin != end && line.ends_with('\r')) line.remove_suffix(1);
  position_.bytes += next_begin - begin_;
  ++position_.lines;
  begin_ = next_begin;
  scanned_ = next_begin;
  return line;
}

}  // namespace weir::connectors
