// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

#include "weir/core/hash.hpp"
#include "weir/state/row_table.hpp"

namespace weir::windowing {

/// The rows of several tables as one for each key, a slice of the keys at a time: so it needs
/// memory for one slice only, and finds most of it in the processor's cache. `Table` is a
/// `row_table` of one cell. Owned by an operator.
///
/// Tables for the same hashes are in nearly the same order, so that what comes from the second one
/// is found beside what came from the first.
template <class Table>
class merged_panes {
 public:
  using key = typename Table::key_type;
  using accumulator = typename Table::layout::template value_at<0>;

  /// What all tables together have for a key. Good until the next call.
  struct row {
    const key* of = nullptr;  ///< null: there is no row
    const accumulator* value = nullptr;
  };

  /// Begins with other tables, in the order in which their rows are to be merged. They are made for
  /// the same hashes, and must not change until the end is reached.
  void start(std::vector<const Table*> tables) {
    tables_ = std::move(tables);
    end_ = 0;
    if (!finished()) begin_slice();
  }

  bool finished() const { return tables_.empty(); }

  /// The row of the next key; none: the end is reached, if `finished()`, or `left` is used up.
  /// `merge(const accumulator& from, accumulator& into)` is called if several tables have the key.
  /// Merging takes from `left` as well, a few rows for 1.
  template <class Merge>
  [[gnu::always_inline]] row next(Merge&& merge, std::size_t& left) {
    while (given_ == entries_.size())
      if (!go_on(merge, left)) return {};
    const entry& e = entries_[given_++];
    return {&e.owner(), &e.value};
  }

 private:
  /// So many rows are merged in the time in which a caller deals with one.
  static constexpr std::size_t rows_per_call = 8;

  /// The keys of the tables stay where they are.
  static constexpr bool copies_keys = std::is_trivially_copyable_v<key> && sizeof(key) <= 16;

  struct entry {
    std::conditional_t<copies_keys, key, const key*> kept;
    accumulator value;

    const key& owner() const {
      if constexpr (copies_keys)
        return kept;
      else
        return *kept;
    }
  };

  /// Where an entry is, by its hash.
  struct place {
    std::uint32_t hash = 0;
    std::uint32_t entry = 0;  ///< 1 + its index; 0: free
  };

  /// Does a piece of the work, after which there may be rows. False: none will come for now.
  template <class Merge>
  [[gnu::noinline]] bool go_on(Merge& merge, std::size_t& left) {
    if (finished()) return false;
    if (merged_ == tables_.size()) {
      end_slice();
      if (finished()) return false;
    }
    while (merged_ < tables_.size()) {
      if (left == 0) {
        given_ = entries_.size();  // none yet
        return false;
      }
      const std::size_t before = rows_;
      add_rows(*tables_[merged_++], merge);
      left -= std::min(left, 1 + (rows_ - before) / rows_per_call);
    }
    given_ = 0;
    return true;
  }

  void begin_slice() {
    const auto begin = end_;
    for (const Table* table : tables_) end_ = std::max(end_, table->segment_end(begin));
    begin_ = begin;
    merged_ = rows_ = 0;
  }

  void end_slice() {
    std::fill(places_.begin(), places_.end(), place{});
    entries_.clear();
    given_ = 0;
    if (end_ < Table::end_place) return begin_slice();
    tables_.clear();
  }

  template <class Merge>
  [[gnu::flatten]] void add_rows(const Table& from, Merge& merge) {
    from.for_each_between(begin_, end_, [&](const key& owner, const std::byte* found) {
      if (state::nothing_present(found)) return;
      add(owner, Table::layout::template value<0>(found), merge);
      ++rows_;
    });
  }

  template <class Merge>
  void add(const key& owner, const accumulator& value, Merge& merge) {
    if (2 * (entries_.size() + 1) > places_.size()) grow();
    const auto hash = static_cast<std::uint32_t>(stable_hash(owner));
    const std::size_t mask = places_.size() - 1;
    for (std::size_t i = hash & mask;; i = (i + 1) & mask) {
      place& at = places_[i];
      if (at.entry == 0) {
        if constexpr (copies_keys)
          entries_.push_back({owner, value});
        else
          entries_.push_back({&owner, value});
        at = {hash, static_cast<std::uint32_t>(entries_.size())};
        return;
      }
      if (at.hash != hash) continue;
      if (entry& e = entries_[at.entry - 1]; state::key_equal(e.owner(), owner))
        return merge(value, e.value);
    }
  }

  [[gnu::noinline]] void grow() {
    std::vector<place> larger(std::max<std::size_t>(16, 2 * places_.size()));
    const std::size_t mask = larger.size() - 1;
    for (const place& p : places_) {
      if (p.entry == 0) continue;
      std::size_t i = p.hash & mask;
      while (larger[i].entry != 0) i = (i + 1) & mask;
      larger[i] = p;
    }
    places_.swap(larger);
  }

  std::vector<const Table*> tables_;  // empty: finished
  std::size_t merged_ = 0;            // tables whose rows in the slice have been added
  std::size_t rows_ = 0;              // that they had there
  std::uint64_t begin_ = 0;           // the slice: [begin, end) in places of the tables
  std::uint64_t end_ = 0;
  std::vector<place> places_;   // a hash table
  std::vector<entry> entries_;  // the keys of the slice, in the order in which they were found
  std::size_t given_ = 0;       // entries that the caller has got
};

}  // namespace weir::windowing
