// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <any>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "weir/core/ids.hpp"

namespace weir::state {

/// A piece of an operator's snapshot: rows of one section, all of one key group or of none.
/// Sections are named by the operator; a section may come in many chunks, in any order.
struct snapshot_chunk {
  std::string section;
  std::optional<key_group> group;  ///< none: not keyed, belongs to the subtask as a whole
  std::string bytes;
  subtask_index from{};  ///< which subtask wrote it; filled in at restore
};

/// What all subtasks of an operator in one process restore from together: read once, held once.
/// Any thread.
class shared_chunks {
 public:
  explicit shared_chunks(std::vector<snapshot_chunk> chunks) : chunks_{std::move(chunks)} {}
  shared_chunks(const shared_chunks&) = delete;
  shared_chunks& operator=(const shared_chunks&) = delete;
  virtual ~shared_chunks() = default;

  /// By former subtask, ascending; those of one in the order in which they were put.
  const std::vector<snapshot_chunk>& all() const noexcept { return chunks_; }

  /// What `make` makes of the chunks: by the first who asks for `what`, for all who do. Nobody
  /// changes it.
  virtual std::any derived(const std::string& what,
                           const std::function<std::any()>& make) const = 0;

 private:
  std::vector<snapshot_chunk> chunks_;
};

/// What a restored operator gets: the keyed chunks of its own key groups, and the unkeyed chunks
/// of all former subtasks. A sequence of chunks to be looked through; the unkeyed ones may be
/// shared with other subtasks.
class restored_chunks {
 public:
  class const_iterator;
  using value_type = snapshot_chunk;

  restored_chunks() = default;
  restored_chunks(std::vector<snapshot_chunk> own) : own_{std::move(own)} {}
  restored_chunks(std::initializer_list<snapshot_chunk> own) : own_{own} {}
  restored_chunks(std::vector<snapshot_chunk> own, std::shared_ptr<const shared_chunks> shared,
                  std::uint32_t former_parallelism)
      : own_{std::move(own)}, shared_{std::move(shared)}, former_parallelism_{former_parallelism} {}

  void push_back(snapshot_chunk chunk) { own_.push_back(std::move(chunk)); }

  const_iterator begin() const noexcept;
  const_iterator end() const noexcept;
  std::size_t size() const noexcept { return own_.size() + (shared_ ? shared_->all().size() : 0); }
  bool empty() const noexcept { return size() == 0; }

  /// Null: nothing is shared.
  const std::shared_ptr<const shared_chunks>& shared() const noexcept { return shared_; }

  /// How many subtasks the operator had. If that is not known: as many as the chunks tell of.
  std::uint32_t former_parallelism() const noexcept;

 private:
  std::vector<snapshot_chunk> own_;
  std::shared_ptr<const shared_chunks> shared_;  // with the other subtasks of the operator
  std::uint32_t former_parallelism_ = 0;
};

/// Goes through the own chunks, then through the shared ones. Valid while the chunks live
/// unchanged.
class restored_chunks::const_iterator {
 public:
  using iterator_category = std::forward_iterator_tag;
  using value_type = snapshot_chunk;
  using difference_type = std::ptrdiff_t;
  using pointer = const snapshot_chunk*;
  using reference = const snapshot_chunk&;

  const_iterator() = default;
  reference operator*() const noexcept { return *at_; }
  pointer operator->() const noexcept { return at_; }
  const_iterator& operator++() noexcept {
    if (++at_ == own_end_) *this = {shared_begin_, nullptr, nullptr};
    return *this;
  }
  const_iterator operator++(int) noexcept {
    auto before = *this;
    ++*this;
    return before;
  }
  friend bool operator==(const_iterator a, const_iterator b) noexcept { return a.at_ == b.at_; }

 private:
  friend restored_chunks;
  const_iterator(pointer at, pointer own_end, pointer shared_begin) noexcept
      : at_{at}, own_end_{own_end}, shared_begin_{shared_begin} {}

  pointer at_ = nullptr;
  pointer own_end_ = nullptr;  // null: among the shared ones
  pointer shared_begin_ = nullptr;
};

inline restored_chunks::const_iterator restored_chunks::begin() const noexcept {
  const auto* shared = shared_ ? shared_->all().data() : nullptr;
  if (own_.empty()) return {shared, nullptr, nullptr};
  return {own_.data(), own_.data() + own_.size(), shared};
}

inline restored_chunks::const_iterator restored_chunks::end() const noexcept {
  if (!shared_) return {nullptr, nullptr, nullptr};
  return {shared_->all().data() + shared_->all().size(), nullptr, nullptr};
}

inline std::uint32_t restored_chunks::former_parallelism() const noexcept {
  if (former_parallelism_ > 0) return former_parallelism_;
  std::uint32_t subtasks = 0;
  for (const auto& chunk : *this) subtasks = std::max(subtasks, chunk.from.value + 1);
  return subtasks;
}

}  // namespace weir::state
