// SPDX-License-Identifier: Apache-2.0
#include "weir/state/broadcast_state.hpp"

#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "weir/core/random.hpp"

#include "state/operator_fleet.hpp"
#include "support/catch.hpp"

namespace weir::testing {
namespace {

using rules_state = state::broadcast_state<std::string, int>;
using rules = std::map<std::string, int>;

rules entries_of(state::operator_state_store& store) {
  const auto entries = store.broadcast_state<std::string, int>("rules").entries();
  return {entries.begin(), entries.end()};
}

template <class State>
concept has_put = requires(State& state) { state.put("a", 1); };
static_assert(!has_put<rules_state>, "only the broadcast side may write");
static_assert(has_put<state::writable_broadcast_state<std::string, int>>);

TEST_CASE("a broadcast state is a map that is read in the order of its keys", "[broadcast_state]") {
  state::operator_state_store store;
  auto writable = store.broadcast_state<std::string, int>("rules");
  writable.put_all(std::map<std::string, int>{{"b", 2}, {"c", 3}, {"a", 1}});
  writable.put("b", 20);
  CHECK(writable.remove("c"));
  CHECK_FALSE(writable.remove("c"));
  CHECK(*writable.get("b") == 20);
  CHECK(writable.get("c") == nullptr);
  CHECK(writable.contains("a"));
  CHECK(writable.size() == 2);
  std::string keys;
  for (const auto& [key, value] : writable.entries()) {
    keys += key;
    writable.put(key + key, value);  // what is gone through stays as it was
  }
  CHECK(keys == "ab");
  CHECK(writable.size() == 4);
  writable.clear();
  CHECK(writable.empty());
}

struct place {
  double x = 0;
  std::string name;
};

TEST_CASE("keys of any kind have an order, in which equal keys are one", "[broadcast_state]") {
  state::operator_state_store store;
  auto writable = store.broadcast_state<place, int>("places");
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const std::vector<place> places{{nan, "a"},  {-1, "b"}, {0.0, "c"}, {-0.0, "c"},
                                  {-nan, "a"}, {2, "a"},  {-1, "a"},  {-INFINITY, ""}};
  for (std::size_t i = 0; i < places.size(); ++i) writable.put(places[i], static_cast<int>(i));
  std::vector<int> order;
  for (const auto& [key, value] : writable.entries()) order.push_back(value);
  CHECK(order == std::vector<int>{7, 6, 1, 3, 5, 4});
}

TEST_CASE("a restored subtask gets one of the copies, also when there are more or fewer",
          "[broadcast_state]") {
  operator_fleet fleet{3};
  for (std::size_t i = 0; i < 3; ++i)
    fleet[i].broadcast_state<std::string, int>("rules").put("copy", static_cast<int>(i));
  const auto copies = [&fleet](std::uint32_t parallelism) {
    auto next = fleet.restarted(parallelism);
    std::vector<int> from;
    for (std::size_t i = 0; i < parallelism; ++i) from.push_back(entries_of(next[i]).at("copy"));
    return from;
  };
  CHECK(copies(3) == std::vector<int>{0, 1, 2});
  CHECK(copies(5) == std::vector<int>{0, 1, 2, 0, 1});
  CHECK(copies(2) == std::vector<int>{0, 1});
}

TEST_CASE("subtasks that have no copy are passed over", "[broadcast_state]") {
  operator_fleet fleet{4};
  for (const std::size_t i : {1u, 3u})
    fleet[i].broadcast_state<std::string, int>("rules").put("copy", static_cast<int>(i));
  auto next = fleet.restarted(4);
  std::vector<int> from;
  for (std::size_t i = 0; i < 4; ++i) from.push_back(entries_of(next[i]).at("copy"));
  CHECK(from == std::vector<int>{1, 3, 1, 3});
}

TEST_CASE("an empty copy is a copy", "[broadcast_state]") {
  operator_fleet fleet{2};
  fleet[0].broadcast_state<std::string, int>("rules");
  fleet[1].broadcast_state<std::string, int>("rules").put("a", 1);
  auto next = fleet.restarted(2);
  CHECK(entries_of(next[0]).empty());
  CHECK(entries_of(next[1]).size() == 1);
}

TEST_CASE("copies that differ are warned of, with the subtasks", "[broadcast_state]") {
  operator_fleet fleet{3};
  for (std::size_t i = 0; i < 3; ++i) {
    auto writable = fleet[i].broadcast_state<std::string, int>("rules");
    for (int n = 0; n < 100; ++n) {
      const int key = i == 0 ? n : 99 - n;  // in another order
      writable.put(std::to_string(key), key);
    }
  }
  CHECK(fleet.restarted(2).log.lines.empty());
  fleet[1].broadcast_state<std::string, int>("rules").put("7", 8);
  CHECK(fleet.restarted(2).log.lines ==
        std::vector<std::string>{
            "operator \"op\": broadcast state \"rules\" differs between subtasks 1, 3 and subtask "
            "2: its updates must not depend on the order in which they come"});
}

/// Receivers of the updates of some senders, which come in any order between senders.
struct broadcast_run {
  bool keep_largest = true;
  std::size_t senders = 2;

  /// Whether all receivers were the same in each checkpoint and at the end, where `final` is left.
  bool agree(std::uint64_t seed, std::map<std::string, int>& left) const {
    random_generator random{seed};
    constexpr std::size_t receivers = 3;
    constexpr std::size_t updates = 6;  // of each sender, with a barrier somewhere among them
    const auto barrier = random.below(updates);
    std::set<std::uint64_t> digests;
    std::set<rules> contents;
    for (std::size_t receiver = 0; receiver < receivers; ++receiver) {
      state::operator_state_store store;
      receive(store, random, 0, barrier);
      operator_snapshot taken;
      store.begin_snapshot(taken);
      receive(store, random, barrier, updates);
      while (store.snapshotting()) store.sweep(1);
      digests.insert(taken.digests.at("rules"));
      contents.insert(left = entries_of(store));
    }
    return digests.size() == 1 && contents.size() == 1;
  }

 private:
  void receive(state::operator_state_store& store, random_generator& random, std::size_t first,
               std::size_t last) const {
    auto writable = store.broadcast_state<std::string, int>("rules");
    std::vector<std::size_t> next(senders, first);
    for (std::size_t left = senders * (last - first); left > 0;) {
      const auto sender = random.below(senders);
      if (next[sender] == last) continue;
      const int value = static_cast<int>(next[sender]++ / 3 * 2 + sender + 1);
      const std::string key{"k"};
      const auto* known = writable.get(key);
      writable.put(key, known && keep_largest ? std::max(*known, value) : value);
      --left;
    }
  }
};

TEST_CASE("C117: updates that depend on no order make the same state in all subtasks",
          "[broadcast_state]") {
  rules left;
  int differing = 0;
  for (std::uint64_t seed = 1; seed <= 1000; ++seed) {
    CAPTURE(seed);
    REQUIRE(broadcast_run{.keep_largest = true, .senders = 2}.agree(seed, left));
    CHECK(left == rules{{"k", 4}});
    REQUIRE(broadcast_run{.keep_largest = false, .senders = 1}.agree(seed, left));
    differing += broadcast_run{.keep_largest = false, .senders = 2}.agree(seed, left) ? 0 : 1;
  }
  CHECK(differing > 500);  // which is what the digests are for
}

}  // namespace
}  // namespace weir::testing
