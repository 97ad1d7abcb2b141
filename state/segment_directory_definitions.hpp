// SPDX-License-Identifier: Apache-2.0
// The member functions of `segment_directory` that change it; segment_directory.hpp includes this
// file, nobody else should.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <type_traits>
#include <utility>

#include "weir/core/hash.hpp"
#include "weir/state/segment_directory.hpp"

namespace weir::state {

template <class Slot>
void segment_directory<Slot>::clear() {
  release_all();
  segments_.emplace_back().version = ++version_;
  entries_.assign(1, reinterpret_cast<Slot*>(nothing_));
  ids_.assign(1, 0);
  capacity_ = 0;
  depth_ = 0;
  deepest_ = 1;
  set_place();
}

/// Lets go of all memory at once. @pre no slot is taken
template <class Slot>
void segment_directory<Slot>::release_all() noexcept {
  for (segment& s : segments_)
    if (s.slots.get_deleter().from != nullptr) static_cast<void>(s.slots.release());
  segments_.clear();
  blocks_.clear();
}

template <class Slot>
void segment_directory<Slot>::make_room(std::uint64_t hash, row_epoch oldest) {
  const auto index = index_of(hash);
  if (capacity_ >= full_capacity && may_split(at(index)))
    split(index, oldest);
  else
    resize_all(std::max(capacity_ * 2, first_capacity), oldest);
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
void segment_directory<Slot>::shrink(row_epoch oldest) {
  const std::size_t rows = segments_.front().rows;
  if (rows == 0) return clear();
  resize_all(std::max(std::bit_ceil(rows * 3), first_capacity), oldest);
  blocks_.clear();
  set_place();
}

template <class Slot>
auto segment_directory<Slot>::make_segment(std::uint32_t depth, std::uint32_t prefix) -> segment {
  auto slots =
      capacity_ == full_capacity ? make_slots<Slot>(blocks_) : make_slots<Slot>(capacity_ + 1);
  return {std::move(slots), 0, limit_of(depth, prefix), depth, prefix, ++version_};
}

/// Linear probing wants free slots. The limits of segments that were split differ: if they were all
/// alike, all would be split at about the same time, and the table have half its load at once.
template <class Slot>
std::uint32_t segment_directory<Slot>::limit_of(std::uint32_t depth,
                                                std::uint32_t prefix) const noexcept {
  const auto sixteenths = depth == 0 ? 12 : 8 + mix_bits(prefix + (1ull << depth)) % 6;
  return static_cast<std::uint32_t>(capacity_ * sixteenths / 16);
}

template <class Slot>
void segment_directory<Slot>::resize_all(std::size_t capacity, row_epoch oldest) {
  const auto old_capacity = std::exchange(capacity_, capacity);
  for (segment& s : segments_) {
    segment resized{make_slots<Slot>(capacity_ + 1),
                    0,
                    limit_of(s.depth, s.prefix),
                    s.depth,
                    s.prefix,
                    ++version_};
    for (std::size_t i = 0; i < old_capacity; ++i)
      if (Slot& from = s.slots[i]; from.head().epoch >= oldest)
        move_row(from, stable_hash(from.key()), resized);
    s = std::move(resized);
  }
  for (std::size_t i = 0; i < size(); ++i) entries_[i] = segments_[ids_[i]].slots.get();
}

template <class Slot>
void segment_directory<Slot>::split(std::size_t index, row_epoch oldest) {
  if (at(index).depth == depth_) {
    double_directory();
    index *= 2;
  }
  const auto id = ids_[index];
  auto& old = segments_[id];
  const auto depth = old.depth + 1, prefix = old.prefix * 2;
  segment lower = make_segment(depth, prefix), upper = make_segment(depth, prefix + 1);
  const auto upper_bit = std::uint64_t{1} << (top_ - depth);
  for (std::size_t i = 0; i < capacity_; ++i) {
    Slot& from = old.slots[i];
    if (from.head().epoch < oldest) continue;
    const auto hash = stable_hash(from.key());
    move_row(from, hash, (hash & upper_bit) != 0 ? upper : lower);
  }
  if (depth == depth_) deepest_ += 2;
  old = std::move(lower);
  segments_.push_back(std::move(upper));
  refer(id);
  refer(static_cast<std::uint32_t>(segments_.size() - 1));
}

/// The rows of both move to a new segment: where in the memory it lies is for `blocks_` to choose.
template <class Slot>
std::optional<std::size_t> segment_directory<Slot>::merge(std::size_t index, row_epoch oldest) {
  const auto kept = ids_[index];
  const auto depth = segments_[kept].depth;
  if (depth == 0) return std::nullopt;
  const auto left = ids_[first_of(index) ^ entries_at(index)];
  if (segments_[left].depth != depth) return std::nullopt;
  if (segments_[kept].rows + segments_[left].rows > capacity_ / 4) return std::nullopt;
  segment merged = make_segment(depth - 1, segments_[kept].prefix / 2);
  move_rows(segments_[kept], merged, oldest);
  move_rows(segments_[left], merged, oldest);
  if (depth == depth_) deepest_ -= 2;
  const std::size_t moved = merged.rows;
  segments_[kept] = std::move(merged);
  refer(kept);
  drop(left);
  if (deepest_ == 0) halve_directory();
  set_place();
  return moved;
}

template <class Slot>
void segment_directory<Slot>::move_rows(segment& from, segment& to, row_epoch oldest) noexcept {
  for (std::size_t i = 0; from.rows > 0; ++i) {
    if (from.slots[i].head().epoch < oldest) continue;
    move_row(from.slots[i], stable_hash(from.slots[i].key()), to);
    --from.rows;
  }
}

/// Takes a segment that no entry refers to out of the list.
template <class Slot>
void segment_directory<Slot>::drop(std::uint32_t id) {
  if (id != segments_.size() - 1) {
    segments_[id] = std::move(segments_.back());
    refer(id);
  }
  segments_.pop_back();
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
  deepest_ = 0;
}

template <class Slot>
void segment_directory<Slot>::halve_directory() {
  const auto half = [](const auto& all) {
    std::remove_cvref_t<decltype(all)> halved;
    halved.reserve(all.size() / 2);
    for (std::size_t i = 0; i < all.size(); i += 2) halved.push_back(all[i]);
    return halved;
  };
  entries_ = half(entries_);
  ids_ = half(ids_);
  --depth_;
  for (const segment& s : segments_) deepest_ += s.depth == depth_ ? 1 : 0;
}

/// Makes the entries of a segment refer to it.
template <class Slot>
void segment_directory<Slot>::refer(std::uint32_t id) {
  const segment& s = segments_[id];
  const auto entries = std::size_t{1} << (depth_ - s.depth);
  for (auto i = s.prefix * entries; i < (s.prefix + 1) * entries; ++i) {
    ids_[i] = id;
    entries_[i] = s.slots.get();
  }
}

/// Into a new segment: no slot of it has ever had another epoch than none and that of its row.
template <class Slot>
void segment_directory<Slot>::move_row(Slot& from, std::uint64_t hash, segment& to) noexcept {
  const auto mask = capacity_ - 1;
  auto i = hash & mask;
  while (to.slots[i].head().epoch != row_epoch::none) i = (i + 1) & mask;
  to.slots[i].take(from);
  ++to.rows;
}

}  // namespace weir::state
