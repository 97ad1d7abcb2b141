// SPDX-License-Identifier: Apache-2.0
// The longer member functions of `row_table`; row_table.hpp includes this file, nobody else should.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <new>
#include <string>
#include <utility>

#include "weir/core/codec.hpp"
#include "weir/core/hash.hpp"
#include "weir/state/row_table.hpp"

namespace weir::state {

template <class Key, class Layout>
template <class K>
auto row_table<Key, Layout>::search(const K& key, std::uint64_t hash) const -> slot* {
  const segment& in = slots_.at(slots_.index_of(hash));
  if (in.rows == 0) return nullptr;
  for (auto i = slots_.slot_of(hash);; i = slots_.behind(i)) {
    slot& s = in.slots[i];
    if (!taken(s)) return nullptr;
    if (key_equal(s.key(), key)) return &s;
  }
}

/// Goes on with a search that has come to slot `at`.
template <class Key, class Layout>
template <class K>
std::byte* row_table<Key, Layout>::find_or_insert_slowly(const K& key, std::uint64_t hash,
                                                         slot* at) {
  segment& in = slots_.at(slots_.index_of(hash));
  for (slot* const end = in.slots.get() + slots_.segment_capacity();; ++at) {
    if (at == end) at = in.slots.get();
    if (!taken(*at)) break;
    if (!key_equal(at->key(), key)) continue;
    save_before_change(*at, hash);
    return at->row;
  }
  if (slots_.is_full(in)) at = make_room(hash);
  ::new (at->key_bytes) Key(key);
  ::new (at->row) row_head{epoch_, presence::nothing};
  ++slots_.at(slots_.index_of(hash)).rows;
  ++size_;
  return at->row;
}

/// Makes room for a key with this hash, and returns the slot for it. Rows move, perhaps those of
/// the segment under the sweep. Their marks move with them, and the sweep starts it again.
template <class Key, class Layout>
auto row_table<Key, Layout>::make_room(std::uint64_t hash) -> slot* {
  slots_.make_room(hash, oldest_);
  const segment& in = slots_.at(slots_.index_of(hash));
  auto i = slots_.slot_of(hash);
  while (taken(in.slots[i])) i = slots_.behind(i);
  return &in.slots[i];
}

template <class Key, class Layout>
void row_table<Key, Layout>::erase(std::byte* row, std::uint64_t hash) {
  slot& s = slot::of(row);
  save_before_change(s, hash);
  segment& in = slots_.at(slots_.index_of(hash));
  erase(in, static_cast<std::size_t>(&s - in.slots.get()));
}

/// Rows that come later in the probe sequence close the gap. One that the sweep has yet to see may
/// move to where it has been, and is saved before.
template <class Key, class Layout>
void row_table<Key, Layout>::erase(segment& in, std::size_t hole) {
  const auto mask = slots_.segment_capacity() - 1;
  in.slots[hole].destroy();
  for (std::size_t i = slots_.behind(hole); taken(in.slots[i]); i = slots_.behind(i)) {
    slot& s = in.slots[i];
    const auto hash = stable_hash(s.key());
    if (((i - hash) & mask) < ((i - hole) & mask)) continue;  // its home is behind the hole
    save_before_change(s, hash);
    in.slots[hole].take(s);
    hole = i;
  }
  in.slots[hole].head().epoch = row_epoch::none;
  --in.rows;
  --size_;
}

/// A segment is walked around once from a free slot, across which no erasure moves a row: so none
/// is met twice or missed.
template <class Key, class Layout>
std::byte* row_table<Key, Layout>::next(cursor& at) {
  for (auto index = slots_.index_at(at.place_); index < slots_.size();
       index = slots_.end_of(index), at.place_ = slots_.place_of(index)) {
    segment& in = slots_.at(index);
    if (in.rows == 0) continue;
    if (at.version_ != in.version) {  // new to it
      at.version_ = in.version;
      at.start_ = at.steps_ = 0;
      while (taken(in.slots[at.start_])) ++at.start_;
    }
    const auto capacity = slots_.segment_capacity();
    for (auto steps = at.steps_ + 1; steps < capacity; ++steps) {
      slot& s = in.slots[slots_.slot_of(at.start_ + steps)];
      if (!taken(s)) continue;
      if (unsaved(s)) [[unlikely]]
        save(s, stable_hash(s.key()));
      at.steps_ = steps;
      return s.row;
    }
  }
  return nullptr;
}

template <class Key, class Layout>
void row_table<Key, Layout>::erase(cursor& at) {
  segment& in = slots_.at(slots_.index_at(at.place_));
  erase(in, (at.start_ + at.steps_--) & (slots_.segment_capacity() - 1));
}

/// Looks at some segments, at fewer when there is something to do with them. The sweep and the
/// iterations see by the versions of the segments which of them they must begin again.
template <class Key, class Layout>
bool row_table<Key, Layout>::trim_sparse() {
  constexpr int cost_of_moving = 64, cost_of_releasing = 16;
  bool done = false;
  for (int budget = 64; budget > 0 && is_sparse();) {
    if (slots_.segments().size() == 1) {
      slots_.shrink(oldest_);
      return true;
    }
    const auto index = slots_.index_at(trim_place_) % slots_.size();
    trim_place_ = slots_.place_of(slots_.first_of(index));
    if (const auto moved = slots_.merge(index, oldest_)) {
      done = true;
      budget -= *moved > 0 ? cost_of_moving : cost_of_releasing;
    } else {
      trim_place_ = slots_.place_of(slots_.end_of(index));
      --budget;
    }
  }
  return done;
}

template <class Key, class Layout>
bool row_table<Key, Layout>::erase_all(std::size_t& slots, bool keep_memory) {
  const auto capacity = slots_.segment_capacity();
  auto& segments = slots_.segments();
  for (; erased_segments_ < segments.size() && !(slot::trivial && keep_memory);
       ++erased_segments_) {
    segment& in = segments[erased_segments_];
    const auto end = std::min(capacity, erased_slots_ + slots);
    slots -= end - erased_slots_;
    if constexpr (!slot::trivial) {
      for (; erased_slots_ < end; ++erased_slots_)
        if (slot& s = in.slots[erased_slots_]; taken(s)) {
          s.destroy();
          s.head().epoch = row_epoch::none;
        }
    }
    erased_slots_ = end;
    if (end < capacity) return false;
    if (!keep_memory) in.slots.reset();
    erased_slots_ = 0;
  }
  // An earlier call may have been one of the other kind.
  const auto gone = [](const segment& in) { return in.slots == nullptr; };
  if (!keep_memory || std::any_of(segments.begin(), segments.end(), gone)) slots_.clear();
  for (segment& in : segments) in.rows = 0;
  erased_segments_ = size_ = 0;
  raise_epoch();
  oldest_ = epoch_;
  settle();
  return true;
}

template <class Key, class Layout>
void row_table<Key, Layout>::begin_snapshot(keyed_chunk_writer& out, std::string row_prefix,
                                            write_options options) {
  raise_epoch();
  out_ = empty() ? nullptr : &out;
  row_prefix_ = std::move(row_prefix);
  write_options_ = std::move(options);
  sweep_place_ = 0;
  sweep_version_ = 0;
  settle();
}

template <class Key, class Layout>
std::size_t row_table<Key, Layout>::sweep(std::size_t slots) {
  std::size_t left = slots;
  while (snapshotting()) {
    const auto index = slots_.index_at(sweep_place_);
    segment& in = slots_.at(index);
    if (sweep_version_ != in.version) sweep_slot_ = 0;  // new to it
    sweep_version_ = in.version;
    const auto end = std::min<std::size_t>(slots_.segment_capacity(), sweep_slot_ + left);
    left -= end - sweep_slot_;
    save_rows(in, sweep_slot_, end);
    sweep_slot_ = end;
    if (end < slots_.segment_capacity()) break;
    sweep_place_ = slots_.place_of(slots_.end_of(index));
    if (slots_.end_of(index) == slots_.size()) abort_snapshot();  // all saved, nothing abandoned
  }
  return slots - left;
}

template <class Key, class Layout>
void row_table<Key, Layout>::save_rows(segment& in, std::size_t begin, std::size_t end) {
  const auto unsaved = static_cast<std::uint32_t>(settled_) - static_cast<std::uint32_t>(oldest_);
  std::uint16_t unsaved_rows[most_listed];
  for (; begin < end; begin += most_listed) {
    slot* const from = &in.slots[begin];
    const auto found = list_rows(from, std::min(most_listed, end - begin), unsaved, unsaved_rows);
    for (std::size_t i = 0; i < found; ++i) {
      slot& s = from[unsaved_rows[i]];
      save_inline(s, stable_hash(s.key()));
    }
  }
}

template <class Key, class Layout>
template <class Use>
void row_table<Key, Layout>::for_each_between(std::uint64_t begin, std::uint64_t end,
                                              Use&& use) const {
  const auto all = 0 - static_cast<std::uint32_t>(oldest_);
  std::uint16_t rows[most_listed];
  const auto capacity = slots_.segment_capacity();
  for (auto index = slots_.index_at(begin); slots_.place_of(index) < end;
       index = slots_.end_of(index)) {
    const segment& in = slots_.at(index);
    for (std::size_t at = 0; in.rows > 0 && at < capacity; at += most_listed) {
      const slot* const from = &in.slots[at];
      const auto found = list_rows(from, std::min(most_listed, capacity - at), all, rows);
      for (std::size_t i = 0; i < found; ++i) {
        const slot& s = from[rows[i]];
        // An address only, which may be past the end: prefetching it is harmless.
        __builtin_prefetch(reinterpret_cast<const void*>(reinterpret_cast<std::uintptr_t>(&s) +
                                                         most_listed * sizeof(slot)));
        use(s.key(), static_cast<const std::byte*>(s.row));
      }
    }
  }
}

template <class Key, class Layout>
void row_table<Key, Layout>::save(slot& s, std::uint64_t hash) {
  save_inline(s, hash);
}

template <class Key, class Layout>
[[gnu::always_inline]] inline void row_table<Key, Layout>::save_inline(slot& s,
                                                                       std::uint64_t hash) {
  byte_writer row = out_->begin_row(hash);
  if (!row_prefix_.empty()) row.raw(row_prefix_);
  codec<Key>::write(row, s.key());
  if (Layout::write(s.row, row, write_options_))
    out_->end_row(row);
  else
    out_->drop_row();
  s.head().epoch = epoch_;
}

template <class Key, class Layout>
std::byte* row_table<Key, Layout>::restore_row(byte_reader& in, const read_options& options) {
  const Key key = codec<Key>::read(in);
  if (in.failed()) return nullptr;
  const auto before = size_;
  std::byte* row = find_or_insert(key, stable_hash(key));
  if (size_ == before) in.fail();
  if (!in.failed()) Layout::read(in, row, options);
  return in.failed() ? nullptr : row;
}

/// Before the epochs run out they start again from 1, and every slot is told.
template <class Key, class Layout>
void row_table<Key, Layout>::raise_epoch() {
  constexpr auto last = std::numeric_limits<std::uint32_t>::max();
  if (epoch_ == row_epoch{last}) {
    for (segment& in : slots_.segments())
      for (std::size_t i = 0; i < slots_.segment_capacity(); ++i)
        in.slots[i].head().epoch = taken(in.slots[i]) ? row_epoch{1} : row_epoch::none;
    oldest_ = epoch_ = row_epoch{1};
  }
  epoch_ = row_epoch{static_cast<std::uint32_t>(epoch_) + 1};
}

template <class Key, class Layout>
void row_table<Key, Layout>::destroy_rows() noexcept {
  if constexpr (!slot::trivial)
    for (segment& in : slots_.segments())
      for (std::size_t i = 0; in.slots != nullptr && i < slots_.segment_capacity(); ++i)
        if (taken(in.slots[i])) in.slots[i].destroy();
}

}  // namespace weir::state
