// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include "weir/state/hash_range.hpp"

namespace weir::state {

/// Hands out panes with empty tables, and takes back those that are closed, whatever is in them. A
/// table that a running snapshot still needs stays, unchanged and out of sight, until it is swept:
/// the snapshot owns it. What is left of a closed pane is done away with in steps, so that closing
/// one takes no time, however much is in it. Owned and used by one subtask.
///
/// `Pane` has a member `rows`, a `row_table`, and is made from a `hash_range`.
template <class Pane>
class table_pool {
 public:
  /// The hashes that new tables are made for.
  void set_range(hash_range range) { range_ = range; }

  /// A pane with an empty table, with memory from before if there is one.
  std::unique_ptr<Pane> take() {
    if (free_.empty()) return std::make_unique<Pane>(range_);
    auto pane = std::move(free_.back());
    free_.pop_back();
    return pane;
  }

  void give_back(std::unique_ptr<Pane> pane) {
    auto& to = pane->rows.snapshotting() ? leaving_ : closed_;
    to.push_back(std::move(pane));
    tidy_up(0);
  }

  /// Goes on doing away with what is in closed panes: looks at up to about `slots` slots. To be
  /// called again and again, with 16 slots for each record or so.
  void tidy_up(std::size_t slots) {
    while (!closed_.empty()) {
      auto& rows = closed_.back()->rows;
      const bool keep = free_.size() < max_free;
      if (!(keep ? rows.reset(slots) : rows.clear(slots))) return;
      if (keep) free_.push_back(std::move(closed_.back()));
      closed_.pop_back();
    }
  }

  /// Goes on with the snapshot of the panes given back since it began, by up to `slots` slots.
  /// Returns at how many it looked: fewer than asked only when all are complete.
  std::size_t sweep(std::size_t slots) {
    std::size_t done = 0;
    while (!leaving_.empty()) {
      done += leaving_.back()->rows.sweep(slots - done);
      if (leaving_.back()->rows.snapshotting()) break;
      close_last();
    }
    return done;
  }

  /// True while panes that were given back are still to be swept.
  bool snapshotting() const noexcept { return !leaving_.empty(); }

  /// Abandons the snapshot of the panes that were given back.
  void abort_snapshot() {
    while (!leaving_.empty()) {
      leaving_.back()->rows.abort_snapshot();
      close_last();
    }
  }

 private:
  /// Windows that are closed soon follow each other one at a time.
  static constexpr std::size_t max_free = 2;

  void close_last() {
    closed_.push_back(std::move(leaving_.back()));
    leaving_.pop_back();
  }

  hash_range range_;
  std::vector<std::unique_ptr<Pane>> free_;
  std::vector<std::unique_ptr<Pane>> leaving_;  // closed, and still in the snapshot
  std::vector<std::unique_ptr<Pane>> closed_;   // to be tidied up
};

}  // namespace weir::state
