// SPDX-License-Identifier: Apache-2.0
// The loops that one would write by hand for windows that overlap or follow the records: one
// thread, open addressing, prefetch. Times never decrease, as a watermark would say.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "bench/support/bare_table.hpp"
#include "bench/support/hand_written.hpp"

namespace weir::bench {

/// The sums by key of windows of `Panes` · `slide` ms that start every `slide` ms. One table: a
/// key's slot has its sum in each of the last panes, so that all lies together when a window ends.
template <std::size_t Panes>
class sliding_loop {
 public:
  sliding_loop(std::uint64_t keys, std::int64_t slide) : slide_{slide} {
    std::size_t slots = 16;
    while (slots < keys * 2) slots *= 2;
    cells_.resize(slots);
    mask_ = slots - 1;
  }

  checksum run(const std::vector<record>& records) {
    std::int64_t end = slide_;
    for (std::size_t i = 0; i < records.size(); ++i) {
      if (i + prefetch_distance < records.size()) prefetch(records[i + prefetch_distance].key);
      for (; records[i].time >= end; end += slide_) end_pane();
      cell& c = at(records[i].key);
      c.sums[pane_] += records[i].value;
      c.filled |= 1u << pane_;
    }
    for (std::size_t i = 0; i < Panes; ++i) end_pane();
    return total_;
  }

 private:
  struct cell {
    std::uint64_t key = 0;
    std::uint32_t filled = 0;  ///< a bit for each pane with a record
    std::array<std::int64_t, Panes> sums{};
  };

  void prefetch(std::uint64_t key) const {
    const cell* c = &cells_[sum_table::hash(key) & mask_];
    __builtin_prefetch(c, 1);
    __builtin_prefetch(&c->sums[pane_], 1);
  }

  cell& at(std::uint64_t key) {
    for (std::size_t i = sum_table::hash(key) & mask_;; i = (i + 1) & mask_) {
      cell& c = cells_[i];
      if (c.key == key) return c;
      if (c.key != 0) continue;
      c.key = key;
      return c;
    }
  }

  /// Emits the window that ends with the pane, and empties the pane that falls out of the next.
  void end_pane() {
    pane_ = (pane_ + 1) % Panes;
    for (cell& c : cells_) {
      if (c.filled == 0) continue;
      std::int64_t sum = 0;
      for (const auto s : c.sums) sum += s;
      total_.add(digest_of(c.key, sum));
      c.sums[pane_] = 0;
      c.filled &= ~(1u << pane_);
    }
  }

  std::vector<cell> cells_;
  std::size_t mask_ = 0;
  std::int64_t slide_;
  std::size_t pane_ = 0;
  checksum total_;
};

/// The sums by key of sessions of `gap` ms. One table; and for each millisecond the keys whose
/// sessions may end then: one that has got records since is looked at again when they are old.
class session_loop {
 public:
  session_loop(std::uint64_t keys, std::int64_t gap)
      : gap_{gap}, sessions_{keys}, may_end_(static_cast<std::size_t>(gap) + 1) {}

  checksum run(const std::vector<record>& records) {
    for (std::size_t i = 0; i < records.size(); ++i) {
      if (i + prefetch_distance < records.size())
        sessions_.prefetch(sum_table::hash(records[i + prefetch_distance].key));
      const record& r = records[i];
      while (now_ < r.time) end_sessions(++now_);
      session& s = sessions_.at(r.key, sum_table::hash(r.key));
      if (s.end == none) keys_ending_at(r.time + gap_).push_back(r.key);
      s.end = r.time + gap_;
      s.sum += r.value;
    }
    for (const std::int64_t last = now_ + gap_; now_ < last;) end_sessions(++now_);
    return total_;
  }

 private:
  static constexpr std::int64_t none = -1;

  struct session {
    std::int64_t end = none;
    std::int64_t sum = 0;
  };

  std::vector<std::uint64_t>& keys_ending_at(std::int64_t time) {
    return may_end_[static_cast<std::size_t>(time) % may_end_.size()];
  }

  void end_sessions(std::int64_t time) {
    auto& keys = keys_ending_at(time);
    for (std::size_t i = 0; i < keys.size(); ++i) {
      if (i + prefetch_distance < keys.size())
        sessions_.prefetch(sum_table::hash(keys[i + prefetch_distance]));
      session& s = sessions_.at(keys[i], sum_table::hash(keys[i]));
      if (s.end > time) {
        keys_ending_at(s.end).push_back(keys[i]);
      } else {
        total_.add(digest_of(keys[i], s.sum));
        s = {};
      }
    }
    keys.clear();
  }

  std::int64_t gap_;
  bare_table<session> sessions_;
  std::vector<std::vector<std::uint64_t>> may_end_;
  std::int64_t now_ = 0;
  checksum total_;
};

}  // namespace weir::bench
