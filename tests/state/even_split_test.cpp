// SPDX-License-Identifier: Apache-2.0
#include "weir/state/even_split.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "weir/core/random.hpp"

#include "state/operator_fleet.hpp"
#include "support/catch.hpp"

namespace weir::state {
namespace {

using testing::all_of;
using testing::operator_fleet;
using elements = std::vector<std::string>;
/// The lists of one subtask, by name.
using lists = std::map<std::string, elements>;

/// What each of `parallelism` subtasks gets of what the former ones had.
std::vector<lists> dealt(const std::vector<lists>& former, std::uint32_t parallelism) {
  operator_fleet before{static_cast<std::uint32_t>(former.size())};
  for (std::size_t i = 0; i < former.size(); ++i)
    for (const auto& [name, list] : former[i]) before[i].list_state<std::string>(name).update(list);
  auto after = before.restarted(parallelism);
  REQUIRE(after.outcome.ok());
  std::vector<lists> now(parallelism);
  for (std::uint32_t i = 0; i < parallelism; ++i)
    for (const auto& [name, list] : former.front())
      now[i][name] = all_of(after[i].list_state<std::string>(name));
  return now;
}

TEST_CASE("lists are dealt out in runs, the leftovers of each where those before it ended",
          "[operator_state]") {
  struct row {
    std::string what;
    std::vector<lists> former;
    std::vector<lists> now;
  };
  const auto [what, former, now] = GENERATE(
      row{"one subtask becomes two", {{{"a", {"1", "2"}}}}, {{{"a", {"1"}}}, {{"a", {"2"}}}}},
      row{"five elements of two subtasks for three",
          {{{"a", {"1", "2", "3"}}}, {{"a", {"4", "5"}}}},
          {{{"a", {"1", "2"}}}, {{"a", {"3", "4"}}}, {{"a", {"5"}}}}},
      row{"seven elements of two subtasks for three",
          {{{"a", {"1", "2", "3", "4"}}}, {{"a", {"5", "6", "7"}}}},
          {{{"a", {"1", "2", "3"}}}, {{"a", {"4", "5"}}}, {{"a", {"6", "7"}}}}},
      row{"two lists, the first with a leftover",
          {{{"a", {"1", "2", "3", "4"}}, {"b", {"5", "6", "7"}}}},
          {{{"a", {"1", "2"}}, {"b", {"7"}}},
           {{"a", {"3"}}, {"b", {"5"}}},
           {{"a", {"4"}}, {"b", {"6"}}}}},
      row{"two lists with leftovers",
          {{{"a", {"1", "2"}}, {"b", {"3", "4"}}}},
          {{{"a", {"1"}}, {"b", {"4"}}}, {{"a", {"2"}}, {"b", {}}}, {{"a", {}}, {"b", {"3"}}}}},
      row{"with the same parallelism each gets back its own",
          {{{"a", {"1", "2", "3"}}}, {{"a", {}}}, {{"a", {"4"}}}},
          {{{"a", {"1", "2", "3"}}}, {{"a", {}}}, {{"a", {"4"}}}}});
  CAPTURE(what);
  CHECK(dealt(former, static_cast<std::uint32_t>(now.size())) == now);
}

TEST_CASE("C115: a list that is dealt out again and again keeps its elements", "[operator_state]") {
  operator_fleet fleet{2};
  fleet[0].list_state<std::string>("work").add_all({"a", "b", "c"});
  fleet[1].list_state<std::string>("work").add_all({"d", "e"});
  using all = std::vector<elements>;
  const std::vector<all> expected{{{"a", "b"}, {"c", "d"}, {"e"}},
                                  {{"a", "b", "c", "d", "e"}},
                                  {{"a", "b"}, {"c"}, {"d"}, {"e"}}};
  for (const auto& now : expected) {
    auto next = fleet.restarted(static_cast<std::uint32_t>(now.size()));
    REQUIRE(next.outcome.ok());
    for (std::size_t i = 0; i < now.size(); ++i)
      CHECK(all_of(next[i].list_state<std::string>("work")) == now[i]);
    fleet = std::move(next);
  }
}

TEST_CASE("whatever the parallelisms, every element goes to one subtask and the loads are even",
          "[operator_state]") {
  random_generator random{1};
  for (int round = 0; round < 10'000; ++round) {
    const auto parallelism = static_cast<std::uint32_t>(1 + random.below(40));
    even_split split{parallelism};
    std::vector<std::uint64_t> loads(parallelism);
    const auto names = 1 + random.below(5);
    for (std::uint64_t name = 0; name < names; ++name) {
      const auto total = random.below(200);
      std::vector<int> assigned(total);
      std::uint64_t least = total;
      std::uint64_t most = 0;
      for (std::uint32_t i = 0; i < parallelism; ++i) {
        const auto run = split.run_of({i}, total);
        for (auto element = run.begin; element < run.end; ++element) ++assigned.at(element);
        const auto length = run.end - run.begin;
        least = std::min(least, length);
        most = std::max(most, length);
        loads[i] += length;
      }
      split.next(total);
      if (assigned != std::vector<int>(total, 1) || most - least > 1) {
        CAPTURE(round, parallelism, total);
        FAIL("elements are lost, doubled or dealt out unevenly");
      }
    }
    const auto [least, most] = std::minmax_element(loads.begin(), loads.end());
    if (*most - *least > 1) {
      CAPTURE(round, parallelism);
      FAIL("the loads of all lists together are uneven");
    }
  }
}

}  // namespace
}  // namespace weir::state
