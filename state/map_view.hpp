// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <iterator>
#include <type_traits>
#include <utility>

#include "weir/state/element_block.hpp"
#include "weir/state/map_index.hpp"

namespace weir::state {

/// An entry of a map: `for (const auto& [key, value] : map.entries())`.
template <class K, class V>
struct map_entry {
  K key;
  V value;
};

template <class K, class V>
using map_block = element_block<map_entry<K, V>, map_index>;

/// What a `map_view` shows of an entry.
struct whole_entry {
  template <class Entry>
  static const Entry& of(const Entry& entry) noexcept {
    return entry;
  }
};
struct entry_key {
  template <class Entry>
  static const auto& of(const Entry& entry) noexcept {
    return entry.key;
  }
};
struct entry_value {
  template <class Entry>
  static const auto& of(const Entry& entry) noexcept {
    return entry.value;
  }
};

/// The entries of a map, its keys or its values, as they were when the map was read, for as long as
/// the view lives: whatever happens to the map, and when another key is the current one. Cheap to
/// copy. The first change of the map while a view of it lives copies the map, so let a view go when
/// it is not needed. Owned and used by the subtask that read the map.
///
/// The order is that in which the keys came into the map; but when one is removed, the last one
/// takes its place. It is the same after a restore.
template <class K, class V, class Part = whole_entry>
class map_view {
  using entry = map_entry<K, V>;

 public:
  using value_type = std::remove_cvref_t<decltype(Part::of(std::declval<const entry&>()))>;
  using size_type = std::size_t;

  class const_iterator {
   public:
    using iterator_category = std::forward_iterator_tag;
    using value_type = map_view::value_type;
    using difference_type = std::ptrdiff_t;
    using pointer = const value_type*;
    using reference = const value_type&;

    const_iterator() noexcept = default;
    explicit const_iterator(const entry* at) noexcept : at_{at} {}

    reference operator*() const noexcept { return Part::of(*at_); }
    pointer operator->() const noexcept { return &Part::of(*at_); }
    const_iterator& operator++() noexcept { return ++at_, *this; }
    const_iterator operator++(int) noexcept { return const_iterator{at_++}; }
    friend bool operator==(const const_iterator&, const const_iterator&) = default;

   private:
    const entry* at_ = nullptr;
  };
  using iterator = const_iterator;

  /// An empty one.
  map_view() noexcept = default;

  /// For the engine.
  explicit map_view(map_block<K, V> entries) noexcept : entries_{std::move(entries)} {}

  std::size_t size() const noexcept { return entries_.size(); }
  bool empty() const noexcept { return size() == 0; }

  const_iterator begin() const noexcept { return const_iterator{entries_.data()}; }
  const_iterator end() const noexcept { return const_iterator{entries_.data() + size()}; }

 private:
  map_block<K, V> entries_;
};

}  // namespace weir::state
