// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <memory>
#include <utility>
#include <vector>

#include "weir/state/key_order.hpp"

namespace weir::state {

/// The entries of a map in the order of their keys, in blocks. A copy is a reference; whoever
/// changes one that is shared copies the list of blocks once, and each block before its first
/// change: so the other copies stay as they are. Owned and used by one subtask, copies included.
template <class K, class V>
class sorted_entries {
 public:
  class iterator;
  using value_type = std::pair<K, V>;
  using const_iterator = iterator;

  std::size_t size() const noexcept { return content_->size; }
  bool empty() const noexcept { return size() == 0; }

  /// Null: there is no such entry. Good until the next change.
  const V* find(const K& key) const {
    const auto at = block_of(key);
    if (at == content_->blocks.size()) return nullptr;
    const auto& block = *content_->blocks[at];
    const auto entry = place_in(block, key);
    return is_at(block, entry, key) ? &block[entry].second : nullptr;
  }

  /// Adds the entry, or replaces the value of the one that is there.
  void put(K key, V value) {
    auto& blocks = own_content().blocks;
    if (blocks.empty()) blocks.push_back(std::make_shared<block_type>());
    const auto at = std::min(block_of(key), blocks.size() - 1);
    auto& block = own_block(at);
    const auto entry = place_in(block, key);
    if (is_at(block, entry, key)) {
      block[entry].second = std::move(value);
      return;
    }
    block.emplace(block.begin() + static_cast<std::ptrdiff_t>(entry), std::move(key),
                  std::move(value));
    ++content_->size;
    if (block.size() > most_in_block) split(at);
  }

  /// True if there was such an entry.
  bool remove(const K& key) {
    if (find(key) == nullptr) return false;
    auto& blocks = own_content().blocks;
    const auto at = block_of(key);
    auto& block = own_block(at);
    block.erase(block.begin() + static_cast<std::ptrdiff_t>(place_in(block, key)));
    --content_->size;
    if (block.empty()) blocks.erase(blocks.begin() + static_cast<std::ptrdiff_t>(at));
    return true;
  }

  void clear() { content_ = std::make_shared<content_type>(); }

  /// Iterators are good until the next change of the entries they come from.
  iterator begin() const noexcept { return {content_.get(), 0}; }
  iterator end() const noexcept { return {content_.get(), content_->blocks.size()}; }

 private:
  using block_type = std::vector<value_type>;
  struct content_type {
    std::vector<std::shared_ptr<block_type>> blocks;  // none is empty; with other contents
    std::size_t size = 0;
  };
  static constexpr std::size_t most_in_block = 64;

  /// The only block that may have `key`: the first whose last key is not before it.
  std::size_t block_of(const K& key) const {
    const auto& blocks = content_->blocks;
    const auto found = std::partition_point(blocks.begin(), blocks.end(), [&](const auto& block) {
      return !block->empty() && key_before(block->back().first, key);
    });
    return static_cast<std::size_t>(found - blocks.begin());
  }

  static std::size_t place_in(const block_type& block, const K& key) {
    const auto found =
        std::partition_point(block.begin(), block.end(),
                             [&](const value_type& entry) { return key_before(entry.first, key); });
    return static_cast<std::size_t>(found - block.begin());
  }

  static bool is_at(const block_type& block, std::size_t entry, const K& key) {
    return entry < block.size() && !key_before(key, block[entry].first);
  }

  content_type& own_content() {
    if (content_.use_count() > 1) content_ = std::make_shared<content_type>(*content_);
    return *content_;
  }

  /// @pre the content is ours
  block_type& own_block(std::size_t at) {
    auto& block = content_->blocks[at];
    if (block.use_count() > 1) block = std::make_shared<block_type>(*block);
    return *block;
  }

  void split(std::size_t at) {
    auto& first = *content_->blocks[at];
    const auto middle = first.begin() + static_cast<std::ptrdiff_t>(first.size() / 2);
    auto second = std::make_shared<block_type>(std::make_move_iterator(middle),
                                               std::make_move_iterator(first.end()));
    first.erase(middle, first.end());
    content_->blocks.insert(content_->blocks.begin() + static_cast<std::ptrdiff_t>(at + 1),
                            std::move(second));
  }

  std::shared_ptr<content_type> content_ = std::make_shared<content_type>();  // with copies
};

template <class K, class V>
class sorted_entries<K, V>::iterator {
 public:
  using iterator_category = std::forward_iterator_tag;
  using value_type = std::pair<K, V>;
  using difference_type = std::ptrdiff_t;
  using pointer = const value_type*;
  using reference = const value_type&;

  iterator() = default;
  reference operator*() const noexcept { return (*content_->blocks[block_])[entry_]; }
  pointer operator->() const noexcept { return &**this; }
  iterator& operator++() noexcept {
    if (++entry_ == content_->blocks[block_]->size()) {
      ++block_;
      entry_ = 0;
    }
    return *this;
  }
  iterator operator++(int) noexcept {
    auto before = *this;
    ++*this;
    return before;
  }
  friend bool operator==(iterator a, iterator b) noexcept {
    return a.block_ == b.block_ && a.entry_ == b.entry_;
  }

 private:
  friend sorted_entries;
  iterator(const content_type* content, std::size_t block) noexcept
      : content_{content}, block_{block} {}

  const content_type* content_ = nullptr;
  std::size_t block_ = 0;
  std::size_t entry_ = 0;
};

}  // namespace weir::state
