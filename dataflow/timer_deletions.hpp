// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <utility>

#include "weir/dataflow/timer_table.hpp"

namespace weir::dataflow {

/// Deletions that the timer service may not have known when it sent a chunk. Kept in two
/// generations, so that letting go of the old ones costs nothing per deletion.
/// Owned by a `timer_lane`.
template <class Subject>
class timer_deletions {
 public:
  /// `sequence` is the number of the change, greater than all before.
  void add(std::int64_t time, const Subject& subject, std::uint64_t sequence) {
    const auto at = young_.insert(time, subject).first;
    young_[at].value = sequence;
    last_young_ = sequence;
  }

  /// Whether `t`, of a chunk sent when the service knew the changes up to `seen`, was deleted
  /// since.
  bool hides(const timer<Subject>& t, std::uint64_t seen) const {
    return last(young_, t) > seen || last(old_, t) > seen;
  }

  /// Deletions with numbers ≤ `seen` are not asked for any more.
  void forget(std::uint64_t seen) {
    for (int generation = 0; generation < 2 && last_old_ <= seen; ++generation) {
      old_.clear();
      std::swap(old_, young_);
      last_old_ = std::exchange(last_young_, 0);
    }
  }

  void clear() { young_.clear(), old_.clear(); }

 private:
  static std::uint64_t last(const timer_table<Subject>& table, const timer<Subject>& t) {
    const auto at = table.find(t.time, t.subject);
    return at == timer_table<Subject>::none ? 0 : table[at].value;
  }

  timer_table<Subject> young_;
  timer_table<Subject> old_;
  std::uint64_t last_young_ = 0;
  std::uint64_t last_old_ = 0;
};

}  // namespace weir::dataflow
