// SPDX-License-Identifier: Apache-2.0
#include "weir/windowing/evictors.hpp"

#include <cmath>
#include <limits>
#include <numeric>
#include <string>

#include "weir/windowing/global_window.hpp"

#include "support/catch.hpp"

namespace weir::testing {
namespace {

using namespace std::chrono_literals;
using elements = std::vector<timed_element<int>>;
using values = std::vector<int>;

/// Elements whose times are their values.
elements at_their_values(const values& all) {
  elements list;
  for (const int v : all) list.push_back({v, at(v)});
  return list;
}

values values_of(const elements& list) {
  values all;
  for (const auto& e : list) all.push_back(e.value);
  return all;
}

template <class Evictor>
void before(Evictor evictor, elements& list) {
  evictor.evict_before(list, global_window{}, evictor_context{});
}
template <class Evictor>
void after(Evictor evictor, elements& list) {
  evictor.evict_after(list, global_window{}, evictor_context{});
}

/// What the window function gets of these values.
template <class Evictor>
values left(Evictor evictor, const values& all) {
  auto list = at_their_values(all);
  before(evictor, list);
  return values_of(list);
}

double distance(int a, int b) { return std::abs(a - b); }

/// What a window function gets of a global window that fires for every second element, and what is
/// left in the window then.
template <class Evictor>
struct firings {
  explicit firings(Evictor e) : evictor{std::move(e)} {}

  void add(int value) {
    list.push_back({value, at(value)});
    if (++count % 2 != 0) return;
    before(evictor, list);
    seen.push_back(values_of(list));
    after(evictor, list);
    sizes.push_back(list.size());
  }

  Evictor evictor;
  int count = 0;
  elements list = {};
  std::vector<values> seen = {};
  std::vector<std::size_t> sizes = {};
};

/// Removes odd elements before the function and nothing after it.
struct no_odd_ones : evictor_defaults {
  template <class T, class W>
  void evict_before(std::vector<timed_element<T>>& list, const W&, const evictor_context&) {
    std::erase_if(list, [](const auto& e) { return e.value % 2 != 0; });
  }
};

}  // namespace

TEST_CASE("a count evictor removes the elements that came first", "[evictors]") {
  CHECK(left(count_evictor{3}, {5, 1, 4, 2, 3}) == values{4, 2, 3});
  CHECK(left(count_evictor{5}, {5, 1, 4, 2, 3}) == values{5, 1, 4, 2, 3});
  CHECK(left(count_evictor{6}, {5, 1}) == values{5, 1});
  CHECK(left(count_evictor{0}, {5, 1}) == values{});
  CHECK(left(count_evictor{3}, {}) == values{});
}

TEST_CASE("an evictor after the function leaves all to it, and less in the window", "[evictors]") {
  firings<count_evictor> of_ones{count_evictor{4, evict_when::after}};
  for (int i = 0; i < 8; ++i) of_ones.add(1);
  values sums;
  for (const auto& seen : of_ones.seen)
    sums.push_back(std::accumulate(seen.begin(), seen.end(), 0));
  CHECK(sums == values{2, 4, 6, 6});
  CHECK(of_ones.sizes == std::vector<std::size_t>{2, 4, 4, 4});
}

TEST_CASE("C019: what a count evictor has removed is gone, and the list does not grow",
          "[evictors]") {
  firings<count_evictor> sliding{count_evictor{3}};
  for (int i = 1; i <= 7; ++i) sliding.add(i);
  CHECK(sliding.seen == std::vector<values>{{1, 2}, {2, 3, 4}, {4, 5, 6}});
  CHECK(sliding.sizes == std::vector<std::size_t>{2, 3, 3});
}

TEST_CASE("C019: a time evictor removes what is as old as its span, or older", "[evictors]") {
  CHECK(left(time_evictor{10ms}, {80, 95, 85}) == values{95});
  CHECK(left(time_evictor{10ms}, {86, 95, 85, 96}) == values{95, 96});
  CHECK(left(time_evictor{11ms}, {86, 95, 85, 96}) == values{86, 95, 96});
  CHECK(left(time_evictor{0ms}, {1, 2}) == values{});
  CHECK(left(time_evictor{10ms}, {}) == values{});
  auto list = at_their_values({1, 50});
  before(time_evictor{10ms, evict_when::after}, list);
  CHECK(values_of(list) == values{1, 50});
  after(time_evictor{10ms, evict_when::after}, list);
  CHECK(values_of(list) == values{50});
}

TEST_CASE("a time evictor keeps all if the first element has no time", "[evictors]") {
  elements list{{1, event_time::min()}, {2, at(5)}, {3, at(500)}};
  before(time_evictor{10ms}, list);
  CHECK(values_of(list) == values{1, 2, 3});
  elements second{{1, at(495)}, {2, event_time::min()}, {3, at(500)}};
  before(time_evictor{10ms}, second);
  CHECK(values_of(second) == values{1, 3});
}

TEST_CASE("a time evictor does not overflow", "[evictors]") {
  constexpr auto lowest = std::numeric_limits<std::int64_t>::min();
  elements list{{1, at(lowest + 1)}, {2, at(lowest + 5)}};
  before(time_evictor{duration::max()}, list);
  CHECK(values_of(list) == values{1, 2});
}

TEST_CASE("a delta evictor compares each element with the last one", "[evictors]") {
  const delta_evictor by_4{4.0, &distance};
  CHECK(left(by_4, {1, 9, 6, 4, 5}) == values{6, 4, 5});
  CHECK(left(by_4, {5}) == values{5});
  CHECK(left(by_4, {}) == values{});
  CHECK(left(delta_evictor{0.0, &distance}, {1, 2, 3}) == values{});
  auto list = at_their_values({1, 9, 5});
  after(delta_evictor{4.0, &distance, evict_when::after}, list);
  CHECK(values_of(list) == values{5});
}

TEST_CASE("a delta evictor sees the last element whole, also when elements move", "[evictors]") {
  std::vector<timed_element<std::string>> list;
  for (const auto* text : {"a long text of its own, number 1", "b", "a long text of its own, 2",
                           "a long text of its own, the last"})
    list.push_back({text, at(0)});
  const auto other_letter = [](const std::string& a, const std::string& b) {
    return a[0] == b[0] ? 0.0 : 1.0;
  };
  delta_evictor evictor{1.0, other_letter};
  evictor.evict_before(list, global_window{}, evictor_context{});
  REQUIRE(list.size() == 3);
  CHECK(list[0].value == "a long text of its own, number 1");
  CHECK(list[2].value == "a long text of its own, the last");
}

TEST_CASE("an evictor of one's own has the function that it needs", "[evictors]") {
  firings<no_odd_ones> even{no_odd_ones{}};
  for (int i = 1; i <= 4; ++i) even.add(i);
  CHECK(even.seen == std::vector<values>{{2}, {2, 4}});
  CHECK(no_odd_ones::validate().ok());
}

TEST_CASE("evictors with less than nothing to keep are refused", "[evictors]") {
  CHECK(count_evictor{0}.validate().ok());
  CHECK(count_evictor{-1}.validate().error_text() ==
        "a count evictor of -1: it keeps 0 or more elements");
  CHECK(time_evictor{0ms}.validate().ok());
  CHECK(time_evictor{-1ms}.validate().error_text() ==
        "a time evictor of -1 ms: it needs 0 or more");
}

}  // namespace weir::testing
