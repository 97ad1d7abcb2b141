// SPDX-License-Identifier: Apache-2.0
// Triggers as they are written in tutorials, word for word, with what their faults lead to, and
// what does it right.
#include <chrono>
#include <functional>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "weir/state/value_state.hpp"
#include "weir/state/value_state_with_default.hpp"
#include "weir/testing/trigger_harness.hpp"
#include "weir/windowing/combinators.hpp"
#include "weir/windowing/global_window.hpp"
#include "weir/windowing/triggers.hpp"

#include "support/catch.hpp"

namespace weir::testing {
namespace {

using namespace std::chrono_literals;
using windowing::time_window;

constexpr auto continue_ = trigger_result::continue_;
constexpr auto fire = trigger_result::fire;
constexpr auto fire_and_purge = trigger_result::fire_and_purge;
constexpr auto processing = timer_domain::processing;

constexpr time_window window{at(0), at(1000)};
constexpr time_window other{at(1000), at(2000)};

using answers = std::vector<trigger_answer<time_window>>;
using times = std::vector<std::int64_t>;

struct custom_count_trigger : trigger_defaults {
  int threshold;
  state::value_state_with_default<int> count{"count", 0};
  explicit custom_count_trigger(int n) : threshold{n} {}
  auto uses_states() { return state::states(count); }

  template <class T, class W>
  trigger_result on_element(const T&, event_time, const W&, trigger_context&) {
    if (count.edit([](int& n) { return ++n; }) < threshold) return trigger_result::continue_;
    count.clear();
    return trigger_result::fire_and_purge;
  }
  template <class W>
  void clear(const W&, trigger_context&) {
    count.clear();
  }
};

/// Does not start the count anew, whatever fires, and registers a timer for each element.
struct time_or_count_trigger : trigger_defaults {
  duration time_threshold;
  int count_threshold;
  state::value_state<int> count{"count"};
  time_or_count_trigger(duration time, int n) : time_threshold{time}, count_threshold{n} {}
  auto uses_states() { return state::states(count); }

  template <class T, class W>
  trigger_result on_element(const T&, event_time, const W&, trigger_context& context) {
    const int* const current = count.value();
    const int now = (current == nullptr ? 0 : *current) + 1;
    count.update(now);
    if (now >= count_threshold) return trigger_result::fire_and_purge;
    context.register_timer(context.now() + time_threshold);
    return trigger_result::continue_;
  }
  template <class W>
  trigger_result on_processing_time(clock_time, const W&, trigger_context&) {
    return trigger_result::fire_and_purge;
  }
};

struct conditional_trigger : trigger_defaults {
  std::function<bool(int)> condition;
  explicit conditional_trigger(std::function<bool(int)> c) : condition{std::move(c)} {}

  template <class T, class W>
  trigger_result on_element(const T& element, event_time, const W&, trigger_context&) {
    return condition(element) ? trigger_result::fire_and_purge : trigger_result::continue_;
  }
};

using pair = std::pair<std::string, double>;

struct state_based_trigger : trigger_defaults {
  double threshold;
  state::value_state<double> state;
  state_based_trigger(const std::string& state_key, double t) : threshold{t}, state{state_key} {}
  auto uses_states() { return state::states(state); }

  template <class T, class W>
  trigger_result on_element(const T& element, event_time, const W&, trigger_context&) {
    const double* const current = state.value();
    const double sum = (current == nullptr ? 0.0 : *current) + element.second;
    state.update(sum);
    if (sum < threshold) return trigger_result::continue_;
    state.clear();
    return trigger_result::fire_and_purge;
  }
};

/// Remembers in itself that it has a timer, and so for all keys and windows at once, and not in
/// checkpoints; and takes the record's time for the clock's.
struct timer_once_trigger : trigger_defaults {
  duration interval;
  bool timer_registered = false;
  clock_time timer_timestamp{};
  explicit timer_once_trigger(duration d) : interval{d} {}

  template <class T, class W>
  trigger_result on_element(const T&, event_time timestamp, const W&, trigger_context& context) {
    if (!timer_registered) {
      timer_timestamp = clock_time{timestamp.ms} + interval;
      context.register_timer(timer_timestamp);
      timer_registered = true;
    }
    return trigger_result::continue_;
  }
  template <class W>
  trigger_result on_processing_time(clock_time, const W&, trigger_context&) {
    return trigger_result::fire;
  }
  template <class W>
  void clear(const W&, trigger_context& context) {
    context.delete_timer(timer_timestamp);
  }
};

/// The sums of what is emitted for the numbers 1 to 15 in a global window.
template <class Trigger>
std::vector<int> sums_of_fifteen(Trigger trigger) {
  trigger_harness<int, Trigger, global_window> h{std::move(trigger), {.windows = std::nullopt}};
  std::vector<int> sums;
  for (int i = 1; i <= 15; ++i) {
    h.restore();
    const auto a = h.push(i, event_time::min(), {});
    if (fires(a.result)) sums.push_back(std::accumulate(a.contents.begin(), a.contents.end(), 0));
  }
  return sums;
}

/// What is wanted for elements with these values and times of the clock.
template <class Trigger>
std::vector<trigger_result> results(Trigger trigger, const std::vector<int>& values) {
  trigger_harness<int, Trigger> h{std::move(trigger)};
  std::vector<trigger_result> all;
  for (const int v : values) all.push_back(h.push(v, at(0), window).result);
  return all;
}

}  // namespace

TEST_CASE("a custom count trigger of 5 sums 1 to 15 to 15, 40 and 65", "[custom_triggers]") {
  CHECK(sums_of_fifteen(custom_count_trigger{5}) == std::vector{15, 40, 65});
  CHECK(sums_of_fifteen(purging(after_count(5))) == std::vector{15, 40, 65});
}

TEST_CASE("a count that is not started anew fires for each element from then on",
          "[custom_triggers]") {
  CHECK(results(time_or_count_trigger{10ms, 3}, {1, 1, 1, 1, 1}) ==
        std::vector{continue_, continue_, fire_and_purge, fire_and_purge, fire_and_purge});
  // Nor does a fire by time start it anew.
  trigger_harness<int, time_or_count_trigger> h{time_or_count_trigger{10ms, 3}};
  h.push(1, at(0), window);
  h.push(1, at(0), window);
  CHECK(h.advance_clock(clock_time{10}) == answers{{window, fire_and_purge, {1, 2}}});
  CHECK(h.push(1, at(0), window) == trigger_answer<time_window>{window, fire_and_purge, {3}});
}

TEST_CASE("a timer for each element fires for each element", "[custom_triggers]") {
  trigger_harness<int, time_or_count_trigger> h{time_or_count_trigger{10ms, 5}};
  for (const int t : {0, 3, 6}) {
    h.advance_clock(clock_time{t});
    h.push(1, at(0), window);
  }
  CHECK(h.timers(processing, window) == times{10, 13, 16});
  h.advance_clock(clock_time{9});
  h.push(1, at(0), window);
  CHECK(h.advance_clock(clock_time{12}) == answers{{window, fire_and_purge, {1, 2, 3, 4}}});
  // The others fire an empty window, or what has come too short a time ago.
  CHECK(h.advance_clock(clock_time{15}) == answers{{window, fire_and_purge, {}}});
  CHECK(h.push(1, at(0), window).result == fire_and_purge);
  CHECK(h.timers(processing, window) == times{16, 19});
}

TEST_CASE("time or count in one line starts both anew", "[custom_triggers]") {
  const auto trigger = purging(repeatedly(any_of(after_processing_time(10ms), after_count(3))));
  CHECK(results(trigger, {1, 1, 1, 1, 1}) ==
        std::vector{continue_, continue_, fire_and_purge, continue_, continue_});
  trigger_harness<int, std::remove_const_t<decltype(trigger)>> h{trigger};
  for (const int t : {0, 3}) {
    h.advance_clock(clock_time{t});
    h.push(1, at(0), window);
  }
  CHECK(h.timers(processing, window) == times{10});
  CHECK(h.advance_clock(clock_time{20}) == answers{{window, fire_and_purge, {1, 2}}});
  CHECK(h.timers() == 0);
  h.push(1, at(0), window);
  h.push(1, at(0), window);
  CHECK(h.push(1, at(0), window).result == fire_and_purge);
  CHECK(h.timers() == 0);
}

TEST_CASE("a condition on the element fires and purges", "[custom_triggers]") {
  const auto above_two = [](int v) { return v > 2; };
  const std::vector values{1, 3, 2, 5};
  const std::vector expected{continue_, fire_and_purge, continue_, fire_and_purge};
  CHECK(results(conditional_trigger{above_two}, values) == expected);
  CHECK(results(purging(when(above_two)), values) == expected);
}

TEST_CASE("a running value with a name from outside fires and starts from zero",
          "[custom_triggers]") {
  const auto run = [](auto trigger) {
    trigger_harness<pair, decltype(trigger)> h{trigger};
    std::vector<trigger_result> all;
    for (const double v : {40.0, 70.0, 50.0, 49.5, 0.5}) {
      h.restore();
      all.push_back(h.push({"a", v}, at(0), window).result);
    }
    CHECK(h.push({"b", 99.0}, at(1000), other).result == continue_);
    return all;
  };
  const std::vector expected{continue_, fire_and_purge, continue_, continue_, fire_and_purge};
  CHECK(run(state_based_trigger{"revenue", 100.0}) == expected);
  CHECK(run(purging(when_accumulated(&pair::second, 100.0))) == expected);
  windowing::trigger_root root{state_based_trigger{"revenue", 100.0}};
  CHECK(state::list_states(root).front().name == "trigger/revenue");
}

TEST_CASE("a field of a trigger is shared by all windows and lost in a restore",
          "[custom_triggers]") {
  trigger_harness<int, timer_once_trigger> h{timer_once_trigger{10ms}};
  h.push(1, at(0), window);
  h.push(1, at(0), other);
  CHECK(h.timers(processing, window) == times{10});
  CHECK(h.timers(processing, other).empty());
  CHECK(h.advance_clock(clock_time{10}) == answers{{window, fire, {1}}});
  // It never is armed again, except after a restore.
  h.push(1, at(0), window);
  CHECK(h.timers() == 0);
  h.restore();
  h.push(1, at(0), window);
  CHECK(h.timers(processing, window) == times{10});
  // The record's time has nothing to do with the clock: the timer is overdue.
  CHECK(h.advance_clock(clock_time{10}) == answers{{window, fire, {1, 3, 4}}});
}

TEST_CASE("one timer for each window at a time is one line", "[custom_triggers]") {
  const auto trigger = after_processing_time(10ms);
  trigger_harness<int, std::remove_const_t<decltype(trigger)>> h{trigger};
  h.push(1, at(0), window);
  h.push(1, at(0), other);
  CHECK(h.timers(processing, window) == times{10});
  CHECK(h.timers(processing, other) == times{10});
  h.restore();
  CHECK(h.advance_clock(clock_time{10}) == answers{{window, fire, {1}}, {other, fire, {2}}});
  h.push(1, at(0), window);
  CHECK(h.timers(processing, window) == times{20});
}

}  // namespace weir::testing
