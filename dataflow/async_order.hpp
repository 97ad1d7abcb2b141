// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <list>
#include <memory>
#include <unordered_map>
#include <utility>

#include "weir/core/time.hpp"
#include "weir/state/async_access.hpp"
#include "weir/state/key_equal.hpp"

namespace weir::dataflow {

/// The order in which one keyed operator works where accesses to state are not made at once. While
/// an access of a key is outstanding, the next records of that key wait, and those of other keys go
/// on. Accesses of a key are made in the order in which they were begun. Owned and used by the
/// subtask.
///
/// A record or timer whose key is `busy` is parked. Others are processed at once, between `begin`
/// and `end`: accesses that are submitted meanwhile are theirs. What can be done later, and then
/// what was parked, is done by `run_one`.
template <class K>
class async_order final : public state::access_queue {
 public:
  /// Processes a record or timer, with its key as the current one.
  using call = std::function<void()>;

  /// `most`: how many records and timers may be in flight. @pre most > 0
  explicit async_order(state::access_scheduler& scheduler, std::size_t most = 1000)
      : scheduler_{&scheduler}, most_{most} {}
  async_order(const async_order&) = delete;
  async_order& operator=(const async_order&) = delete;

  /// Records and timers that are begun and not ended, or wait for one of their key.
  std::size_t in_flight() const noexcept { return in_flight_; }
  /// Nothing is in flight: control elements may pass.
  bool idle() const noexcept { return in_flight_ == 0; }
  /// No more may be taken in.
  bool full() const noexcept { return in_flight_ >= most_; }

  /// Whether `key` has something in flight.
  bool busy(const K& key, std::uint64_t hash) const { return find(key, hash) != nullptr; }

  /// `later`, at `time`, will be called when all before it of its key has ended.
  /// @pre busy(key, hash)
  void park(const K& key, std::uint64_t hash, event_time time, call later) {
    find(key, hash)->waiting.push_back({time, std::move(later)});
    ++in_flight_;
  }

  /// A record or timer of `key`, at `time`, is processed from here to `end`, and as long `key` must
  /// live.
  /// @pre !busy(key, hash)
  void begin(const K& key, std::uint64_t hash, event_time time) {
    current_ = nullptr;
    begun_key_ = &key;
    begun_hash_ = hash;
    begun_time_ = time;
  }
  void end() noexcept { begun_key_ = nullptr, current_ = nullptr; }

  /// @pre between `begin` and `end`, or called from what `run_one` runs
  void submit(std::unique_ptr<state::async_step> step, std::uint32_t cell) override {
    if (current_ == nullptr) {
      current_ = &make_flight();
      ++in_flight_;
    }
    const auto id = next_id_++;
    owners_.emplace(id, current_);
    current_->steps.push_back({id, std::move(step), false});
    scheduler_->request(id, current_->hash, cell);
  }

  /// Whether `run_one` has something to do.
  bool has_work() const { return !runnable_.empty() || scheduler_->has_ready(); }

  /// Runs an access that has become possible, or the next record or timer of a key:
  /// `with_key(const K&, std::uint64_t hash, event_time, run)` makes the key current and calls
  /// `run()`. @pre has_work()
  template <class WithKey>
  void run_one(WithKey&& with_key);

 private:
  struct access {
    std::uint64_t id;
    std::unique_ptr<state::async_step> step;
    bool ready;
  };

  struct parked {
    event_time time;
    call run;
  };

  /// A key that is not free.
  struct flight {
    K key;
    std::uint64_t hash;
    event_time time;             // of the record that is processed
    std::deque<access> steps;    // its accesses
    std::deque<parked> waiting;  // the records behind it
    bool in_line = false;        // for `run_one`
  };
  using flights = std::list<flight>;

  flight* find(const K& key, std::uint64_t hash) const {
    const auto [first, last] = by_hash_.equal_range(hash);
    for (auto at = first; at != last; ++at)
      if (state::key_equal(at->second->key, key)) return &*at->second;
    return nullptr;
  }

  flight& make_flight() {
    flights_.push_back({*begun_key_, begun_hash_, begun_time_, {}, {}});
    by_hash_.emplace(begun_hash_, std::prev(flights_.end()));
    return flights_.back();
  }

  void take_ready() {
    const auto id = scheduler_->take_ready();
    const auto owner = owners_.find(id);
    flight& of = *owner->second;
    owners_.erase(owner);
    for (access& a : of.steps) a.ready |= a.id == id;
    line_up(of);
  }

  /// Has `run_one` go on with a key, if it can go on.
  void line_up(flight& f) {
    if (f.in_line || (f.steps.empty() ? f.waiting.empty() : !f.steps.front().ready)) return;
    f.in_line = true;
    runnable_.push_back(&f);
  }

  void forget(flight& f) {
    const auto [first, last] = by_hash_.equal_range(f.hash);
    for (auto at = first; at != last; ++at) {
      if (&*at->second != &f) continue;
      flights_.erase(at->second);
      by_hash_.erase(at);
      return;
    }
  }

  state::access_scheduler* scheduler_;
  std::size_t most_;
  std::size_t in_flight_ = 0;
  std::uint64_t next_id_ = 0;
  flights flights_;
  std::unordered_multimap<std::uint64_t, typename flights::iterator> by_hash_;
  std::unordered_map<std::uint64_t, flight*> owners_;
  std::deque<flight*> runnable_;

  // What is processed now: a new record, and its flight as soon as it has one.
  const K* begun_key_ = nullptr;
  std::uint64_t begun_hash_ = 0;
  event_time begun_time_ = event_time::min();
  flight* current_ = nullptr;
};

template <class K>
template <class WithKey>
void async_order<K>::run_one(WithKey&& with_key) {
  while (scheduler_->has_ready()) take_ready();
  if (runnable_.empty()) return;
  flight& f = *runnable_.front();
  runnable_.pop_front();
  f.in_line = false;
  current_ = &f;
  if (f.steps.empty()) {
    const parked next = std::move(f.waiting.front());
    f.waiting.pop_front();
    f.time = next.time;
    with_key(f.key, f.hash, f.time, next.run);
  } else {
    const access next = std::move(f.steps.front());
    f.steps.pop_front();
    with_key(f.key, f.hash, f.time, [&] { next.step->run(); });
    scheduler_->made(next.id);
  }
  current_ = nullptr;
  if (f.steps.empty()) --in_flight_;
  if (f.steps.empty() && f.waiting.empty())
    forget(f);
  else
    line_up(f);
}

}  // namespace weir::dataflow
