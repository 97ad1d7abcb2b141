// SPDX-License-Identifier: Apache-2.0
#include "weir/windowing/trigger_root.hpp"

#include <algorithm>
#include <chrono>
#include <set>
#include <string>
#include <vector>

#include "weir/state/list_state.hpp"
#include "weir/state/value_state_with_default.hpp"
#include "weir/testing/trigger_harness.hpp"
#include "weir/windowing/combinators.hpp"
#include "weir/windowing/triggers.hpp"

#include "support/catch.hpp"

namespace weir::testing {
namespace {

using namespace std::chrono_literals;
using windowing::check_trigger;
using windowing::time_window;
using windowing::trigger_root;

constexpr auto continue_ = trigger_result::continue_;
constexpr auto fire = trigger_result::fire;
constexpr auto purge = trigger_result::purge;
constexpr auto fire_and_purge = trigger_result::fire_and_purge;

constexpr time_window window{at(0), at(10)};

struct tumbling {
  static constexpr const char* kind = "tumbling window";
  static constexpr bool merging = false;
  static constexpr bool is_event_time = true;
};
struct sessions : tumbling {
  static constexpr const char* kind = "session window";
  static constexpr bool merging = true;
};
struct global : tumbling {
  static constexpr const char* kind = "global window";
  static constexpr bool is_event_time = false;
};

/// A trigger of a user: fires for every second element of each kind of its own.
struct every_second : trigger_defaults {
  static constexpr bool can_merge = true;

  explicit every_second(const std::string& name) : count{name, 0}, seen{"seen"} {}
  auto uses_states() { return state::states(count, seen); }

  template <class T, class W>
  trigger_result on_element(const T&, event_time time, const W&, trigger_context&) {
    seen.add(time.ms);
    if (count.edit([](int& n) { return ++n; }) < 2) return trigger_result::continue_;
    count.clear();
    return trigger_result::fire;
  }

  template <class W>
  void on_merge(const W&, trigger_merge_context& context) {
    context.merge(seen);
    count.update(static_cast<int>(seen.size()) % 2);
  }

  state::value_state_with_default<int> count;
  state::list_state<std::int64_t> seen;
};

template <class Trigger>
std::vector<std::string> names(const Trigger& trigger) {
  trigger_root<Trigger> root{trigger};
  std::vector<std::string> all;
  for (const auto& state : state::list_states(root)) all.push_back(state.name);
  return all;
}

}  // namespace

TEST_CASE("no two states of a trigger have one name", "[trigger_root]") {
  const auto both = any_of(after_count(2), every_second{"count"});
  CHECK(names(both) == std::vector<std::string>{"trigger/0/count", "trigger/1/count",
                                                "trigger/1/seen",
                                                "timers of any_of(count, custom trigger)"});
  CHECK(names(after_count(2)) == std::vector<std::string>{"trigger/count"});
  CHECK(names(purging(repeatedly(after_count(2)))) == names(after_count(2)));
  CHECK(names(never_trigger{}).empty());
  const auto nested =
      all_of(at_watermark().early(after_count(2)).late(after_each(after_count(3), both)),
             once(both).or_finally(processing_timeout(after_count(1), 5ms)));
  auto all = names(nested);
  CHECK(all.size() == 16);
  CHECK(std::set<std::string>(all.begin(), all.end()).size() == all.size());
  trigger_root root{nested};
  CHECK(state::declarations_of(root));
}

TEST_CASE("the same trigger can stand in several places", "[trigger_root]") {
  const auto c2 = after_count(2);
  const auto trigger = any_of(c2, after_each(c2, c2));
  trigger_harness<int, std::remove_const_t<decltype(trigger)>> h{trigger};
  for (const auto expected : {continue_, fire, continue_, fire})
    CHECK(h.push(1, at(0), window).result == expected);
}

TEST_CASE("a trigger that does not fit its windows is refused", "[trigger_root]") {
  const auto text = [](const status& s) { return s ? std::string{} : s.error_text(); };
  const auto mixed = any_of(after_count(2), never_trigger{});
  CHECK(check_trigger<tumbling>(mixed));
  CHECK(check_trigger<sessions>(any_of(after_count(2), event_time_trigger{})));
  const auto cannot = text(check_trigger<sessions>(mixed));
  CHECK(cannot.find("any_of(count, never)") != std::string::npos);
  CHECK(cannot.find("session window") != std::string::npos);
  CHECK_FALSE(check_trigger<sessions>(processing_timeout(after_count(1), 1s)));

  const auto watermark = repeatedly(once(at_watermark()));
  CHECK(check_trigger<tumbling>(watermark));
  CHECK(text(check_trigger<global>(watermark)).find("event time") != std::string::npos);

  struct with_ttl : trigger_defaults {
    state::value_state_with_default<int> count{"count", 0, {.ttl = state::ttl(1h)}};
    auto uses_states() { return state::states(count); }
  };
  CHECK(text(check_trigger<tumbling>(any_of(with_ttl{}))).find("TTL") != std::string::npos);
}

TEST_CASE("numbers that make no sense are refused, however deep they are", "[trigger_root]") {
  const auto refused = [](const auto& trigger) {
    return !check_trigger<tumbling>(trigger) && !check_trigger<tumbling>(once(trigger)) &&
           !check_trigger<tumbling>(at_watermark().late(any_of(after_count(1), trigger)));
  };
  CHECK(refused(after_count(0)));
  CHECK(refused(after_processing_time(0ms)));
  CHECK(refused(after_processing_time(-1ms)));
  CHECK(refused(continuous_event_time(0ms)));
  CHECK(refused(continuous_processing_time(-5ms)));
  CHECK(refused(processing_timeout(after_count(1), 0ms)));
  CHECK(refused(processing_timeout(after_count(0), 1ms)));
  CHECK_FALSE(refused(after_count(1)));
  CHECK(check_trigger<tumbling>(after_count(0)).error_text().find("after_count(0)") !=
        std::string::npos);
}

TEST_CASE("triggers of users take part in merges", "[trigger_root]") {
  const auto trigger = all_of(every_second{"pairs"}, after_count(1));
  trigger_harness<int, std::remove_const_t<decltype(trigger)>> h{trigger, {.allowed_lateness = 1h}};
  constexpr time_window next{at(20), at(30)}, merged{at(0), at(30)};
  h.push(1, at(1), window);
  h.push(1, at(21), next);
  h.push(1, at(22), next);
  h.merge(merged, {window, next});
  h.restore();
  CHECK(h.push(1, at(5), merged) == trigger_answer<time_window>{merged, fire, {1, 2, 3, 4}});
  CHECK(h.windows() == std::vector{merged});
}

TEST_CASE("a purge empties the window at once, and is no fire", "[any_of]") {
  struct purger : trigger_defaults {
    trigger_result on_element(int v, event_time, const time_window&, trigger_context&) {
      return v == 0 ? trigger_result::purge : trigger_result::continue_;
    }
  };
  const auto results = [](auto trigger, const std::vector<int>& values) {
    trigger_harness<int, decltype(trigger)> h{trigger};
    std::vector<trigger_result> all;
    for (const int v : values) all.push_back(h.push(v, at(0), window).result);
    return all;
  };
  using list = std::vector<trigger_result>;
  CHECK(results(any_of(purger{}, after_count(3)), {1, 0, 1, 0}) ==
        list{continue_, purge, fire, purge});
  CHECK(results(any_of(purger{}, after_count(2)), {1, 0}) == list{continue_, fire_and_purge});
  CHECK(results(all_of(purger{}, after_count(1)), {1, 0}) == list{continue_, purge});
  CHECK(results(once(any_of(purger{}, after_count(2))), {0, 1, 0}) == list{purge, fire, continue_});
  CHECK(results(after_each(purger{}, after_count(1)), {0, 1}) == list{purge, continue_});
  CHECK(results(purging(purger{}), {0, 1}) == list{purge, continue_});
}

TEST_CASE("what a trigger forgets to clear goes with its window", "[trigger_root]") {
  struct forgetful : trigger_defaults {
    state::value_state_with_default<int> count{"count", 0};
    auto uses_states() { return state::states(count); }
    trigger_result on_element(int, event_time, const time_window&, trigger_context& context) {
      context.register_timer(at(50));
      context.register_timer(clock_time{50});
      return count.edit([](int& n) { return ++n; }) == 2 ? trigger_result::fire
                                                         : trigger_result::continue_;
    }
  };
  const auto trigger = once(forgetful{});
  trigger_harness<int, std::remove_const_t<decltype(trigger)>> h{trigger};
  h.push(1, at(0), window);
  CHECK(h.states() == 1);
  CHECK(h.timers() == 2);
  CHECK(h.push(1, at(0), window).result == fire);
  CHECK(h.states() == 1);  // that it has finished
  CHECK(h.timers() == 0);
  h.advance_watermark(at(9));
  CHECK(h.left_behind() == 0);
}

TEST_CASE("a purging event-time trigger decides for all keys of a window at once",
          "[purging_trigger]") {
  using trigger = windowing::purging_trigger<event_time_trigger>;
  static_assert(trigger::same_for_all_keys);
  static_assert(!windowing::purging_trigger<windowing::count_trigger>::same_for_all_keys);
  dataflow::timer_client<windowing::window_timer> timers{0};
  event_time registered = event_time::min();
  windowing::shared_trigger_context early{timers, window, registered, at(0)};
  const trigger shared{event_time_trigger{}};
  CHECK(shared.on_element(window, early) == continue_);
  CHECK(registered == at(9));
  CHECK(shared.on_event_time(at(9), window, early) == fire_and_purge);
  shared.clear(window, early);
  CHECK(registered == event_time::min());
  windowing::shared_trigger_context late{timers, window, registered, at(9)};
  CHECK(shared.on_element(window, late) == fire_and_purge);
}

}  // namespace weir::testing
