// SPDX-License-Identifier: Apache-2.0
// The same timers through the engine's client and service, as a subtask and its timer service use
// them, and through a heap.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <queue>
#include <unordered_set>
#include <utility>
#include <vector>

#include "weir/core/hash.hpp"
#include "weir/core/random.hpp"
#include "weir/dataflow/timer_client.hpp"
#include "weir/dataflow/timer_queue.hpp"
#include "weir/dataflow/timer_service_logic.hpp"

namespace weir::bench {

using key_timer = std::pair<std::int64_t, std::uint64_t>;  ///< time and key

/// Timers of keys; the messages are handed over in this thread.
class engine_timers {
 public:
  engine_timers() {
    service_.add_operator(0, std::make_unique<dataflow::timer_queue<std::uint64_t>>(128));
    static_cast<void>(service_.start({0}));
  }

  void add(const key_timer& t) { client_.register_timer(event_time{t.first}, t.second); }
  void remove(const key_timer& t) { client_.delete_timer(event_time{t.first}, t.second); }

  /// Calls `fire(key_timer)` for each timer up to `now`, in the order of time.
  template <class Fire>
  void advance(std::int64_t now, Fire fire) {
    if (client_.needs_round_trip({now})) client_.begin_advance({now});
    do {
      exchange();
      while (const auto due = client_.next_event()) fire(key_timer{due->time, due->subject});
    } while (client_.advancing());
  }

  std::size_t size() const { return service_.size(); }

 private:
  void exchange() {
    dataflow::timer_message message;
    client_.add_to(message);
    auto actions = service_.on_message(std::move(message), {0});
    for (auto& answer : actions.answers) client_.on_answer(std::move(answer));
  }

  dataflow::timer_client<std::uint64_t> client_{0};
  dataflow::timer_service_logic service_;
};

/// What one would write by hand: a binary heap, and a set, so that each timer is there once and can
/// be taken back.
class heap_timers {
 public:
  void add(const key_timer& t) {
    if (waiting_.insert(t).second) heap_.push(t);
  }
  void remove(const key_timer& t) { waiting_.erase(t); }

  template <class Fire>
  void advance(std::int64_t now, Fire fire) {
    for (; !heap_.empty() && heap_.top().first <= now; heap_.pop())
      if (waiting_.erase(heap_.top()) > 0) fire(heap_.top());
  }

  std::size_t size() const { return waiting_.size(); }

 private:
  struct timer_hash {
    std::size_t operator()(const key_timer& t) const {
      return combine_hash(static_cast<std::uint64_t>(t.first), t.second);
    }
  };

  std::priority_queue<key_timer, std::vector<key_timer>, std::greater<>> heap_;
  std::unordered_set<key_timer, timer_hash> waiting_;
};

struct timer_totals {
  std::uint64_t calls = 0;  ///< registrations, deletions and firings
  std::uint64_t sum = 0;    ///< that of the timers that have fired

  friend bool operator==(const timer_totals&, const timer_totals&) = default;
};

/// Registers `count` timers of a million keys, within the 10 s ahead, deletes every fourth, and
/// moves the time on by 4 ms after each batch of 1,024.
template <class Timers>
timer_totals timer_rounds(std::size_t count) {
  constexpr std::size_t batch = 1024, remembered = 4 * batch;
  random_generator random{42};
  Timers timers;
  timer_totals totals;
  std::vector<key_timer> recent(remembered);
  const auto fire = [&](const key_timer& t) {
    ++totals.calls;
    totals.sum += static_cast<std::uint64_t>(t.first) ^ t.second;
  };
  std::int64_t now = 0;
  for (std::size_t i = 0; i < count; ++i) {
    key_timer& t = recent[i % remembered];
    if (i >= remembered && i % 4 == 0) {
      timers.remove(t);
      ++totals.calls;
    }
    t = {now + 1 + static_cast<std::int64_t>(random.below(10'000)), random.below(1'000'000)};
    timers.add(t);
    ++totals.calls;
    if (i % batch == batch - 1) timers.advance(now += 4, fire);
  }
  timers.advance(now + 20'000, fire);
  timers.advance(now + 20'001, fire);  // what was called last is told with the next message
  totals.calls += timers.size();       // 0: none is left
  return totals;
}

}  // namespace weir::bench
