// SPDX-License-Identifier: Apache-2.0
#include "weir/windowing/event_time_trigger.hpp"

#include "support/catch.hpp"

namespace weir::windowing {
namespace {

constexpr time_window window{at(0), at(10)};

/// A window's timer as the operator keeps it.
struct timer_of_window {
  dataflow::timer_client<window_timer> timers{0};
  event_time registered = event_time::min();

  shared_trigger_context context(std::int64_t watermark) {
    return {timers, window, registered, at(watermark)};
  }

  /// Changes sent to the timer service since the last call.
  std::size_t changes() {
    dataflow::timer_message message;
    timers.add_to(message);
    if (message.logs.empty()) return 0;
    using log = dataflow::timer_log<window_timer>;
    return static_cast<log&>(*message.logs[0].log).entries.size();
  }
};

}  // namespace

TEST_CASE("an event-time trigger waits for the last time of the window", "[event_time_trigger]") {
  timer_of_window kept;
  auto context = kept.context(8);
  const event_time_trigger trigger;
  CHECK(trigger.on_element(window, context) == trigger_result::continue_);
  CHECK(kept.registered == at(9));
  CHECK(trigger.on_event_time(at(9), window, context) == trigger_result::fire);
  CHECK(trigger.on_event_time(at(8), window, context) == trigger_result::continue_);
}

TEST_CASE("an event-time trigger fires for each record behind the watermark",
          "[event_time_trigger]") {
  timer_of_window kept;
  auto context = kept.context(9);
  CHECK(event_time_trigger{}.on_element(window, context) == trigger_result::fire);
  CHECK(kept.changes() == 0);
}

TEST_CASE("a timer that a window has is not registered again", "[shared_trigger_context]") {
  timer_of_window kept;
  auto context = kept.context(0);
  for (int i = 0; i < 3; ++i) static_cast<void>(event_time_trigger{}.on_element(window, context));
  CHECK(kept.changes() == 1);
}

TEST_CASE("a trigger that is cleared deletes the timer it still has", "[event_time_trigger]") {
  timer_of_window kept;
  auto context = kept.context(0);
  event_time_trigger{}.clear(window, context);
  CHECK(kept.changes() == 0);
  static_cast<void>(event_time_trigger{}.on_element(window, context));
  event_time_trigger{}.clear(window, context);
  CHECK(kept.changes() == 2);
  CHECK(kept.registered == event_time::min());
}

TEST_CASE("a trigger result fires, purges, both or none", "[trigger_result]") {
  CHECK_FALSE(fires(trigger_result::continue_));
  CHECK_FALSE(purges(trigger_result::continue_));
  CHECK(fires(trigger_result::fire));
  CHECK_FALSE(purges(trigger_result::fire));
  CHECK_FALSE(fires(trigger_result::purge));
  CHECK(purges(trigger_result::purge));
  CHECK(fires(trigger_result::fire_and_purge));
  CHECK(purges(trigger_result::fire_and_purge));
}

}  // namespace weir::windowing
