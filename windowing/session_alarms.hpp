// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

#include "weir/core/hash.hpp"
#include "weir/dataflow/timer.hpp"

namespace weir::windowing {

using dataflow::timer_domain;

/// The subject of a timer that all keys share which have something due at a time: that time. A
/// value.
struct session_timer {
  std::int64_t time;
};

/// Which keys have something due in one of their sessions, and when, on one clock: the timer
/// service has a timer for each time, not for each key. An entry is a hint: the sessions of its key
/// say what is due. Owned and used by one subtask.
template <class Key>
class session_alarms {
 public:
  struct entry {
    std::uint64_t hash;
    Key key;
  };
  using entries = std::vector<entry>;

  /// True: it is the first one of that time.
  bool add(std::int64_t time, std::uint64_t hash, const Key& key) {
    // Many keys have the same time, or that of the one before.
    if (last_ == times_.end() || last_->first != time) last_ = times_.try_emplace(time).first;
    auto& at = last_->second;
    const bool first = at.empty();
    if (first && at.capacity() == 0 && !spare_.empty()) {
      at = std::move(spare_.back());
      spare_.pop_back();
    }
    at.push_back({hash, key});
    return first;
  }

  /// The entries of a time, which are not kept any more.
  entries take(std::int64_t time) {
    const auto at = times_.find(time);
    if (at == times_.end()) return {};
    entries taken = std::move(at->second);
    times_.erase(at);
    last_ = times_.end();
    return taken;
  }

  /// Takes the memory of entries that were taken, for others.
  void give_back(entries used) {
    if (times_.empty()) {
      spare_.clear();
      return;
    }
    used.clear();
    if (used.capacity() <= most_kept && spare_.size() < times_.size())
      spare_.push_back(std::move(used));
  }

 private:
  static constexpr std::size_t most_kept = 4096;

  std::unordered_map<std::int64_t, entries> times_;
  typename std::unordered_map<std::int64_t, entries>::iterator last_ = times_.end();
  std::vector<entries> spare_;
};

/// The keys with an alarm of one time, while they are gone through, which may pause.
template <class Key>
struct fired_alarms {
  fired_alarms(timer_domain d, std::int64_t t, typename session_alarms<Key>::entries of)
      : domain{d}, time{t}, keys{std::move(of)} {}

  timer_domain domain;
  std::int64_t time;
  typename session_alarms<Key>::entries keys;
  std::size_t position = 0;
};

}  // namespace weir::windowing

/// Such timers follow from the sessions, so they are in no snapshot.
template <>
struct weir::dataflow::timer_subject<weir::windowing::session_timer> {
  using subject = windowing::session_timer;

  static constexpr bool storable = false;

  static constexpr std::uint64_t hash(const subject& s) {
    return combine_hash(0, static_cast<std::uint64_t>(s.time));
  }
  static constexpr bool equal(const subject& a, const subject& b) { return a.time == b.time; }
  static constexpr signal_kind kind(const subject&) { return signal_kind::fire; }
};
