// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

namespace weir::state {

/// The index of a large map: finds the place of an entry by the hash of its key. A view of numbers
/// that lie behind the entries, all 0 at first; a place, plus one, stands in the lower bits of a
/// number and as much of the upper half of the hash as fits in the others, so that seldom a wrong
/// entry is looked at. Small maps have none.
/// Source: erasure without tombstones after Knuth, TAOCP 3, 6.4, algorithm R.
class map_index {
 public:
  /// A map with room for so many entries is searched entry by entry.
  static constexpr std::size_t scanned = 8;
  static constexpr std::size_t nowhere = ~std::size_t{0};

  /// How many numbers are needed for so many entries: a power of two, an eighth of it free.
  static constexpr std::size_t slots(std::size_t entries) {
    return entries <= scanned ? 0 : std::bit_ceil(entries + entries / 7 + 1);
  }

  /// For how many entries so many numbers do.
  static constexpr std::size_t capacity(std::size_t slots) {
    return slots == 0 ? scanned : (slots - 1) * 7 / 8;
  }

  /// @pre there are `slots(entries)` numbers, more than none
  map_index(std::uint32_t* numbers, std::size_t entries) noexcept
      : numbers_{numbers}, mask_{static_cast<std::uint32_t>(slots(entries) - 1)} {}

  /// The place for which `is_it` holds among those of this hash, or `nowhere`.
  template <class IsIt>
  std::size_t find(std::uint64_t hash, IsIt&& is_it) const {
    const auto tag = tag_of(hash);
    for (auto slot = home_of(hash);; slot = behind(slot)) {
      const auto number = numbers_[slot];
      if (number == 0) return nowhere;
      if ((number & ~mask_) == tag && is_it(place_of(number))) return place_of(number);
    }
  }

  /// @pre the place is not in it
  void insert(std::uint64_t hash, std::size_t place) noexcept {
    auto slot = home_of(hash);
    while (numbers_[slot] != 0) slot = behind(slot);
    numbers_[slot] = number_for(hash, place);
  }

  /// The entry of this hash moves. @pre `from` is in it, `to` is not
  void move(std::uint64_t hash, std::size_t from, std::size_t to) noexcept {
    numbers_[slot_of(hash, from)] = number_for(hash, to);
  }

  /// Erases a place of this hash that is in it. `hash_at(place)` is the hash of any entry.
  template <class HashAt>
  void erase(std::uint64_t hash, std::size_t place, HashAt&& hash_at) {
    auto hole = slot_of(hash, place);
    for (auto slot = behind(hole); numbers_[slot] != 0; slot = behind(slot)) {
      const auto home = home_of(hash_at(place_of(numbers_[slot])));
      if (((slot - home) & mask_) < ((slot - hole) & mask_)) continue;  // home lies behind the hole
      numbers_[hole] = numbers_[slot];
      hole = slot;
    }
    numbers_[hole] = 0;
  }

 private:
  std::uint32_t home_of(std::uint64_t hash) const noexcept {
    return static_cast<std::uint32_t>(hash) & mask_;
  }
  std::uint32_t behind(std::uint32_t slot) const noexcept { return (slot + 1) & mask_; }
  std::uint32_t tag_of(std::uint64_t hash) const noexcept {
    return static_cast<std::uint32_t>(hash >> 32) & ~mask_;
  }
  std::uint32_t number_for(std::uint64_t hash, std::size_t place) const noexcept {
    return tag_of(hash) | (static_cast<std::uint32_t>(place) + 1);
  }
  std::size_t place_of(std::uint32_t number) const noexcept { return (number & mask_) - 1; }

  std::uint32_t slot_of(std::uint64_t hash, std::size_t place) const noexcept {
    auto slot = home_of(hash);
    while (place_of(numbers_[slot]) != place) slot = behind(slot);
    return slot;
  }

  std::uint32_t* numbers_;
  std::uint32_t mask_;
};

}  // namespace weir::state
