// SPDX-License-Identifier: Apache-2.0
#include "weir/connectors/line_splits.hpp"

#include <cstring>
#include <string_view>
#include <utility>

namespace weir::connectors {
namespace {

constexpr std::size_t read_bytes = std::size_t{1} << 20;
constexpr std::uint64_t min_split_bytes = std::uint64_t{4} << 20;
constexpr std::uint64_t max_split_bytes = std::uint64_t{16} << 20;

/// Cuts one file, whose bytes it is given piece by piece.
class file_cutter {
 public:
  file_cutter(const std::string& path, const line_split_options& options, std::uint64_t first_line,
              std::vector<line_split>& out)
      : path_{&path}, options_{options}, out_{&out}, line_{first_line}, split_line_{first_line} {}

  status add(std::string_view piece) {
    const char* const begin = piece.data();
    const char* const end = begin + piece.size();
    for (const char* at = begin; at != end;) {
      const auto* newline =
          static_cast<const char*>(std::memchr(at, '\n', static_cast<std::size_t>(end - at)));
      if (newline == nullptr) break;
      at = newline + 1;
      const auto line_end = bytes_ + static_cast<std::uint64_t>(at - begin);
      if (line_end - line_start_ > options_.max_line_bytes + 1) return too_long();
      ++line_;
      line_start_ = line_end;
      if (line_end - split_start_ >= options_.split_bytes) cut(line_end);
    }
    bytes_ += piece.size();
    return bytes_ - line_start_ > options_.max_line_bytes ? too_long() : status{};
  }

  /// Ends the last line and the last split. Returns the number of the line behind them.
  result<std::uint64_t> finish(std::size_t first_split) {
    if (bytes_ == 0) return error{errc::invalid_argument, *path_ + ": file is empty"};
    if (line_start_ < bytes_) ++line_;
    if (split_start_ < bytes_) cut(bytes_);
    for (auto i = first_split; i < out_->size(); ++i) (*out_)[i].file_bytes = bytes_;
    return line_;
  }

 private:
  void cut(std::uint64_t end) {
    out_->push_back({*path_, split_start_, end - split_start_, split_line_, 0});
    split_start_ = end;
    split_line_ = line_;
  }

  status too_long() const {
    return error{errc::invalid_argument, *path_ + ": the line at byte " +
                                             std::to_string(line_start_) + " has more than " +
                                             std::to_string(options_.max_line_bytes) + " bytes"};
  }

  const std::string* path_;
  line_split_options options_;
  std::vector<line_split>* out_;

  std::uint64_t bytes_ = 0;       // seen so far
  std::uint64_t line_start_ = 0;  // where the line begins that is being read
  std::uint64_t line_;            // its number
  std::uint64_t split_start_ = 0;
  std::uint64_t split_line_;
};

result<std::uint64_t> cut_file(file_system& files, const std::string& path,
                               const line_split_options& options, std::uint64_t first_line,
                               std::vector<line_split>& out) {
  const auto file = files.open(path);
  if (!file) return file.failure();
  const auto first_split = out.size();
  file_cutter cutter{path, options, first_line, out};
  for (std::uint64_t offset = 0;; offset += read_bytes) {
    const auto piece = (*file)->read(offset, read_bytes);
    if (!piece) return piece.failure();
    if (auto added = cutter.add(*piece); !added) return std::move(added).failure();
    if (piece->size() < read_bytes) return cutter.finish(first_split);
  }
}

}  // namespace

status line_split_options::validate() const {
  if (split_bytes >= min_split_bytes && split_bytes <= max_split_bytes) return {};
  return error{errc::invalid_argument, "text files: split_bytes is " + std::to_string(split_bytes) +
                                           ", must be from " + std::to_string(min_split_bytes) +
                                           " to " + std::to_string(max_split_bytes)};
}

result<std::vector<line_split>> plan_line_splits(file_system& files,
                                                 const std::vector<std::string>& paths,
                                                 const line_split_options& options) {
  if (paths.empty()) return error{errc::invalid_argument, "text files: there is no file to read"};
  std::vector<line_split> splits;
  std::uint64_t line = 0;
  for (const auto& path : paths) {
    auto next_line = cut_file(files, path, options, line, splits);
    if (!next_line) return std::move(next_line).failure();
    line = *next_line;
  }
  return splits;
}

}  // namespace weir::connectors
