// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "weir/state/hash_range.hpp"
#include "weir/state/row_slot.hpp"

namespace weir::state {

/// The slots of a `row_table`, in segments of neighbouring hashes, all of one capacity. A single
/// segment doubles until it has about 512 KiB; from then on a segment that is full is split in two,
/// and two that are nearly empty are merged when `merge` comes across them. The directory is
/// indexed by the bits [top - depth, top) of the hash; a segment of lower depth stands in it more
/// than once, side by side. In a segment the low bits of the hash choose the slot. Source: Fagin et
/// al., "Extendible Hashing", 1979.
template <class Slot>
class segment_directory {
 public:
  struct segment {
    slot_array<Slot> slots;
    std::uint32_t rows = 0;
    std::uint32_t limit = 0;  ///< no more rows than this
    std::uint32_t depth = 0;
    std::uint32_t prefix = 0;   ///< the first `depth` bits of the directory's index
    std::uint32_t version = 0;  ///< a new one whenever rows have moved in or out
  };

  /// `range`: the hashes to expect. Others are in their place too, only not in order.
  explicit segment_directory(hash_range range)
      // They differ in their bits below `top_`, and by at most one in those above.
      : top_{std::max(33u, static_cast<std::uint32_t>(std::bit_width(range.last - range.first)))} {
    clear();
  }
  segment_directory(const segment_directory&) = delete;
  segment_directory& operator=(const segment_directory&) = delete;
  ~segment_directory() { release_all(); }

  /// Where a search begins. A copy, for the registers, of what changes when the directory does.
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

  /// An entry as a place among all hashes: it means the same when the directory has changed size.
  /// That of `size()` is the end.
  std::uint64_t place_of(std::size_t index) const noexcept {
    return static_cast<std::uint64_t>(index) << (32 - depth_);
  }
  std::size_t index_at(std::uint64_t place) const noexcept { return place >> (32 - depth_); }

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

  /// True when a segment must get room before it takes another row.
  bool is_full(const segment& s) const noexcept { return s.rows >= s.limit; }

  /// Gives the segment of `hash` room. Slots whose epoch is lower than `oldest` are free.
  void make_room(std::uint64_t hash, row_epoch oldest);

  /// Merges the segment of entry `index` with its neighbour, its other half, if that is not split
  /// further and both together are nearly empty. Returns how many rows have moved; none: it could
  /// not. Afterwards the directory may have half its size.
  std::optional<std::size_t> merge(std::size_t index, row_epoch oldest);

  /// Gives the only segment room for its rows, and some more, and not for much more.
  /// @pre segments().size() == 1
  void shrink(row_epoch oldest);

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
  void release_all() noexcept;
  segment make_segment(std::uint32_t depth, std::uint32_t prefix);
  std::uint32_t limit_of(std::uint32_t depth, std::uint32_t prefix) const noexcept;
  void move_rows(segment& from, segment& to, row_epoch oldest) noexcept;
  bool may_split(const segment& s) const noexcept;
  void resize_all(std::size_t capacity, row_epoch oldest);
  void split(std::size_t index, row_epoch oldest);
  void double_directory();
  void halve_directory();
  void drop(std::uint32_t id);
  void refer(std::uint32_t id);
  void move_row(Slot& from, std::uint64_t hash, segment& to) noexcept;

  placement place_;
  page_blocks blocks_{(full_capacity + 1) * sizeof(Slot)};  // of those made by splits and merges
  std::vector<Slot*> entries_;      // apart from the rest: they stay in the first-level cache
  std::vector<std::uint32_t> ids_;  // the segment of each entry
  std::vector<segment> segments_;
  std::size_t capacity_ = 0;
  std::uint32_t top_;
  std::uint32_t depth_ = 0;
  std::uint32_t deepest_ = 1;  // segments as deep as the directory
  std::uint32_t version_ = 0;  // the last one that a segment got
};

}  // namespace weir::state

#include "weir/state/segment_directory_definitions.hpp"
