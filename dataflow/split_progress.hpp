// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "weir/core/codec.hpp"
#include "weir/core/result.hpp"
#include "weir/dataflow/source.hpp"
#include "weir/state/snapshot_stream.hpp"

namespace weir::dataflow {

/// Which splits of a source are read: the finished ones as ranges of numbers, the others with
/// their positions and watermarks. In a snapshot, each subtask has its own since the start of its
/// attempt, and one of them what the attempt started from; together they say what is left to read,
/// whoever reads it then. A value.
class split_progress {
 public:
  static constexpr const char* section = "splits/2";
  static constexpr const char* earlier_section = "splits of earlier attempts/2";
  // Of version 1, where splits had no watermarks. They are read only.
  static constexpr const char* section_1 = "splits";
  static constexpr const char* earlier_section_1 = "splits of earlier attempts";

  void finish(std::uint64_t number) {
    started_.erase(number);
    auto [first, last] = std::pair{number, number};
    auto next = finished_.upper_bound(number);
    if (next != finished_.begin()) {
      const auto before = std::prev(next);
      if (before->second >= number) return;
      if (before->second + 1 == number) {
        first = before->first;
        finished_.erase(before);
      }
    }
    if (next != finished_.end() && next->first == number + 1) {
      last = next->second;
      finished_.erase(next);
    }
    finished_[first] = last;
  }

  /// `watermark` is what the source keeps of the split beside its position.
  void start(std::uint64_t number, std::string position, std::string watermark = {}) {
    started_[number] = {std::move(position), std::move(watermark)};
  }

  bool is_finished(std::uint64_t number) const {
    const auto next = finished_.upper_bound(number);
    return next != finished_.begin() && std::prev(next)->second >= number;
  }

  /// The position of a split that was begun; null for others.
  const std::string* position_of(std::uint64_t number) const {
    const auto found = started_.find(number);
    return found == started_.end() ? nullptr : &found->second.position;
  }
  /// The same of its watermark. @pre position_of(number) is not null
  const std::string& watermark_of(std::uint64_t number) const {
    return started_.at(number).watermark;
  }

  void merge(const split_progress& other) {
    for (const auto& [first, last] : other.finished_) {
      for (std::uint64_t n = first; n <= last; ++n) finish(n);
    }
    for (const auto& [number, split] : other.started_) started_[number] = split;
  }

  /// What all subtasks together had read. Errors: corrupt.
  static result<split_progress> restore(const state::restored_chunks& chunks) {
    split_progress all;
    // Positions have moved on since the attempt started: the newer ones come last.
    for (const auto& [version_2, version_1] :
         {std::pair{earlier_section, earlier_section_1}, std::pair{section, section_1}}) {
      for (const auto& chunk : chunks) {
        if (chunk.section != version_2 && chunk.section != version_1) continue;
        auto part =
            chunk.section == version_2 ? decode(chunk.bytes) : decode_as<stored_1>(chunk.bytes);
        if (!part) return std::move(part).failure().within("the splits that were read");
        all.merge(*part);
      }
    }
    return all;
  }

  bool empty() const { return finished_.empty() && started_.empty(); }

  /// `finished:(first:u64 last:u64)* started:(number:u64 position:string watermark:string)*`
  std::string encode() const {
    stored all;
    all.first.assign(finished_.begin(), finished_.end());
    for (const auto& [number, split] : started_) {
      all.second.emplace_back(number, split.position, split.watermark);
    }
    return weir::encode(all);
  }
  static result<split_progress> decode(std::string_view bytes) { return decode_as<stored>(bytes); }

 private:
  using ranges = std::vector<std::pair<std::uint64_t, std::uint64_t>>;
  using stored =
      std::pair<ranges, std::vector<std::tuple<std::uint64_t, std::string, std::string>>>;
  using stored_1 = std::pair<ranges, std::vector<std::pair<std::uint64_t, std::string>>>;

  template <class Stored>
  static result<split_progress> decode_as(std::string_view bytes) {
    auto read = weir::decode<Stored>(bytes);
    if (!read) return std::move(read).failure();
    split_progress progress;
    progress.finished_ = {read->first.begin(), read->first.end()};
    for (auto& split : read->second) {
      std::apply([&](auto number, auto&... kept) { progress.start(number, std::move(kept)...); },
                 split);
    }
    return progress;
  }

  struct started_split {
    std::string position;
    std::string watermark;
  };

  std::map<std::uint64_t, std::uint64_t> finished_;  ///< first → last, both inclusive
  std::map<std::uint64_t, started_split> started_;
};

}  // namespace weir::dataflow
