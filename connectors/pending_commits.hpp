// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "weir/core/ids.hpp"

namespace weir::connectors {

/// A transaction that is to be committed when a checkpoint is complete: one element of the
/// sink's list state.
template <class Record>
struct pending_commit {
  checkpoint_id checkpoint;
  Record record;

  friend bool operator==(const pending_commit&, const pending_commit&) = default;
};

/// Keeps the transactions of a two-phase sink from the barrier until they are committed, for any
/// record that says how to commit one. Owned and used by one subtask. Commits nothing itself.
///
/// The order of calls: `add` at a barrier, then `snapshot` for the same checkpoint; when a
/// checkpoint is complete, commit what `on_complete` gives, then call `on_committed`. A
/// transaction stays in the snapshots until then, so that a crash before or within the commit
/// leads to another commit: committing twice must be harmless.
///
/// Source: Flink's TwoPhaseCommitSinkFunction: a completed checkpoint commits those before it too,
/// since their notices may be lost, late, or never come.
template <class Record>
class pending_commits {
 public:
  /// Notes what belongs to checkpoint `id`.
  /// @pre id is greater than that of every call before
  void add(checkpoint_id id, std::vector<Record> records) {
    for (auto& record : records) entries_.push_back({id, std::move(record)});
  }

  /// What is to be committed now that `id` is complete: everything up to it that was not given
  /// before, oldest first. Nothing for a notice that a later one has overtaken.
  std::vector<Record> on_complete(checkpoint_id id) {
    std::vector<Record> due;
    for (; given_ < entries_.size() && entries_[given_].checkpoint <= id; ++given_) {
      due.push_back(entries_[given_].record);
    }
    return due;
  }

  /// All that was given up to `id` is committed: later snapshots need not name it.
  void on_committed(checkpoint_id id) {
    const auto given_end = entries_.begin() + static_cast<std::ptrdiff_t>(given_);
    const auto end = std::find_if(entries_.begin(), given_end,
                                  [id](const auto& entry) { return entry.checkpoint > id; });
    given_ -= static_cast<std::size_t>(end - entries_.begin());
    entries_.erase(entries_.begin(), end);
  }

  /// The elements of the list state: all that is not known to be committed.
  const std::vector<pending_commit<Record>>& snapshot() const noexcept { return entries_; }

  /// Takes elements of a restored checkpoint, from any subtasks, and returns what is to be
  /// committed at once: that checkpoint is complete, so all of it. Then call `on_committed` with
  /// the id of the restored checkpoint.
  /// @pre nothing was added
  std::vector<Record> restore(std::vector<pending_commit<Record>> elements) {
    entries_ = std::move(elements);
    std::stable_sort(entries_.begin(), entries_.end(),
                     [](const auto& a, const auto& b) { return a.checkpoint < b.checkpoint; });
    given_ = 0;
    return entries_.empty() ? std::vector<Record>{} : on_complete(entries_.back().checkpoint);
  }

 private:
  std::vector<pending_commit<Record>> entries_;  // ascending by checkpoint
  std::size_t given_ = 0;                        // so many of them were given out to be committed
};

}  // namespace weir::connectors
