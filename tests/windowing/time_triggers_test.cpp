// SPDX-License-Identifier: Apache-2.0
#include <chrono>

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
constexpr auto event = timer_domain::event;
constexpr auto processing = timer_domain::processing;

constexpr time_window first{at(0), at(2)};
constexpr time_window second{at(2), at(4)};
constexpr time_window both{at(0), at(4)};

using answers = std::vector<trigger_answer<time_window>>;
using times = std::vector<std::int64_t>;

/// So that windows are not cleaned up while a case looks at them.
constexpr trigger_surroundings lasting{.allowed_lateness = 1h};
constexpr trigger_surroundings by_clock{.windows = timer_domain::processing};

}  // namespace

TEST_CASE("an event-time trigger fires each window at its end", "[event_time_trigger]") {
  trigger_harness<int, event_time_trigger> h{event_time_trigger{}, lasting};
  CHECK(h.push(1, at(0), first).result == continue_);
  CHECK(h.push(1, at(1), first).result == continue_);
  CHECK(h.push(1, at(2), second).result == continue_);
  CHECK(h.states() == 0);
  CHECK(h.timers() == 2);
  CHECK(h.advance_watermark(at(0)).empty());
  CHECK(h.advance_watermark(at(2)) == answers{{first, fire, {1, 2}}});
  CHECK(h.timers() == 1);
  CHECK(h.advance_watermark(at(4)) == answers{{second, fire, {3}}});
  CHECK(h.timers() == 0);
}

TEST_CASE("an event-time trigger fires at once for a late element", "[event_time_trigger]") {
  trigger_harness<int, event_time_trigger> h{event_time_trigger{}, lasting};
  h.advance_watermark(at(1));
  CHECK(h.push(1, at(0), first) == trigger_answer<time_window>{first, fire, {1}});
  CHECK(h.push(1, at(0), first) == trigger_answer<time_window>{first, fire, {1, 2}});
  CHECK(h.timers() == 0);
}

TEST_CASE("a cleared event-time trigger leaves the timers of other windows",
          "[event_time_trigger]") {
  trigger_harness<int, event_time_trigger> h{event_time_trigger{}, lasting};
  h.push(1, at(0), first);
  h.push(1, at(2), second);
  h.clean_up(second);
  CHECK(h.timers(event, first) == times{1});
  CHECK(h.timers() == 1);
  h.clean_up(first);
  CHECK(h.timers() == 0);
}

TEST_CASE("merged windows wait for the merged end, if it is ahead", "[event_time_trigger]") {
  trigger_harness<int, event_time_trigger> h{event_time_trigger{}, lasting};
  h.push(1, at(0), first);
  h.push(1, at(2), second);
  SECTION("ahead") {
    h.merge(both, {first, second});
    CHECK(h.timers() == 1);
    CHECK(h.timers(event, both) == times{3});
    CHECK(h.advance_watermark(at(4)) == answers{{both, fire, {1, 2}}});
  }
  SECTION("behind") {
    h.advance_watermark(at(10));
    h.merge(both, {first, second});
    CHECK(h.timers() == 0);
    CHECK(h.push(1, at(1), both).result == fire);
  }
}

TEST_CASE("a processing-time trigger fires each window at its end", "[processing_time_trigger]") {
  trigger_harness<int, processing_time_trigger> h{processing_time_trigger{}, by_clock};
  h.push(1, at(0), first);
  h.push(1, at(0), second);
  CHECK(h.timers() == 2);
  CHECK(h.advance_watermark(at(100)).empty());
  SECTION("apart") {
    CHECK(h.advance_clock(clock_time{0}).empty());
    CHECK(h.advance_clock(clock_time{1}) == answers{{first, fire, {1}}});
    CHECK(h.windows() == std::vector{second});
    CHECK(h.advance_clock(clock_time{4}) == answers{{second, fire, {2}}});
    CHECK(h.windows().empty());
  }
  SECTION("cleared") {
    h.clean_up(first);
    CHECK(h.timers(processing, second) == times{3});
    CHECK(h.timers() == 1);
  }
  SECTION("merged") {
    h.merge(both, {first, second});
    CHECK(h.timers(processing, both) == times{3});
    CHECK(h.timers() == 1);
    CHECK(h.advance_clock(clock_time{3}) == answers{{both, fire, {1, 2}}});
  }
}

TEST_CASE("a window is cleaned up behind its last fire, and then no element is taken",
          "[event_time_trigger]") {
  trigger_harness<int, event_time_trigger> h{event_time_trigger{}, {.allowed_lateness = 5ms}};
  h.push(1, at(0), first);
  CHECK(h.advance_watermark(at(5)) == answers{{first, fire, {1}}});
  CHECK(h.push(1, at(0), first).result == fire);
  CHECK(h.advance_watermark(at(6)).empty());
  CHECK(h.windows().empty());
  CHECK(h.push(1, at(0), first).contents.empty());
  CHECK(h.late() == 1);
}

TEST_CASE("a continuous event-time trigger fires at multiples, at the end, and for late elements",
          "[continuous_event_time_trigger]") {
  using trigger = windowing::continuous_event_time_trigger;
  trigger_harness<int, trigger> h{continuous_event_time(5ms), lasting};
  constexpr time_window w{at(-10), at(13)};
  SECTION("from the first element on") {
    CHECK(h.push(1, at(6), w).result == continue_);
    CHECK(h.timers(event, w) == times{10, 12});
    CHECK(h.states() == 1);
    CHECK(h.push(1, at(1), w).result == continue_);
    CHECK(h.timers(event, w) == times{10, 12});
    h.restore();
    CHECK(h.advance_watermark(at(11)) == answers{{w, fire, {1, 2}}});
    CHECK(h.timers(event, w) == times{12});
    CHECK(h.advance_watermark(at(20)) == answers{{w, fire, {1, 2}}});
    CHECK(h.push(1, at(1), w).result == fire);
    CHECK(h.timers() == 0);
  }
  SECTION("before 1970, too") {
    h.push(1, at(-1), w);
    CHECK(h.timers(event, w) == times{0, 12});
    CHECK(h.advance_watermark(at(6)) == answers{{w, fire, {1}}, {w, fire, {1}}});
  }
  SECTION("a late first element leaves nothing") {
    h.advance_watermark(at(12));
    CHECK(h.push(1, at(1), w).result == fire);
    CHECK(h.states() == 0);
    CHECK(h.timers() == 0);
  }
  SECTION("a window that is cleaned up leaves nothing") {
    h.push(1, at(1), w);
    h.clean_up(w);
    CHECK(h.left_behind() == 0);
    CHECK(h.timers() == 0);
  }
}

TEST_CASE("merged windows keep the earliest time of a continuous trigger",
          "[continuous_event_time_trigger]") {
  using trigger = windowing::continuous_event_time_trigger;
  trigger_harness<int, trigger> h{continuous_event_time(5ms), lasting};
  constexpr time_window a{at(0), at(8)}, b{at(10), at(30)}, merged{at(0), at(30)};
  h.push(1, at(1), a);
  h.push(1, at(12), b);
  h.advance_watermark(at(7));
  CHECK(h.timers(event, b) == times{15, 29});
  h.merge(merged, {a, b});
  // That of `a` is behind the watermark, so it fires when that advances.
  CHECK(h.timers(event, merged) == times{7});
  CHECK(h.states(merged) == 1);
  CHECK(h.push(1, at(9), merged).result == continue_);
  CHECK(h.advance_watermark(at(8)) == answers{{merged, fire, {1, 2, 3}}});
  CHECK(h.timers(event, merged) == times{12, 29});
}

TEST_CASE("a continuous processing-time trigger fires windows of the clock at their end, too",
          "[continuous_processing_time_trigger]") {
  using trigger = windowing::continuous_processing_time_trigger;
  trigger_harness<int, trigger> h{continuous_processing_time(5ms), by_clock};
  constexpr time_window w{at(0), at(10)}, next{at(10), at(20)};
  h.push(1, at(0), w);
  h.advance_clock(clock_time{2});
  h.push(2, at(0), w);
  CHECK(h.advance_clock(clock_time{5}) == answers{{w, fire, {1, 2}}});
  h.advance_clock(clock_time{7});
  h.push(3, at(0), w);
  CHECK(h.timers(processing, w) == times{9});
  CHECK(h.advance_clock(clock_time{10}) == answers{{w, fire, {1, 2, 3}}});
  h.push(3, at(0), next);
  CHECK(h.advance_clock(clock_time{15}) == answers{{next, fire, {4}}});
  h.advance_clock(clock_time{18});
  h.push(3, at(0), next);
  CHECK(h.advance_clock(clock_time{20}) == answers{{next, fire, {4, 5}}});
  CHECK(h.windows().empty());
}

TEST_CASE("a continuous processing-time trigger fires windows of event time until the cleanup",
          "[continuous_processing_time_trigger]") {
  using trigger = windowing::continuous_processing_time_trigger;
  trigger_harness<int, trigger> h{continuous_processing_time(5ms)};
  constexpr time_window w{at(0), at(10)}, next{at(10), at(20)};
  for (const int time : {1, 3, 7}) h.push(time, at(time), w);
  CHECK(h.advance_clock(clock_time{5}) == answers{{w, fire, {1, 2, 3}}});
  h.push(3, at(8), w);
  CHECK(h.advance_clock(clock_time{10}) == answers{{w, fire, {1, 2, 3, 4}}});
  h.push(3, at(12), next);
  CHECK(h.advance_clock(clock_time{15}) == answers{{w, fire, {1, 2, 3, 4}}, {next, fire, {5}}});
  CHECK(h.advance_watermark(at(9)).empty());
  CHECK(h.advance_clock(clock_time{20}) == answers{{next, fire, {5}}});
  h.advance_watermark(at(19));
  CHECK(h.timers() == 0);
}

TEST_CASE("merged windows keep the earliest time of a continuous processing-time trigger",
          "[continuous_processing_time_trigger]") {
  using trigger = windowing::continuous_processing_time_trigger;
  trigger_harness<int, trigger> h{continuous_processing_time(5ms), lasting};
  h.push(1, at(0), first);
  h.advance_clock(clock_time{4});
  h.push(1, at(2), second);
  h.merge(both, {first, second});
  CHECK(h.timers(processing, both) == times{5});
  CHECK(h.timers() == 1);
  CHECK(h.advance_clock(clock_time{5}) == answers{{both, fire, {1, 2}}});
}

TEST_CASE("after_processing_time waits from the first element since it fired",
          "[after_processing_time_trigger]") {
  using trigger = windowing::after_processing_time_trigger;
  trigger_harness<int, trigger> h{after_processing_time(10ms), lasting};
  h.push(1, at(0), first);
  h.advance_clock(clock_time{6});
  h.push(1, at(0), first);
  h.push(1, at(2), second);
  h.restore();
  CHECK(h.timers(processing, first) == times{10});
  CHECK(h.states() == 0);
  SECTION("apart") {
    CHECK(h.advance_clock(clock_time{14}) == answers{{first, fire, {1, 2}}});
    h.push(1, at(0), first);
    CHECK(h.timers(processing, first) == times{24});
  }
  SECTION("merged: the earliest wins") {
    h.merge(both, {second, first});
    CHECK(h.timers(processing, both) == times{10});
    CHECK(h.timers() == 1);
  }
}

TEST_CASE("an end-of-stream trigger waits for the end of the input", "[end_of_stream_trigger]") {
  trigger_harness<int, end_of_stream_trigger, global_window> h{end_of_stream_trigger{},
                                                               {.windows = std::nullopt}};
  h.push(1, at(0), {});
  h.push(2, at(5), {});
  CHECK(h.timers() == 1);
  CHECK(h.advance_watermark(at(1'000'000)).empty());
  h.restore();
  const auto last = h.advance_watermark(event_time::max());
  REQUIRE(last.size() == 1);
  CHECK(last[0].result == fire);
  CHECK(last[0].contents == std::vector{1, 2});
  CHECK(h.timers() == 0);
}

TEST_CASE("a processing timeout fires after the first element, or the last",
          "[processing_timeout]") {
  const auto first_of = processing_timeout(never_trigger{}, 50ms, {.clear_on_timeout = false});
  trigger_harness<int, std::remove_const_t<decltype(first_of)>> h{first_of, lasting};
  h.push(1, at(0), first);
  h.advance_clock(clock_time{10});
  h.push(1, at(0), first);
  CHECK(h.advance_clock(clock_time{50}) == answers{{first, fire, {1, 2}}});
  // What is not cleared is not armed anew.
  h.push(1, at(0), first);
  CHECK(h.states() == 1);
  CHECK(h.timers() == 0);

  const auto last_of = processing_timeout(never_trigger{}, 50ms, {.reset_on_new_record = true});
  trigger_harness<int, std::remove_const_t<decltype(last_of)>> last{last_of, lasting};
  last.push(1, at(0), first);
  last.advance_clock(clock_time{10});
  last.restore();
  last.push(1, at(0), first);
  CHECK(last.timers(processing, first) == times{60});
  CHECK(last.advance_clock(clock_time{59}).empty());
  CHECK(last.advance_clock(clock_time{60}) == answers{{first, fire, {1, 2}}});
  CHECK(last.states() == 0);
  last.push(1, at(0), first);
  CHECK(last.timers(processing, first) == times{110});
}

TEST_CASE("a processing timeout starts anew when its part fires for an element",
          "[processing_timeout]") {
  const auto trigger = processing_timeout(after_count(2), 50ms);
  trigger_harness<int, std::remove_const_t<decltype(trigger)>> h{trigger, lasting};
  h.push(1, at(0), first);
  CHECK(h.states() == 2);
  CHECK(h.push(1, at(0), first).result == fire);
  CHECK(h.states() == 0);
  CHECK(h.timers() == 0);
  h.push(1, at(0), first);
  CHECK(h.advance_clock(clock_time{50}) == answers{{first, fire, {1, 2, 3}}});
  // The timeout clears the count.
  CHECK(h.push(1, at(0), first).result == continue_);
}

TEST_CASE("a processing timeout keeps what its part has seen, if asked to",
          "[processing_timeout]") {
  const auto trigger = processing_timeout(after_count(2), 50ms, {.clear_on_timeout = false});
  trigger_harness<int, std::remove_const_t<decltype(trigger)>> h{trigger, lasting};
  h.push(1, at(0), first);
  CHECK(h.advance_clock(clock_time{50}) == answers{{first, fire, {1}}});
  CHECK(h.states() == 2);
  CHECK(h.push(1, at(0), first).result == fire);
}

TEST_CASE("a processing timeout purges if its part does", "[processing_timeout]") {
  const auto trigger = processing_timeout(purging(never_trigger{}), 50ms);
  trigger_harness<int, std::remove_const_t<decltype(trigger)>> h{trigger, lasting};
  h.push(1, at(0), first);
  CHECK(h.advance_clock(clock_time{50}) == answers{{first, fire_and_purge, {1}}});
  CHECK(h.contents(first).empty());
}

TEST_CASE("a processing timeout leaves the timers of its part to that", "[processing_timeout]") {
  // The part's timer is due, and it has nothing to say.
  struct silent : trigger_defaults {
    trigger_result on_element(int, event_time, const time_window&, trigger_context& context) {
      context.register_timer(clock_time{20});
      return trigger_result::continue_;
    }
  };
  const auto trigger = processing_timeout(silent{}, 50ms);
  trigger_harness<int, std::remove_const_t<decltype(trigger)>> h{trigger, lasting};
  h.push(1, at(0), first);
  CHECK(h.timers(processing, first) == times{20, 50});
  CHECK(h.advance_clock(clock_time{20}).empty());
  CHECK(h.advance_clock(clock_time{50}) == answers{{first, fire, {1}}});
}

}  // namespace weir::testing
