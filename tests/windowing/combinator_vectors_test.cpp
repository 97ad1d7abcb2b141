// SPDX-License-Identifier: Apache-2.0
#include <chrono>

#include "weir/windowing/combinators.hpp"
#include "weir/windowing/triggers.hpp"

#include "support/catch.hpp"
#include "windowing/trigger_script.hpp"

namespace weir::testing {
namespace {

using namespace std::chrono_literals;

const auto c1 = after_count(1);
const auto c2 = after_count(2);
const auto c3 = after_count(3);
const auto c4 = after_count(4);
const auto c5 = after_count(5);
const auto pt5 = after_processing_time(5ms);
const auto pt10 = after_processing_time(10ms);

constexpr const char* mixed = "P0 e1 e2 P5 e3 P8 e4 P10 P18";
constexpr const char* ten = "e1 e2 e3 e4 e5 e6 e7 e8 e9 e10";

}  // namespace

TEST_CASE("any_of fires whenever a part does, and the others go on", "[any_of]") {
  CHECK(run_script(any_of(c3, pt10), mixed) == "e3{1,2,3} P10{1,2,3,4}");
  CHECK(run_script(any_of(c2, c3, c5), ten) ==
        "e2{1,2} e3{1,2,3} e4{1,2,3,4} e5{1,2,3,4,5} e6{1,2,3,4,5,6} e8{1,2,3,4,5,6,7,8} "
        "e9{1,2,3,4,5,6,7,8,9} e10{1,2,3,4,5,6,7,8,9,10}");
}

TEST_CASE("repeatedly starts anew after each fire", "[repeatedly]") {
  CHECK(run_script(repeatedly(any_of(c3, pt10)), mixed) == "e3{1,2,3} P18{1,2,3,4}");
}

TEST_CASE("all_of waits for each of its parts, and keeps what they have seen", "[all_of]") {
  constexpr const char* in = "P0 e1 e2 P10 P15 e3 P16 e4 e5 e6 P25 P26";
  CHECK(run_script(all_of(c3, pt10), in) == "e3{1,2,3} P25{1,2,3,4,5,6}");
  CHECK(run_script(repeatedly(all_of(c3, pt10)), in) == "e3{1,2,3} P26{1,2,3,4,5,6}");
  CHECK(run_script(all_of(c1, c2, c3), "e1 e2 e3 e4 e5 e6") == "e3{1,2,3} e6{1,2,3,4,5,6}");
}

TEST_CASE("after_each goes from part to part", "[after_each]") {
  CHECK(run_script(after_each(c2, c3), ten) == "e2{1,2} e5{1,2,3,4,5} e8{1,2,3,4,5,6,7,8}");
  CHECK(run_script(repeatedly(after_each(c2, once(c3))), ten) ==
        "e2{1,2} e5{1,2,3,4,5} e7{1,2,3,4,5,6,7} e10{1,2,3,4,5,6,7,8,9,10}");
  CHECK(run_script(after_each(c1, c2, c3), ten) ==
        "e1{1} e3{1,2,3} e6{1,2,3,4,5,6} e9{1,2,3,4,5,6,7,8,9}");
  CHECK(run_script(after_each(any_of(c3, pt10), all_of(c2, pt5)),
                   "P0 e1 P10 e2 e3 P15 e4 P20 e5") == "P10{1} P15{1,2,3} e5{1,2,3,4,5}");
}

TEST_CASE("once holds no timer when it has fired", "[once]") {
  trigger_script script{once(any_of(c2, pt10)), {}};
  CHECK(script.run("P0 e1 P10 e2 e3 e4") == "P10{1}");
  CHECK(script.harness().timers() == 0);
  CHECK(run_script(once(any_of(c2, pt10)), "P0 e1 P10 e2 e3 e4") == "P10{1}");
}

TEST_CASE("or_finally ends with the fire of what comes last", "[or_finally]") {
  CHECK(run_script(c2.or_finally(c5), ten) == "e2{1,2} e4{1,2,3,4} e5{1,2,3,4,5}");
  CHECK(run_script(c2.or_finally(c4), ten) == "e2{1,2} e4{1,2,3,4}");
  CHECK(run_script(or_finally(c2, c4), ten) == "e2{1,2} e4{1,2,3,4}");
  CHECK(run_script(repeatedly(c2.or_finally(c5)), ten) ==
        "e2{1,2} e4{1,2,3,4} e5{1,2,3,4,5} e7{1,2,3,4,5,6,7} e9{1,2,3,4,5,6,7,8,9} "
        "e10{1,2,3,4,5,6,7,8,9,10}");
}

TEST_CASE("at_watermark fires early, on time and late", "[at_watermark]") {
  CHECK(run_script(at_watermark().early(c2).late(c1), "e1 e2 e3 W9 e4 W12 e5 W14",
                   {.lateness = 5ms}) == "e2{1,2} W9{1,2,3} e4{1,2,3,4} e5{1,2,3,4,5}");
  CHECK(run_script(at_watermark().late(c2).early(c2), "W9 e1 e2 e3", {.lateness = 5ms}) ==
        "e1{1} e3{1,2,3}");
  CHECK(run_script(at_watermark(), "e1 W9 e2 e3 W14 e4", {.lateness = 5ms}) ==
        "W9{1} e2{1,2} e3{1,2,3}");
}

TEST_CASE("an event-time trigger that is started anew waits for the end again", "[repeatedly]") {
  trigger_script script{repeatedly(any_of(pt10, event_time_trigger{})), {.lateness = 0ms}};
  CHECK(script.run("[0,20) P0 e1 P10 W19") == "P10{1} W19{1}");
  CHECK(script.harness().windows().empty());
  CHECK(script.harness().left_behind() == 0);
  CHECK(script.harness().timers() == 0);
}

TEST_CASE("purging empties the window and forgets nothing else", "[purging]") {
  CHECK(run_script(purging(any_of(c3, pt10)), "P0 e1 e2 e3 P10 P11 e4 P21") == "e3{1,2,3} P21{4}");
}

TEST_CASE("all_of holds a purge back until it fires", "[all_of]") {
  CHECK(run_script(all_of(purging(c2), pt10), "P0 e1 e2 e3 P10 P11 e4 e5 P21") ==
        "P10{1,2,3} P21{4,5}");
}

TEST_CASE("at_cleanup fires once, before the window is emptied", "[at_cleanup]") {
  trigger_script script{at_cleanup(), {.lateness = 5ms}};
  CHECK(script.run("e1 W9 e2 W13 W14 W20") == "W14{1,2}");
  CHECK(script.harness().windows().empty());
  CHECK(run_script(any_of(c2, at_cleanup()), "e1 e2 e3 W9 e4 e5 W14", {.lateness = 5ms}) ==
        "e2{1,2} e4{1,2,3,4} W14{1,2,3,4,5}");
  CHECK(run_script(at_cleanup(), "e1 W0 [5,15) e2 W14 W19", {.lateness = 5ms, .sessions = true}) ==
        "W19{1,2}");
}

TEST_CASE("parts are merged with their like", "[trigger_merge_context]") {
  const auto merged = [](auto trigger, const char* in) {
    return run_script(trigger, in, {.sessions = true});
  };
  CHECK(merged(all_of(c2, pt10), "P0 [20,30) e1 P5 [0,10) e2 e3 P10 P11 [10,20) e4") ==
        "e4{1,2,3,4}");
  CHECK(merged(after_each(c2, c3), "[0,10) e1 e2 e3 [20,30) e4 [10,20) e5 e6 e7 e8") ==
        "e2{1,2} e5{1,2,3,4,5} e8{1,2,3,4,5,6,7,8}");
  CHECK(merged(at_watermark().early(c2).late(c1), "[0,10) e1 W9 e2 [5,15) e3 e4 W14 e5") ==
        "W9{1} e2{1,2} e4{1,2,3,4} W14{1,2,3,4} e5{1,2,3,4,5}");
  CHECK(merged(once(c2), "[0,10) e1 e2 [20,30) e3 [5,25) e4 e5") == "e2{1,2}");
  CHECK(merged(c5.or_finally(c2), "[0,10) e1 e2 [20,30) e3 [5,25) e4 e5 e6") == "e2{1,2}");
  CHECK(merged(all_of(c3, event_time_trigger{}), "[0,10) e1 W9 [5,15) e2 e3 W13 W14") ==
        "W14{1,2,3}");
  // A mark that was won by more than the window's end is kept.
  const auto one_or_end = any_of(event_time_trigger{}, when([](int v) { return v == 1; }));
  CHECK(merged(all_of(one_or_end, c3), "[0,10) W9 e1 [5,15) e2 e3") == "e3{1,2,3}");
  CHECK(merged(all_of(one_or_end, c3), "[0,10) W9 e2 [5,15) e3 e4 W14") == "W14{1,2,3}");
}

TEST_CASE("parts that are due at one time make one fire", "[any_of]") {
  CHECK(run_script(any_of(pt10, pt10, pt5), "P0 e1 P10") == "P10{1} P10{1}");
  CHECK(run_script(any_of(event_time_trigger{}, at_cleanup(), at_watermark()), "e1 W20",
                   {.lateness = 0ms}) == "W20{1}");
}

TEST_CASE("a part does not lose a timer that another one deletes", "[trigger_context]") {
  CHECK(run_script(any_of(pt10, once(any_of(pt10, c1))), "P0 e1 P10") == "e1{1} P10{1}");
}

TEST_CASE("the parts of the documents in one line each", "[combinators]") {
  CHECK(run_script(continuous_processing_time(5ms), "P1 e1 P5 e2 P10 P15") ==
        "P5{1} P10{1,2} P15{1,2}");
  CHECK(run_script(at_watermark()
                       .early(any_of(after_processing_time(1min), after_count(50)))
                       .late(after_count(1)),
                   "P0 e1 P60000 e2 W9 e3") == "P60000{1} W9{1,2} e3{1,2,3}");
  CHECK(run_script(all_of(after_count(2), after_processing_time(1min)), "P0 e1 P60000 e2") ==
        "e2{1,2}");
}

}  // namespace weir::testing
