// SPDX-License-Identifier: Apache-2.0
#include "weir/dataflow/timer_heap.hpp"

#include <limits>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "weir/core/random.hpp"

#include "support/catch.hpp"

namespace weir::dataflow {
namespace {

struct window_signal {
  std::int64_t window;
  signal_kind kind;

  friend bool operator==(const window_signal&, const window_signal&) = default;
};

}  // namespace

template <>
struct timer_subject<window_signal> {
  static std::uint64_t hash(const window_signal& s) { return stable_hash(s.window); }
  static bool equal(const window_signal& a, const window_signal& b) { return a == b; }
  static signal_kind kind(const window_signal& s) { return s.kind; }
};

namespace {

template <class Subject>
std::vector<std::pair<std::int64_t, Subject>> drain(timer_heap<Subject>& heap) {
  std::vector<std::pair<std::int64_t, Subject>> out;
  while (!heap.idle()) {
    const auto time = heap.earliest();
    out.emplace_back(time, heap.take_front());
  }
  return out;
}

}  // namespace

TEST_CASE("timers leave the heap in time order, each once", "[timer_heap]") {
  timer_heap<std::string> heap;
  CHECK(heap.insert(20, "a"));
  CHECK(heap.insert(10, "b"));
  CHECK(heap.insert(10, "a"));
  CHECK_FALSE(heap.insert(10, "b"));
  CHECK(heap.insert(-5, "c"));
  CHECK(heap.size() == 4);
  const std::vector<std::pair<std::int64_t, std::string>> expected{
      {-5, "c"}, {10, "b"}, {10, "a"}, {20, "a"}};
  CHECK(drain(heap) == expected);
  CHECK(heap.size() == 0);
}

TEST_CASE("of timers with one time the FIREs come before the PURGEs", "[timer_heap]") {
  timer_heap<window_signal> heap;
  heap.insert(10, {1, signal_kind::purge});
  heap.insert(10, {2, signal_kind::fire});
  heap.insert(9, {3, signal_kind::purge});
  heap.insert(10, {1, signal_kind::fire});
  const std::vector<std::pair<std::int64_t, window_signal>> expected{{9, {3, signal_kind::purge}},
                                                                     {10, {2, signal_kind::fire}},
                                                                     {10, {1, signal_kind::fire}},
                                                                     {10, {1, signal_kind::purge}}};
  CHECK(drain(heap) == expected);
}

TEST_CASE("a leased timer is out of turn, but still there", "[timer_heap]") {
  timer_heap<int> heap;
  heap.insert(10, 1);
  heap.insert(20, 2);
  CHECK(heap.lease_front().subject == 1);
  CHECK(heap.size() == 2);
  CHECK(heap.earliest() == 20);
  CHECK_FALSE(heap.insert(10, 1));
  CHECK(heap.erase(10, 1));
  CHECK(heap.insert(10, 1));
  CHECK(heap.earliest() == 10);
}

TEST_CASE("erasing the later timers keeps the earlier and the leased ones", "[timer_heap]") {
  timer_heap<int> heap;
  for (int i = 0; i < 100; ++i) heap.insert(i * 37 % 100, i);
  heap.lease_front();
  heap.erase_after(49);
  CHECK(heap.size() == 50);
  for (int time = 1; time < 50; ++time) {
    CHECK(heap.earliest() == time);
    heap.take_front();
  }
  CHECK(heap.idle());
  CHECK(heap.size() == 1);
}

TEST_CASE("a large heap that gets empty can be filled again, however it got empty",
          "[timer_heap]") {
  constexpr std::int64_t many = 20'000;
  timer_heap<std::int64_t> heap;
  const auto fill = [&] {
    for (std::int64_t i = 0; i < many; ++i) REQUIRE(heap.insert(i * 7919 % many, i));
  };
  fill();
  SECTION("by erasing what is later") { heap.erase_after(-1); }
  SECTION("by erasing one after the other") {
    for (std::int64_t i = 0; i < many; ++i) REQUIRE(heap.erase(i * 7919 % many, i));
  }
  SECTION("by taking one after the other") { REQUIRE(drain(heap).size() == many); }
  SECTION("by confirming what was leased") {
    while (!heap.idle()) static_cast<void>(heap.lease_front());
    for (std::int64_t i = 0; i < many; ++i) REQUIRE(heap.erase(i * 7919 % many, i));
  }
  REQUIRE(heap.size() == 0);
  REQUIRE(heap.idle());
  fill();
  CHECK(heap.size() == many);
  std::int64_t time = 0;
  for (const auto& timer : drain(heap))
    if (timer.first != time++) FAIL("a timer at " << timer.first);
  CHECK(time == many);
}

TEST_CASE("all NaN keys are one key", "[timer_heap]") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  timer_heap<double> heap;
  CHECK(heap.insert(10, nan));
  CHECK_FALSE(heap.insert(10, -nan));
  CHECK(heap.erase(10, nan));
}

TEST_CASE("a heap holds what a sorted set holds, whatever is done to it", "[timer_heap]") {
  random_generator random{7};
  timer_heap<std::string> heap;
  std::set<std::pair<std::int64_t, std::string>> waiting;
  std::set<std::pair<std::int64_t, std::string>> leased;
  for (int step = 0; step < 60'000; ++step) {
    // Grows for a while, then shrinks, so that places are used again and the index wraps.
    const bool growing = step / 10'000 % 2 == 0;
    const auto time = static_cast<std::int64_t>(random.below(500));
    const auto key = std::to_string(random.below(40));
    if (random.chance(growing ? 7 : 3, 10)) {
      const bool added = leased.count({time, key}) == 0 && waiting.insert({time, key}).second;
      REQUIRE(heap.insert(time, key) == added);
    } else if (random.chance(1, 2)) {
      const bool erased = waiting.erase({time, key}) + leased.erase({time, key}) > 0;
      REQUIRE(heap.erase(time, key) == erased);
    } else if (!waiting.empty()) {
      REQUIRE(heap.earliest() == waiting.begin()->first);
      const auto subject = heap.front().subject;
      const auto at = waiting.find({heap.earliest(), subject});
      REQUIRE(at != waiting.end());
      if (random.chance(1, 4)) {
        heap.lease_front();
        leased.insert(*at);
      } else {
        REQUIRE(heap.take_front() == subject);
      }
      waiting.erase(at);
    }
    REQUIRE(heap.size() == waiting.size() + leased.size());
    REQUIRE(heap.idle() == waiting.empty());
  }
  std::set<std::pair<std::int64_t, std::string>> found;
  heap.for_each([&](const auto& entry) { found.insert({entry.time, entry.subject}); });
  waiting.merge(leased);
  CHECK(found == waiting);
}

TEST_CASE("a cleared table is empty and can be filled again", "[timer_heap]") {
  const int entries = GENERATE(10, 10'000);
  timer_table<int> table;
  for (int round = 0; round < 2; ++round) {
    for (int i = 0; i < entries; ++i) REQUIRE(table.insert(i, i).second);
    table.clear();
    CHECK(table.empty());
    CHECK(table.find(1, 1) == timer_table<int>::none);
  }
}

}  // namespace weir::dataflow
