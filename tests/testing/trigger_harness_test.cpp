// SPDX-License-Identifier: Apache-2.0
#include "weir/testing/trigger_harness.hpp"

#include <vector>

#include "weir/state/value_state.hpp"
#include "weir/windowing/count_trigger.hpp"
#include "weir/windowing/event_time_trigger.hpp"

#include "support/catch.hpp"

namespace weir::testing {
namespace {

using windowing::time_window;

constexpr auto fire = trigger_result::fire;
constexpr trigger_surroundings lasting{.allowed_lateness = duration{1000}};

}  // namespace

TEST_CASE("a session takes up all that it touches", "[trigger_harness]") {
  trigger_harness<int, event_time_trigger> h{event_time_trigger{}, lasting};
  h.push_to_session(1, at(0), {at(0), at(5)});
  h.push_to_session(2, at(20), {at(20), at(25)});
  h.push_to_session(3, at(11), {at(11), at(16)});
  CHECK(h.windows().size() == 3);
  h.push_to_session(4, at(16), {at(16), at(20)});
  constexpr time_window last_two{at(11), at(25)};
  CHECK(h.windows() == std::vector<time_window>{{at(0), at(5)}, last_two});
  CHECK(h.contents(last_two) == std::vector{2, 3, 4});
  CHECK(h.timers() == 2);
  // Inside of a window: nothing is merged.
  h.push_to_session(5, at(12), {at(12), at(14)});
  CHECK(h.contents(last_two) == std::vector{2, 3, 4, 5});
  CHECK(h.advance_watermark(at(24)).size() == 2);
}

TEST_CASE("windows are cleaned up in the order of time, each behind its timers",
          "[trigger_harness]") {
  trigger_harness<int, event_time_trigger> h{event_time_trigger{}};
  h.push(1, at(0), {at(0), at(10)});
  h.push(2, at(5), {at(5), at(15)});
  const auto answers = h.advance_watermark(at(100));
  REQUIRE(answers.size() == 2);
  CHECK(answers[0] == trigger_answer<time_window>{{at(0), at(10)}, fire, {1}});
  CHECK(answers[1] == trigger_answer<time_window>{{at(5), at(15)}, fire, {2}});
  CHECK(h.windows().empty());
  h.push(3, at(0), {at(0), at(10)});
  CHECK(h.late() == 1);
  CHECK(h.windows().empty());
}

TEST_CASE("states and timers go with a restore, and nothing else does", "[trigger_harness]") {
  struct with_field : trigger_defaults {
    int field = 0;
    state::value_state<int> kept{"kept"};
    auto uses_states() { return state::states(kept); }
    trigger_result on_element(int value, event_time, const time_window&, trigger_context& context) {
      const bool knows = field == 1 || kept.value() != nullptr;
      field = 1;
      if (value > 0) kept.update(value);
      context.register_timer(at(7));
      return knows ? trigger_result::fire : trigger_result::continue_;
    }
  };
  constexpr time_window w{at(0), at(10)};
  trigger_harness<int, with_field> h{with_field{}};
  CHECK(h.push(0, at(0), w).result == trigger_result::continue_);
  CHECK(h.push(0, at(0), w).result == fire);
  h.restore();
  CHECK(h.timers(timer_domain::event, w) == std::vector<std::int64_t>{7});
  CHECK(h.push(1, at(0), w).result == trigger_result::continue_);
  h.restore();
  CHECK(h.states(w) == 1);
  CHECK(h.push(0, at(0), w).result == fire);
  CHECK(h.contents(w) == std::vector{1, 2, 3, 4});
}

}  // namespace weir::testing
