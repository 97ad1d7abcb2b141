// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "weir/core/hash.hpp"
#include "weir/dataflow/timer.hpp"

namespace weir::dataflow {

/// A hash set of (time, subject), all of one domain, each with a number of the owner's and a
/// handle that holds until it is erased. Owned and used by one actor.
///
/// Entries lie in one array with a list of free places; an index of linear probing finds them.
/// Erasing shifts the index back, so that no tombstones gather.
template <class Subject>
class timer_table {
 public:
  using handle = std::uint32_t;
  static constexpr handle none = 0xFFFFFFFF;

  struct entry {
    std::int64_t time;
    std::uint64_t value;  ///< the owner's
    Subject subject;
    std::uint32_t place;  ///< the owner's; the next free entry while not in use
    bool used;
  };

  std::size_t size() const noexcept { return size_; }
  bool empty() const noexcept { return size_ == 0; }

  entry& operator[](handle at) { return entries_[at]; }
  const entry& operator[](handle at) const { return entries_[at]; }

  /// `none` if it is not there.
  handle find(std::int64_t time, const Subject& subject) const {
    if (size_ == 0) return none;
    return probe(tag_of(time, subject), time, subject);
  }

  /// The handle of the entry, and whether it is new.
  std::pair<handle, bool> insert(std::int64_t time, Subject subject) {
    if (4 * (size_ + 1) > 3 * slots_.size()) grow();
    const auto tag = tag_of(time, subject);
    if (const handle at = probe(tag, time, subject); at != none) return {at, false};
    std::size_t i = tag & mask();
    while (slots_[i].at != none) i = (i + 1) & mask();
    slots_[i] = {tag, allocate(time, std::move(subject))};
    ++size_;
    return {slots_[i].at, true};
  }

  /// Erases an entry that is there, and returns its subject. The last one takes large memory along.
  Subject erase(handle at) {
    entry& gone = entries_[at];
    std::size_t i = tag_of(gone.time, gone.subject) & mask();
    while (slots_[i].at != at) i = (i + 1) & mask();
    close_gap(i);
    gone.used = false;
    gone.place = std::exchange(free_, at);
    Subject subject = std::move(gone.subject);
    if (--size_ == 0 && slots_.size() > max_kept_slots) clear();
    return subject;
  }

  /// Gives large memory back, keeps small.
  void clear() {
    if (entries_.empty()) return;
    if (slots_.size() > max_kept_slots) {
      *this = timer_table{};
      return;
    }
    entries_.clear();
    slots_.assign(slots_.size(), {});
    size_ = 0;
    free_ = none;
  }

  /// In an order that depends on the calls so far only.
  template <class Function>
  void for_each(Function&& f) const {
    for (const entry& e : entries_)
      if (e.used) f(e);
  }

 private:
  static constexpr std::size_t min_slots = 16;
  static constexpr std::size_t max_kept_slots = 4096;

  struct slot {
    std::uint32_t tag = 0;
    handle at = none;
  };

  static std::uint32_t tag_of(std::int64_t time, const Subject& subject) {
    const auto hash = timer_subject<Subject>::hash(subject);
    return static_cast<std::uint32_t>(mix_bits(hash ^ mix_bits(static_cast<std::uint64_t>(time))));
  }

  std::size_t mask() const { return slots_.size() - 1; }

  handle probe(std::uint32_t tag, std::int64_t time, const Subject& subject) const {
    for (std::size_t i = tag & mask(); slots_[i].at != none; i = (i + 1) & mask()) {
      if (slots_[i].tag != tag) continue;
      const entry& e = entries_[slots_[i].at];
      if (e.time == time && timer_subject<Subject>::equal(e.subject, subject)) return slots_[i].at;
    }
    return none;
  }

  handle allocate(std::int64_t time, Subject&& subject) {
    if (free_ == none) {
      entries_.push_back(entry{time, 0, std::move(subject), 0, true});
      return static_cast<handle>(entries_.size() - 1);
    }
    const handle at = free_;
    free_ = entries_[at].place;
    entries_[at] = entry{time, 0, std::move(subject), 0, true};
    return at;
  }

  void grow() {
    const std::vector<slot> old =
        std::exchange(slots_, std::vector<slot>(slots_.empty() ? min_slots : 2 * slots_.size()));
    for (const slot& s : old) {
      if (s.at == none) continue;
      std::size_t i = s.tag & mask();
      while (slots_[i].at != none) i = (i + 1) & mask();
      slots_[i] = s;
    }
  }

  void close_gap(std::size_t gap) {
    for (std::size_t i = (gap + 1) & mask(); slots_[i].at != none; i = (i + 1) & mask()) {
      const std::size_t home = slots_[i].tag & mask();
      if (((i - home) & mask()) < ((i - gap) & mask())) continue;
      slots_[gap] = slots_[i];
      gap = i;
    }
    slots_[gap] = {};
  }

  std::vector<entry> entries_;
  std::vector<slot> slots_;
  std::size_t size_ = 0;
  handle free_ = none;
};

}  // namespace weir::dataflow
