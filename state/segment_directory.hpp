// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

#include "weir/core/hash.hpp"
#include "weir/state/hash_range.hpp"
#include "weir/state/row_slot.hpp"

namespace weir::state {

/// The slots of a `row_table`, in segments of neighbouring hashes, all of one capacity. A single
/// segment doubles until it has about 512 KiB; from then on a segment that is full is split in two.
/// The directory is indexed by the bits [top - depth, top) of the hash; a segment of lower depth
/// stands in it more than once, side by side. In a segment the low bits of the hash choose the
/// slot. Source: Fagin et al., "Extendible Hashing", 1979.
template <class Slot>
class segment_directory {
 public:
  struct segment {
    slot_array<Slot> slots;
    std::uint32_t rows = 0;
    std::uint32_t depth = 0;
  };

  /// `range`: the hashes to expect. Others are in their place too, only not in order.
  explicit segment_directory(hash_range range)
      // They differ in their bits below `top_`, and by at most one in those above.
      : top_{std::max(33u, static_cast<std::uint32_t>(std::bit_width(range.last - range.first)))} {
    clear();
  }

  /// Where a search begins. A copy, for the registers, of what changes with `make_room` and
  /// `clear`.
  class placement {
   public:
    /// The slot at which the search for a key with this hash begins. It goes on with the slots
    /// behind, as far as a segment reaches: its last slot is followed by one that stays free.
    [[gnu::always_inline]] Slot* first(std::uint64_t hash) const noexcept {
      return entries_[index_of(hash)] + slot_of(hash);
    }
    [[gnu::always_inline]] std::size_t index_of(std::uint64_t hash) const noexcept {
      return (hash >> shift_) & index_mask_;
    }
    [[gnu::always_inline]] std::size_t slot_of(std::uint64_t hash) const noexcept {
      return hash & slot_mask_;
    }

   private:
    friend segment_directory;
    Slot* const* entries_ = nullptr;
    std::uint64_t index_mask_ = 0;
    std::uint64_t slot_mask_ = 0;
    std::uint32_t shift_ = 0;
  };

  const placement& place() const noexcept { return place_; }

  /// The directory entry and the first slot of the search for a key with this hash.
  std::size_t index_of(std::uint64_t hash) const noexcept { return place_.index_of(hash); }
  std::size_t slot_of(std::uint64_t hash) const noexcept { return place_.slot_of(hash); }
  /// The slot to look at after slot `i`, the first one after the last one.
  std::size_t behind(std::size_t i) const noexcept { return place_.slot_of(i + 1); }

  /// Entries of the directory. Grows by doubling: then entry i becomes 2i and 2i + 1.
  std::size_t size() const noexcept { return entries_.size(); }

  segment& at(std::size_t index) noexcept { return segments_[ids_[index]]; }
  const segment& at(std::size_t index) const noexcept { return segments_[ids_[index]]; }

  /// The first entry of the segment that entry `index` refers to, and the one behind its last.
  std::size_t first_of(std::size_t index) const noexcept {
    return index & ~(entries_at(index) - 1);
  }
  std::size_t end_of(std::size_t index) const noexcept {
    return first_of(index) + entries_at(index);
  }

  std::vector<segment>& segments() noexcept { return segments_; }
  const std::vector<segment>& segments() const noexcept { return segments_; }

  /// Slots of a segment: a power of two, or 0 for the only segment of an empty table.
  std::size_t segment_capacity() const noexcept { return capacity_; }
  std::size_t capacity() const noexcept { return capacity_ * segments_.size(); }

  /// True when a segment must get room before it takes another row: linear probing wants it.
  bool is_full(const segment& s) const noexcept { return s.rows >= capacity_ / 8 * 5; }

  /// Gives the segment of `hash` room. Slots whose epoch is lower than `oldest` are free.
  void make_room(std::uint64_t hash, row_epoch oldest);

  /// Back to one segment without memory. @pre no slot is taken
  void clear();

 private:
  static constexpr std::size_t first_capacity = 8;
  static constexpr std::size_t full_capacity =
      std::max(std::bit_floor((std::size_t{1} << 19) / sizeof(Slot)), std::size_t{64});

  // Where an empty table searches. Nobody writes to it.
  alignas(Slot) static inline std::byte nothing_[sizeof(Slot)]{};

  std::size_t entries_at(std::size_t index) const noexcept {
    return std::size_t{1} << (depth_ - segments_[ids_[index]].depth);
  }
  void set_place() noexcept;
  bool may_split(const segment& s) const noexcept;
  void enlarge_all(row_epoch oldest);
  void split(std::size_t index, row_epoch oldest);
  void double_directory();
  void refer(std::size_t first, std::size_t end, std::uint32_t id);
  void move_row(Slot& from, std::uint64_t hash, segment& to) noexcept;

  placement place_;
  std::vector<Slot*> entries_;      // apart from the rest: they stay in the first-level cache
  std::vector<std::uint32_t> ids_;  // the segment of each entry
  std::vector<segment> segments_;
  std::size_t capacity_ = 0;
  std::uint32_t top_;
  std::uint32_t depth_ = 0;
};

template <class Slot>
void segment_directory<Slot>::clear() {
  segments_.clear();
  segments_.emplace_back();
  entries_.assign(1, reinterpret_cast<Slot*>(nothing_));
  ids_.assign(1, 0);
  capacity_ = 0;
  depth_ = 0;
  set_place();
}

template <class Slot>
void segment_directory<Slot>::make_room(std::uint64_t hash, row_epoch oldest) {
  const auto index = index_of(hash);
  if (capacity_ >= full_capacity && may_split(at(index)))
    split(index, oldest);
  else
    enlarge_all(oldest);
  set_place();
}

template <class Slot>
void segment_directory<Slot>::set_place() noexcept {
  place_.entries_ = entries_.data();
  place_.index_mask_ = size() - 1;
  place_.slot_mask_ = capacity_ == 0 ? 0 : capacity_ - 1;
  place_.shift_ = std::min(top_ - depth_, 63u);  // of no matter while there is one entry
}

/// Keys whose hashes are all alike would be split for ever; with them the segments grow instead.
template <class Slot>
bool segment_directory<Slot>::may_split(const segment& s) const noexcept {
  if (s.depth < depth_) return true;
  return top_ - depth_ > 32 && size() <= 16 + 4 * segments_.size();
}

template <class Slot>
void segment_directory<Slot>::enlarge_all(row_epoch oldest) {
  const auto old_capacity = std::exchange(capacity_, std::max(capacity_ * 2, first_capacity));
  for (segment& s : segments_) {
    segment larger{make_slots<Slot>(capacity_ + 1), 0, s.depth};
    for (std::size_t i = 0; i < old_capacity; ++i)
      if (Slot& from = s.slots[i]; from.head().epoch >= oldest)
        move_row(from, stable_hash(from.key()), larger);
    s = std::move(larger);
  }
  for (std::size_t i = 0; i < size(); ++i) entries_[i] = segments_[ids_[i]].slots.get();
}

template <class Slot>
void segment_directory<Slot>::split(std::size_t index, row_epoch oldest) {
  if (at(index).depth == depth_) {
    double_directory();
    index *= 2;
  }
  const auto first = first_of(index), end = end_of(index), middle = (first + end) / 2;
  const auto id = ids_[index];
  auto& old = segments_[id];
  segment lower{make_slots<Slot>(capacity_ + 1), 0, old.depth + 1};
  segment upper{make_slots<Slot>(capacity_ + 1), 0, old.depth + 1};
  const auto upper_bit = std::uint64_t{1} << (top_ - old.depth - 1);
  for (std::size_t i = 0; i < capacity_; ++i) {
    Slot& from = old.slots[i];
    if (from.head().epoch < oldest) continue;
    const auto hash = stable_hash(from.key());
    move_row(from, hash, (hash & upper_bit) != 0 ? upper : lower);
  }
  old = std::move(lower);
  segments_.push_back(std::move(upper));
  refer(first, middle, id);
  refer(middle, end, static_cast<std::uint32_t>(segments_.size() - 1));
}

template <class Slot>
void segment_directory<Slot>::double_directory() {
  const auto twice = [](const auto& once) {
    std::remove_cvref_t<decltype(once)> doubled;
    doubled.reserve(once.size() * 2);
    for (const auto& e : once) doubled.insert(doubled.end(), 2, e);
    return doubled;
  };
  entries_ = twice(entries_);
  ids_ = twice(ids_);
  ++depth_;
}

template <class Slot>
void segment_directory<Slot>::refer(std::size_t first, std::size_t end, std::uint32_t id) {
  for (; first < end; ++first) {
    ids_[first] = id;
    entries_[first] = segments_[id].slots.get();
  }
}

template <class Slot>
void segment_directory<Slot>::move_row(Slot& from, std::uint64_t hash, segment& to) noexcept {
  const auto mask = capacity_ - 1;
  auto i = hash & mask;
  while (to.slots[i].head().epoch != row_epoch::none) i = (i + 1) & mask;
  to.slots[i].take(from);
  ++to.rows;
}

}  // namespace weir::state
