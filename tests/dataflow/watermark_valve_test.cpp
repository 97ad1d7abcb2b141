// SPDX-License-Identifier: Apache-2.0
#include "weir/dataflow/watermark_valve.hpp"

#include <string>
#include <utility>
#include <vector>

#include "weir/core/random.hpp"

#include "support/catch.hpp"

namespace weir::dataflow {
namespace {

std::string text_of(const std::vector<control>& controls) {
  std::string text;
  for (const auto& c : controls) {
    if (!text.empty()) text += ' ';
    switch (c.kind()) {
      case control_kind::watermark:
        text += c.time() == event_time::max() ? "MAX" : std::to_string(c.time().ms);
        break;
      case control_kind::idle: text += "IDLE"; break;
      case control_kind::active: text += "ACTIVE"; break;
      default: text += "?"; break;
    }
  }
  return text;
}

/// A valve whose outputs are texts.
struct valve {
  explicit valve(std::size_t channels, event_time floor = event_time::min())
      : it{channels, floor} {}

  std::string w(std::size_t channel, std::int64_t time) {
    return text_of(it.on_watermark(channel, at(time)));
  }
  std::string idle(std::size_t channel) { return text_of(it.on_idle(channel)); }
  std::string active(std::size_t channel) { return text_of(it.on_active(channel)); }
  std::string end(std::size_t channel) { return text_of(it.on_end(channel)); }

  watermark_valve it;
};

TEST_CASE("one channel's watermarks go through while they grow and it is not idle",
          "[watermark_valve]") {
  valve v{1};
  CHECK(v.w(0, 0) == "0");
  CHECK(v.w(0, 25) == "25");
  CHECK(v.w(0, 18) == "");
  CHECK(v.w(0, 42) == "42");
  CHECK(v.idle(0) == "IDLE");
  CHECK(v.idle(0) == "");
  CHECK(v.w(0, 50) == "");
  CHECK(v.active(0) == "ACTIVE");
  CHECK(v.active(0) == "");
  CHECK(v.w(0, 50) == "50");
}

TEST_CASE("the smallest watermark of three channels counts", "[watermark_valve]") {
  valve v{3};
  CHECK(v.w(0, 0) == "");
  CHECK(v.w(1, 0) == "");
  CHECK(v.w(2, 0) == "0");
  CHECK(v.w(0, 12) == "");
  CHECK(v.w(2, 8) == "");
  CHECK(v.w(2, 10) == "");
  CHECK(v.w(1, 15) == "10");
  CHECK(v.w(2, 17) == "12");
  CHECK(v.w(0, 20) == "15");
}

TEST_CASE("an idle channel that never spoke holds nothing back", "[watermark_valve]") {
  valve v{3};
  CHECK(v.w(0, 15) == "");
  CHECK(v.w(1, 10) == "");
  CHECK(v.idle(2) == "10");
  CHECK(v.w(1, 18) == "15");
  CHECK(v.w(0, 20) == "18");
}

TEST_CASE("a channel that goes idle lets the others go on", "[watermark_valve]") {
  valve v{3};
  v.w(0, 25);
  v.w(1, 10);
  CHECK(v.w(2, 17) == "10");
  CHECK(v.idle(1) == "17");
  CHECK(v.idle(2) == "25");
}

TEST_CASE("the largest watermark comes before the last channel's idleness", "[watermark_valve]") {
  valve v{3};
  v.w(0, 10);
  v.w(1, 5);
  CHECK(v.w(2, 3) == "3");
  CHECK(v.idle(0) == "");
  CHECK(v.idle(1) == "");
  CHECK(v.idle(2) == "10 IDLE");
  CHECK(v.it.idle());
}

TEST_CASE("the order in which channels go idle does not matter for the largest watermark",
          "[watermark_valve]") {
  valve v{3};
  CHECK(v.idle(2) == "");
  CHECK(v.w(0, 20) == "");
  CHECK(v.w(1, 10) == "10");
  CHECK(v.active(2) == "");
  CHECK(v.idle(0) == "");
  CHECK(v.idle(1) == "");
  CHECK(v.idle(2) == "20 IDLE");
}

TEST_CASE("a channel that comes back behind the output counts when it has caught up",
          "[watermark_valve]") {
  valve v{3};
  v.w(0, 10);
  v.w(1, 7);
  CHECK(v.w(2, 3) == "3");
  CHECK(v.idle(2) == "7");
  CHECK(v.active(2) == "");
  CHECK(v.w(2, 5) == "");
  CHECK(v.w(2, 9) == "");
  CHECK(v.w(1, 12) == "9");
}

TEST_CASE("a channel that is level with the output has caught up", "[watermark_valve]") {
  valve v{3};
  v.w(0, 10);
  v.w(1, 7);
  v.w(2, 3);
  CHECK(v.idle(2) == "7");
  v.active(2);
  CHECK(v.w(2, 7) == "");
  CHECK(v.w(1, 12) == "");
  CHECK(v.w(2, 11) == "10");
}

TEST_CASE("while an active channel has still to catch up the valve is not idle",
          "[watermark_valve]") {
  valve v{3};
  v.w(0, 10);
  CHECK(v.w(1, 7) == "");
  CHECK(v.idle(2) == "7");
  CHECK(v.active(2) == "");
  CHECK(v.idle(0) == "");
  CHECK(v.idle(1) == "");
  CHECK_FALSE(v.it.idle());
}

TEST_CASE("a channel behind the output that goes idle again changes nothing", "[watermark_valve]") {
  valve v{2};
  v.w(0, 7);
  CHECK(v.w(1, 10) == "7");
  CHECK(v.idle(0) == "10");
  CHECK(v.active(0) == "");
  CHECK(v.w(0, 9) == "");
  CHECK(v.idle(0) == "");
}

TEST_CASE("C030: an input that is silent and then idle does not stall event time",
          "[watermark_valve]") {
  valve channels{2};
  CHECK(channels.w(0, 20) == "");
  CHECK(channels.idle(1) == "20");

  two_input_watermarks inputs;
  CHECK(text_of(inputs.on_control(0, control::watermark(at(20)))) == "");
  CHECK(text_of(inputs.on_control(1, control::idle())) == "20");
}

TEST_CASE("C031: the order in which the inputs go idle does not matter", "[watermark_valve]") {
  const std::size_t first = GENERATE(0, 1);
  CAPTURE(first);
  const auto joined = [](std::vector<std::string> parts) {
    std::string all;
    for (const auto& part : parts) all += part.empty() || all.empty() ? part : " " + part;
    return all;
  };
  valve v{2};
  CHECK(joined({v.w(0, 5), v.w(1, 4), v.idle(first), v.idle(1 - first)}) == "4 5 IDLE");

  two_input_watermarks inputs;
  std::vector<std::string> parts;
  parts.push_back(text_of(inputs.on_control(0, control::watermark(at(5)))));
  parts.push_back(text_of(inputs.on_control(1, control::watermark(at(4)))));
  parts.push_back(text_of(inputs.on_control(first, control::idle())));
  parts.push_back(text_of(inputs.on_control(1 - first, control::idle())));
  CHECK(joined(parts) == "4 5 IDLE");
}

TEST_CASE("C032: an input that comes back below the watermark never makes it fall",
          "[watermark_valve]") {
  valve v{2};
  CHECK(v.w(0, 3) == "");
  CHECK(v.w(1, 3) == "3");
  CHECK(v.idle(1) == "");
  CHECK(v.w(0, 5) == "5");
  CHECK(v.active(1) == "");
  CHECK(v.w(1, 4) == "");
  CHECK(v.w(0, 8) == "8");
  CHECK(v.w(1, 9) == "");
  CHECK(v.w(0, 10) == "9");
}

TEST_CASE("C035: an input that says nothing new keeps its watermark", "[watermark_valve]") {
  valve v{2};
  CHECK(v.w(0, 10) == "");
  CHECK(v.w(1, 10) == "10");
  CHECK(v.w(0, 50) == "");
  CHECK(v.it.current() == at(10));
}

TEST_CASE("C038: an input that has ended holds nothing back", "[watermark_valve]") {
  valve v{2};
  CHECK(v.w(0, 5) == "");
  CHECK(v.end(0) == "");
  CHECK(v.w(1, 100) == "100");

  two_input_watermarks inputs;
  CHECK(text_of(inputs.on_control(0, control::watermark(at(5)))) == "");
  CHECK(text_of(inputs.on_control(0, control::watermark(event_time::max()))) == "");
  CHECK(text_of(inputs.on_control(1, control::watermark(at(100)))) == "100");
}

TEST_CASE("event time ends when the last channel ends", "[watermark_valve]") {
  const bool told_before = GENERATE(false, true);  // sources send the last watermark, then the end
  CAPTURE(told_before);
  valve v{2};
  const auto end = [&](std::size_t channel) {
    auto text = told_before ? v.w(channel, event_time::max().ms) : v.end(channel);
    if (told_before) CHECK(v.end(channel) == "");
    return text;
  };
  CHECK(v.w(0, 5) == "");
  CHECK(end(1) == "5");
  CHECK(end(0) == "MAX");
  CHECK_FALSE(v.it.idle());
}

TEST_CASE("an idle channel beside ended ones is not the end of event time", "[watermark_valve]") {
  const bool told_before = GENERATE(false, true);
  CAPTURE(told_before);
  valve v{3};
  const auto end = [&](std::size_t channel) {
    return told_before ? v.w(channel, event_time::max().ms) : v.end(channel);
  };
  v.w(0, 5);
  v.w(1, 7);
  CHECK(v.w(2, 9) == "5");
  CHECK(end(0) == "7");
  CHECK(v.idle(1) == "9");
  CHECK(end(2) == "IDLE");
  CHECK(v.active(1) == "ACTIVE");
  CHECK(v.w(1, 8) == "");
  CHECK(v.w(1, 20) == "20");
  CHECK(v.idle(1) == "IDLE");
  CHECK(end(1) == "ACTIVE MAX");
}

TEST_CASE("an idle input beside an ended one is not the end of event time", "[watermark_valve]") {
  two_input_watermarks inputs;
  inputs.on_control(0, control::watermark(at(5)));
  CHECK(text_of(inputs.on_control(1, control::watermark(at(3)))) == "3");
  CHECK(text_of(inputs.on_control(1, control::idle())) == "5");
  CHECK(text_of(inputs.on_control(0, control::watermark(event_time::max()))) == "IDLE");
  CHECK(text_of(inputs.on_control(1, control::active())) == "ACTIVE");
  CHECK(text_of(inputs.on_control(1, control::watermark(at(4)))) == "");
  CHECK(text_of(inputs.on_control(1, control::watermark(at(9)))) == "9");
  CHECK(text_of(inputs.on_control(1, control::watermark(event_time::max()))) == "MAX");
}

TEST_CASE("two inputs that are not idle: the smaller watermark counts, and never falls",
          "[watermark_valve]") {
  two_input_watermarks inputs;
  CHECK(text_of(inputs.on_control(0, control::watermark(at(2)))) == "");
  CHECK(text_of(inputs.on_control(1, control::watermark(at(5)))) == "2");
  CHECK(text_of(inputs.on_control(0, control::idle())) == "5");
  CHECK(text_of(inputs.on_control(0, control::active())) == "");
  CHECK(text_of(inputs.on_control(0, control::watermark(at(3)))) == "");
  CHECK(text_of(inputs.on_control(0, control::watermark(at(8)))) == "");
  CHECK(text_of(inputs.on_control(1, control::watermark(at(9)))) == "8");
}

TEST_CASE("the channel that holds the others back is known", "[watermark_valve]") {
  valve v{3};
  CHECK(v.it.holding_back() == 0);
  v.w(0, 10);
  CHECK(v.it.holding_back() == 1);
  v.w(1, 20);
  v.w(2, 5);
  CHECK(v.it.holding_back() == 2);
  v.idle(2);
  CHECK(v.it.holding_back() == 0);
  v.active(2);  // behind what was put out: not waited for before it has caught up
  CHECK(v.it.holding_back() == 0);
  v.end(0);
  CHECK(v.it.holding_back() == 1);
  v.idle(1);
  v.idle(2);
  CHECK(v.it.holding_back() == std::nullopt);
}

TEST_CASE("after a restore channels start active at the floor", "[watermark_valve]") {
  valve v{2, at(50)};
  CHECK(v.it.current() == at(50));
  CHECK(v.w(0, 40) == "");
  CHECK(v.w(0, 60) == "");
  CHECK(v.w(1, 55) == "55");
}

TEST_CASE("what a valve puts out never falls, whatever comes in", "[watermark_valve]") {
  random_generator random{GENERATE(1u, 2u, 3u, 4u, 5u)};
  const std::size_t channels = 1 + random.below(4);
  watermark_valve v{channels};
  event_time last = event_time::min();
  bool idle = false;
  std::size_t ended = 0;
  std::vector<bool> over(channels, false);
  std::int64_t time = 0;
  for (int step = 0; step < 3'000; ++step) {
    const std::size_t channel = random.below(channels);
    if (over[channel]) continue;
    std::vector<control> out;
    const auto what = random.below(1'000);
    if (what < 700) {
      out = v.on_watermark(channel, at(time += static_cast<std::int64_t>(random.below(3))));
    } else if (what < 850) {
      out = v.on_idle(channel);
    } else if (what < 997) {
      out = v.on_active(channel);
    } else {
      out = v.on_end(channel);
      over[channel] = true;
      ++ended;
    }
    for (const auto& c : out) {
      if (c.kind() == control_kind::watermark) {
        REQUIRE_FALSE(idle);
        REQUIRE(c.time() > last);
        last = c.time();
      } else {
        REQUIRE(idle == (c.kind() == control_kind::active));
        idle = !idle;
      }
    }
    REQUIRE((last == event_time::max()) == (ended == channels));
    REQUIRE(v.current() == last);
    REQUIRE(v.idle() == idle);
  }
}

}  // namespace
}  // namespace weir::dataflow
