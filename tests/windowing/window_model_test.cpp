// SPDX-License-Identifier: Apache-2.0
#include "windowing/window_model.hpp"

#include <algorithm>
#include <sstream>

#include "support/catch.hpp"

namespace weir::testing {
namespace {

using model::clock_kind;
using model::window_rules;
using kind = model::assignment::kind;
using evict = model::eviction::kind;

constexpr auto event = clock_kind::event;

/// Runs a script of words: "2:5@1000" is an element of key 2 with value 5 at 1000, "+30" behind it
/// the gap of its session, "W1999" a watermark and "P5" the clock. Says what came out, and how many
/// elements were dropped.
std::string run(const window_rules& rules, model::trigger trigger, const std::string& script) {
  model::window_operator windows{rules, std::move(trigger)};
  std::istringstream words{script};
  std::string all;
  for (std::string word; words >> word;) {
    const auto number = [&](char behind, std::int64_t otherwise) {
      const auto from = word.find(behind);
      return from == std::string::npos ? otherwise : std::stoll(word.substr(from + 1));
    };
    model::window_operator::outcome out;
    if (word[0] == 'W')
      out = windows.watermark(word == "Wmax" ? INT64_MAX : number('W', 0));
    else if (word[0] == 'P')
      out = windows.clock(number('P', 0));
    else
      out = windows.push(
          {{std::stoll(word), static_cast<int>(number(':', 0)), number('@', 0), number('+', 1)}});
    for (auto& group : out) {
      std::sort(group.begin(), group.end());
      for (const auto& e : group) all += (all.empty() ? "" : "; ") + text(e);
    }
  }
  if (windows.dropped() > 0) all += "; dropped " + std::to_string(windows.dropped());
  return all;
}

window_rules tumbling(std::int64_t size, std::int64_t lateness) {
  return {{kind::tumbling, size}, event, lateness, true};
}
window_rules sessions(std::int64_t gap, std::int64_t lateness) {
  return {{kind::session, gap}, event, lateness, true};
}
model::trigger purging(model::trigger t) { return model::emptying(std::move(t)); }

}  // namespace

TEST_CASE("the model of windows: a tumbling window with allowed lateness", "[window_model]") {
  CHECK(run(tumbling(2000, 500), purging(model::event_end()),
            "1:1@500 W1500 1:2@1300 W2300 1:3@1997 W6000 1:4@1998") ==
        "1 [0,2000) {1,2} @1999; 1 [0,2000) {3} @1999; late 1 {4} @1998");
  CHECK(run(tumbling(2000, 0), model::event_end(),
            "1:1@1000 W1985 1:2@1980 W1999 1:3@1998 1:4@2001 W3999") ==
        "1 [0,2000) {1,2} @1999; late 1 {3} @1998; 1 [2000,4000) {4} @3999");
  auto dropping = tumbling(2000, 0);
  dropping.late_output = false;
  CHECK(run(dropping, model::event_end(), "1:1@1 W1999 1:2@1 1:3@2") ==
        "1 [0,2000) {1} @1999; dropped 2");
}

TEST_CASE("the model of windows: lateness at the end of all times", "[window_model]") {
  const std::string most = std::to_string(INT64_MAX - 1750);
  const auto rules = tumbling(1000, 2000);
  // 807 ms before the end of times a window ends.
  CHECK(run(rules, model::event_end(),
            "1:1@" + most + " W" + std::to_string(INT64_MAX - 1500) + " Wmax") ==
        "1 [9223372036854774000,9223372036854775000) {1} @9223372036854774999");
}

TEST_CASE("the model of windows: sliding windows and elements behind the watermark",
          "[window_model]") {
  const window_rules rules{{kind::sliding, 3000, 1000}, event, 0, true};
  CHECK(run(rules, model::event_end(),
            "2:1@1000 W1999 2:1@2000 W3000 1:1@3001 2:1@2400 2:1@2400 1:1@3001 2:1@3900 W6000 "
            "1:1@3001") ==
        "2 [-1000,2000) {1} @1999; 2 [0,3000) {1,1} @2999; 1 [1000,4000) {1,1} @3999; "
        "2 [1000,4000) {1,1,1,1,1} @3999; 1 [2000,5000) {1,1} @4999; 2 [2000,5000) {1,1,1,1} "
        "@4999; 1 [3000,6000) {1,1} @5999; 2 [3000,6000) {1} @5999; late 1 {1} @3001");
  const window_rules gaps{{kind::sliding, 2, 5}, event, 0, true};
  CHECK(run(gaps, model::event_end(), "1:1@3 1:2@6 W4 1:3@3 1:4@8 W9") ==
        "late 1 {3} @3; 1 [5,7) {2} @6");
}

TEST_CASE("the model of windows: sessions", "[window_model]") {
  CHECK(run(sessions(3000, 0), model::event_end(),
            "2:1@0 2:2@1000 2:3@2500 1:1@10 1:2@1000 1:3@2500 2:4@5501 2:5@6000 2:5@6000 2:6@6050 "
            "W12000 2:10@15000 2:20@15000 W17999") ==
        "1 [10,5500) {1,2,3} @5499; 2 [0,5500) {1,2,3} @5499; 2 [5501,9050) {4,5,5,6} @9049; "
        "2 [15000,18000) {10,20} @17999");
  CHECK(run(sessions(3000, 0), purging(model::count(4)),
            "2:1@0 2:2@1000 2:3@2500 2:4@3500 1:1@10 1:2@1000 1:3@2500 1:1@6000 1:2@6500 1:3@7000 "
            "1:10@4500") == "2 [0,6500) {1,2,3,4} @6499; 1 [10,10000) {1,2,3,1,2,3,10} @9999");
  CHECK(run(sessions(3000, 0), model::every_event(2000),
            "1:1@1500 2:1@0 2:3@2500 2:2@1000 W2500 2:5@4000 W3000 1:2@4000 2:4@3500 W4000") ==
        "1 [1500,4500) {1} @4499; 2 [0,5500) {1,3,2} @5499; 1 [1500,7000) {1,2} @6999; "
        "2 [0,7000) {1,3,2,5,4} @6999");
}

TEST_CASE("the model of windows: late elements of sessions", "[window_model]") {
  const std::string stream =
      "1:1@1000 W1999 1:2@2000 W4998 1:3@4500 1:4@8500 W7400 1:5@7000 W11501 1:6@11600 W14600 "
      "1:7@10000 1:8@14500 W20000";
  // The element at 7000 bridges two sessions: theirs come first, in order, and then it.
  const std::string bridged = "1 [1000,11500) {1,2,3,4,5} @11499; 1 [11600,14600) {6} @14599; ";
  CHECK(run(sessions(3000, 0), model::event_end(), stream) ==
        bridged + "late 1 {7} @10000; 1 [14500,17500) {8} @17499");
  CHECK(run(sessions(3000, 10), model::event_end(), stream) ==
        bridged + "1 [10000,14600) {6,7} @14599; 1 [10000,17500) {6,7,8} @17499");
  CHECK(run(sessions(3000, 10), purging(model::event_end()), stream) ==
        bridged + "1 [10000,14600) {7} @14599; 1 [10000,17500) {8} @17499");
  CHECK(run(sessions(3000, 10000), model::event_end(), stream) ==
        bridged + "1 [1000,14600) {1,2,3,4,5,6,7} @14599; 1 [1000,17500) {1,2,3,4,5,6,7,8} @17499");
}

TEST_CASE("the model of windows: sessions with gaps of their records", "[window_model]") {
  const window_rules rules{{kind::dynamic_session}, event, 0, true};
  CHECK(run(rules, model::event_end(),
            "1:3@10+3000 2:4@5000+2000 2:5@6000+2000 W8999 2:1@9000+2000 2:2@10000+2000 "
            "2:10@10500+1000 W12999 2:10@13000+1000 2:10@13500+1000 2:1@14000+2000 W16999") ==
        "1 [10,3010) {3} @3009; 2 [5000,8000) {4,5} @7999; 2 [9000,12000) {1,2,10} @11999; "
        "2 [13000,16000) {10,10,1} @15999");
}

TEST_CASE("the model of windows: the global window and evictors", "[window_model]") {
  window_rules rules{{kind::global}, std::nullopt};
  CHECK(run(rules, model::event_end(), "1:1@5 2:2@3 1:3@4 W9 Wmax") ==
        "1 [min,max) {1,3} @max; 2 [min,max) {2} @max");
  rules.evicts = {evict::count, 4, true};
  CHECK(run(rules, model::count(2), "1:1@1 1:2@1 1:3@1 1:4@1 1:5@1 1:6@1 1:7@1 1:8@1") ==
        "1 [min,max) {1,2} @max; 1 [min,max) {1,2,3,4} @max; 1 [min,max) {1,2,3,4,5,6} @max; "
        "1 [min,max) {3,4,5,6,7,8} @max");
  rules.evicts = {evict::time, 3};
  CHECK(run(rules, model::count(3), "1:1@1 1:2@5 1:3@2 1:4@6 1:5@4 1:6@3") ==
        "1 [min,max) {2} @max; 1 [min,max) {2,4,5} @max");
  rules.evicts = {evict::delta, 2};
  CHECK(run(rules, model::count(2), "1:1@1 1:5@1 1:6@1 1:3@1") ==
        "1 [min,max) {5} @max; 1 [min,max) {3} @max");
}

TEST_CASE("the model of windows: windows of the processing clock", "[window_model]") {
  const window_rules rules{{kind::tumbling, 10}, clock_kind::processing, 100};
  CHECK(run(rules, model::clock_end(), "1:1@77 P5 1:2@1 P9 1:3@0 P25 2:4@0 Wmax P30") ==
        "1 [0,10) {1,2,3} @9; 2 [20,30) {4} @29");
  const window_rules by_gap{{kind::session, 3}, clock_kind::processing, 0};
  CHECK(run(by_gap, model::clock_end(), "1:1@77 P1 1:2@1 P2 1:3@0 P4 P5 1:4@0 P8") ==
        "1 [0,5) {1,2,3} @4; 1 [5,8) {4} @7");
}

}  // namespace weir::testing
