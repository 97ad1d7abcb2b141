// SPDX-License-Identifier: Apache-2.0
#include <chrono>
#include <limits>
#include <string>

#include "weir/testing/trigger_harness.hpp"
#include "weir/windowing/combinators.hpp"
#include "weir/windowing/triggers.hpp"

#include "support/catch.hpp"

namespace weir::testing {
namespace {

using namespace std::chrono_literals;
using windowing::time_window;

constexpr auto continue_ = trigger_result::continue_;
constexpr auto fire = trigger_result::fire;
constexpr auto fire_and_purge = trigger_result::fire_and_purge;

constexpr time_window first{at(0), at(2)};
constexpr time_window second{at(2), at(4)};
constexpr time_window third{at(4), at(6)};
constexpr trigger_surroundings lasting{.allowed_lateness = 1h};

struct sample {
  std::string name;
  double value;
  bool urgent = false;

  bool is_urgent() const { return urgent; }
};

/// The results of elements with these values, all in one window.
template <class Trigger>
std::vector<trigger_result> results(Trigger trigger, const std::vector<int>& values) {
  trigger_harness<int, Trigger> h{std::move(trigger), lasting};
  std::vector<trigger_result> all;
  for (const int v : values) {
    h.restore();
    all.push_back(h.push(v, at(0), first).result);
  }
  return all;
}

}  // namespace

TEST_CASE("a count trigger counts for each window", "[count_trigger]") {
  trigger_harness<int, windowing::count_trigger> h{after_count(3), lasting};
  for (int i = 0; i < 2; ++i) {
    CHECK(h.push(1, at(0), first).result == continue_);
    CHECK(h.push(1, at(2), second).result == continue_);
  }
  CHECK(h.states() == 2);
  CHECK(h.timers() == 0);
  CHECK(h.push(1, at(0), first) == trigger_answer<time_window>{first, fire, {1, 3, 5}});
  CHECK(h.states(first) == 0);
  CHECK(h.states(second) == 1);
  h.restore();
  CHECK(h.push(1, at(2), second).result == fire);
  CHECK(h.push(1, at(2), second).result == continue_);
  h.clean_up(second);
  CHECK(h.states() == 0);
  CHECK(h.left_behind() == 0);
}

TEST_CASE("merged windows count together", "[count_trigger]") {
  trigger_harness<int, windowing::count_trigger> h{after_count(3), lasting};
  for (const auto& w : {first, second, third}) h.push(1, w.start, w);
  SECTION("the next element sees it") {
    constexpr time_window both{at(0), at(4)};
    h.merge(both, {first, second});
    CHECK(h.states() == 2);
    CHECK(h.push(1, at(0), both) == trigger_answer<time_window>{both, fire, {1, 2, 4}});
    CHECK(h.states(both) == 0);
    CHECK(h.push(1, at(4), third).result == continue_);
    CHECK(h.push(1, at(4), third).result == fire);
  }
  SECTION("a merge does not fire, even if there are enough") {
    constexpr time_window all{at(0), at(8)};
    h.merge(all, {first, second, third});
    CHECK(h.states() == 1);
    CHECK(h.push(1, at(0), all).result == fire);
  }
}

TEST_CASE("a delta trigger compares with the element that it fired for last", "[delta_trigger]") {
  const auto delta = [](const int& last, const int& now) { return now - last; };
  CHECK(results(after_delta(2, delta), {1, 3, 4, 5, 6, 7}) ==
        std::vector{continue_, continue_, fire, continue_, continue_, fire});
  const auto generic_delta = [](const auto& last, const auto& now) { return now - last; };
  CHECK(results(after_delta<int>(2, generic_delta), {1, 4}) == std::vector{continue_, fire});
  CHECK(results(after_delta<int>(2, delta), {1, 4}) == std::vector{continue_, fire});
  const auto generic = [](const auto& last, const auto& now) { return now.value - last.value; };
  auto trigger = after_delta<sample>(0.5, generic);
  trigger_harness<sample, decltype(trigger)> h{trigger, lasting};
  CHECK(h.push({"a", 1.0}, at(0), first).result == continue_);
  CHECK(h.push({"a", 1.5}, at(0), first).result == continue_);
  CHECK(h.push({"a", 1.6}, at(0), first).result == fire);
  CHECK(h.states() == 1);
  CHECK_FALSE(decltype(trigger)::can_merge);
}

TEST_CASE("purging makes every fire one that empties", "[purging_trigger]") {
  CHECK(results(purging(after_count(2)), {1, 1, 1, 1}) ==
        std::vector{continue_, fire_and_purge, continue_, fire_and_purge});
  trigger_harness<int, windowing::purging_trigger<event_time_trigger>> h{
      purging(event_time_trigger{}), lasting};
  h.push(1, at(0), first);
  CHECK(h.advance_watermark(at(1))[0].result == fire_and_purge);
  CHECK(h.push(1, at(0), first) == trigger_answer<time_window>{first, fire_and_purge, {2}});
  h.merge({at(0), at(4)}, {first});
  CHECK(h.timers() == 1);
  CHECK(windowing::trigger_root<windowing::purging_trigger<event_time_trigger>>::can_merge);
  CHECK_FALSE(windowing::trigger_root<windowing::purging_trigger<never_trigger>>::can_merge);
}

TEST_CASE("never never fires", "[never_trigger]") {
  trigger_harness<int, never_trigger> h{never_trigger{}, lasting};
  CHECK(h.push(1, at(0), first).result == continue_);
  CHECK(h.advance_watermark(at(100)).empty());
  CHECK(h.advance_clock(clock_time{100}).empty());
  CHECK(h.states() == 0);
}

TEST_CASE("when asks the element", "[condition_trigger]") {
  CHECK(results(when([](int v) { return v > 2; }), {1, 3, 2, 4}) ==
        std::vector{continue_, fire, continue_, fire});
  auto by_member = when(&sample::urgent);
  trigger_harness<sample, decltype(by_member)> h{by_member, lasting};
  CHECK(h.push({"a", 1}, at(0), first).result == continue_);
  CHECK(h.push({"a", 1, true}, at(0), first).result == fire);
  auto by_function = when(&sample::is_urgent);
  trigger_harness<sample, decltype(by_function)> f{by_function, lasting};
  CHECK(f.push({"a", 1, true}, at(0), first).result == fire);
}

TEST_CASE("when_accumulated starts from zero after each fire", "[accumulation_trigger]") {
  const auto itself = [](int v) { return v; };
  CHECK(results(when_accumulated(itself, 5), {2, 2, 1, 4, 7}) ==
        std::vector{continue_, continue_, fire, continue_, fire});
  auto trigger = when_accumulated(&sample::value, 1.0);
  trigger_harness<sample, decltype(trigger)> h{trigger, lasting};
  CHECK(h.push({"a", 0.5}, at(0), first).result == continue_);
  CHECK(h.push({"a", 0.75}, at(2), second).result == continue_);
  constexpr time_window both{at(0), at(4)};
  h.merge(both, {first, second});
  CHECK(h.push({"a", 0.0}, at(0), both).result == fire);
  CHECK(h.push({"a", 0.99}, at(0), both).result == continue_);
}

TEST_CASE("when_accumulated stays at the end of the range of whole numbers",
          "[accumulation_trigger]") {
  constexpr auto max = std::numeric_limits<std::int64_t>::max();
  auto trigger = when_accumulated([](int v) { return v > 0 ? max - 1 : 1 - max; }, max);
  trigger_harness<int, decltype(trigger)> h{trigger, lasting};
  CHECK(h.push(1, at(0), first).result == continue_);
  CHECK(h.push(1, at(0), first).result == fire);
  CHECK(h.push(-1, at(0), first).result == continue_);
  CHECK(h.push(-1, at(0), first).result == continue_);
  CHECK(h.push(1, at(0), first).result == continue_);
}

}  // namespace weir::testing
