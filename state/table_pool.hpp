// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include "weir/state/hash_range.hpp"

namespace weir::state {

/// Hands out empty tables and takes back those whose pane is gone. A table that a running snapshot
/// still needs stays, unchanged and out of sight, until it is swept: the snapshot owns it.
/// Owned and used by one subtask. `Table` is a `row_table` or a `pane_table`.
template <class Table>
class table_pool {
 public:
  explicit table_pool(hash_range range = {}) : range_{range} {}

  /// An empty table, with memory from before if there is one.
  std::unique_ptr<Table> take() {
    if (free_.empty()) return std::make_unique<Table>(range_);
    auto table = std::move(free_.back());
    free_.pop_back();
    return table;
  }

  /// Takes back a table with whatever is in it.
  void give_back(std::unique_ptr<Table> table) {
    if (table->snapshotting())
      leaving_.push_back(std::move(table));
    else
      recycle(std::move(table));
  }

  /// Goes on with the snapshot of the tables given back since it began, by up to `slots` slots.
  /// Returns at how many it looked: fewer than asked only when all are complete.
  std::size_t sweep(std::size_t slots) {
    std::size_t done = 0;
    while (!leaving_.empty()) {
      done += leaving_.back()->sweep(slots - done);
      if (leaving_.back()->snapshotting()) break;
      recycle_last();
    }
    return done;
  }

  /// True while tables that were given back are still to be swept.
  bool snapshotting() const noexcept { return !leaving_.empty(); }

  /// Abandons the snapshot of the tables that were given back.
  void abort_snapshot() {
    while (!leaving_.empty()) {
      leaving_.back()->abort_snapshot();
      recycle_last();
    }
  }

 private:
  // Panes come and go one by one, or a few at a watermark: more would hardly be used again.
  static constexpr std::size_t max_free = 16;

  void recycle(std::unique_ptr<Table> table) {
    if (free_.size() == max_free) return;
    table->reset();
    free_.push_back(std::move(table));
  }

  void recycle_last() {
    recycle(std::move(leaving_.back()));
    leaving_.pop_back();
  }

  hash_range range_;
  std::vector<std::unique_ptr<Table>> free_;
  std::vector<std::unique_ptr<Table>> leaving_;
};

}  // namespace weir::state
