// SPDX-License-Identifier: Apache-2.0
#include "weir/dataflow/split_watermarks.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "weir/core/random.hpp"
#include "weir/testing/output_log.hpp"

#include "support/catch.hpp"

namespace weir::dataflow {
namespace {

/// Splits whose output, after each change, is a text.
struct splits {
  explicit splits(std::uint64_t count = 0) {
    for (std::uint64_t i = 0; i < count; ++i) it.open(i);
  }

  std::string out() {
    it.combine();
    std::string text;
    for (const auto& c : it.take_output()) {
      text += (text.empty() ? "" : " ") + testing::describe(c);
    }
    return text;
  }
  std::string set(std::uint64_t split, std::int64_t time) {
    it.set(split, at(time));
    return out();
  }
  std::string idle(std::uint64_t split) {
    it.set_idle(split, true);
    return out();
  }

  split_watermarks it;
};

TEST_CASE("without splits nothing is put out, not even that nothing comes", "[split_watermarks]") {
  splits s;
  CHECK(s.out() == "");
  CHECK_FALSE(s.it.all_idle());
  CHECK(s.it.holding_back() == std::nullopt);
}

TEST_CASE("of several splits the smallest watermark counts", "[split_watermarks]") {
  splits s{2};
  CHECK(s.set(1, 5) == "");
  CHECK(s.it.holding_back() == 0);
  CHECK(s.set(0, 2) == "watermark 2");
  CHECK(s.set(0, 7) == "watermark 5");
  CHECK(s.it.holding_back() == 1);
}

TEST_CASE("a smaller watermark than before changes nothing", "[split_watermarks]") {
  splits s{1};
  CHECK(s.set(0, 5) == "watermark 5");
  CHECK(s.set(0, 2) == "");
  CHECK(s.set(0, 5) == "");
}

TEST_CASE("an idle split is not waited for", "[split_watermarks]") {
  splits s{2};
  s.set(0, 2);
  s.set(1, 5);
  CHECK(s.idle(0) == "watermark 5");
  CHECK(s.set(0, 3) == "");  // active again, behind what was put out
  CHECK(s.it.holding_back() == 0);
  CHECK(s.set(1, 9) == "");
  CHECK(s.set(0, 7) == "watermark 7");
}

TEST_CASE("when all splits are idle the largest watermark counts, once", "[split_watermarks]") {
  splits s{2};
  s.set(0, 5);
  CHECK(s.set(1, 2) == "watermark 2");
  CHECK(s.idle(0) == "");
  CHECK(s.idle(1) == "watermark 5 idle");
  CHECK(s.out() == "");
  CHECK(s.it.holding_back() == std::nullopt);
  CHECK(s.set(1, 3) == "active");
  CHECK(s.idle(1) == "idle");
}

TEST_CASE("what several splits say at once is combined at once", "[split_watermarks]") {
  splits s{2};
  s.it.set(0, at(0));
  CHECK_FALSE(s.it.has_output());
  s.it.set(1, at(1));
  CHECK_FALSE(s.it.has_output());
  CHECK(s.out() == "watermark 0");
}

TEST_CASE("an idle split that comes closed or a split less makes nothing idle",
          "[split_watermarks]") {
  splits s{1};
  s.set(0, 5);
  REQUIRE(s.idle(0) == "idle");
  s.it.close(0);
  CHECK(s.out() == "active");
  s.it.open(1);
  CHECK(s.out() == "");
  CHECK(s.set(1, 6) == "watermark 6");
}

TEST_CASE("a split that is closed puts nothing out, and is not waited for any more",
          "[split_watermarks]") {
  SECTION("the lowest") {
    splits s{3};
    s.set(0, 2);
    s.set(1, 5);
    REQUIRE(s.set(2, 7) == "watermark 2");
    s.it.close(0);
    CHECK_FALSE(s.it.has_output());
    CHECK(s.set(2, 8) == "watermark 5");
  }
  SECTION("the highest") {
    splits s{2};
    s.set(0, 7);
    REQUIRE(s.set(1, 5) == "watermark 5");
    s.it.close(0);
    CHECK(s.out() == "");
    CHECK(s.set(1, 6) == "watermark 6");
  }
}

TEST_CASE("a split that comes later holds back, and takes nothing back", "[split_watermarks]") {
  splits s{1};
  REQUIRE(s.set(0, 5) == "watermark 5");
  s.it.open(1);
  CHECK(s.set(0, 9) == "");
  CHECK(s.set(1, 3) == "");
  CHECK(s.set(1, 6) == "watermark 6");
}

TEST_CASE("a split goes on from a stored watermark, and all from what was put out",
          "[split_watermarks]") {
  splits s;
  s.it = split_watermarks{at(10)};
  s.it.open(0, at(4));
  s.it.open(1, at(20));
  CHECK(s.out() == "");
  CHECK(s.set(0, 9) == "");
  CHECK(s.set(0, 30) == "watermark 20");
}

TEST_CASE("whatever splits do, a watermark is never above an active split's, nor goes back",
          "[split_watermarks]") {
  random_generator random{7};
  for (int run = 0; run < 200; ++run) {
    splits s;
    std::map<std::uint64_t, std::pair<std::int64_t, bool>> model;  // watermark, idle
    std::int64_t last = event_time::min().ms;
    bool idle = false;
    for (int step = 0; step < 60; ++step) {
      const auto split = random.below(4);
      const auto what = random.below(10);
      const bool is_open = model.contains(split);
      if (!is_open) {
        model[split] = {event_time::min().ms, false};
        s.it.open(split);
      } else if (what == 0) {
        model.erase(split);
        s.it.close(split);
      } else if (what < 3) {
        model[split].second = true;
        s.it.set_idle(split, true);
      } else {
        const auto time = static_cast<std::int64_t>(random.below(50)) + step;
        model[split] = {std::max(model[split].first, time), false};
        s.it.set(split, at(time));
      }
      std::int64_t low = event_time::max().ms;
      std::int64_t high = event_time::min().ms;
      for (const auto& [number, state] : model) {
        high = std::max(high, state.first);
        if (!state.second) low = std::min(low, state.first);
      }
      const bool any_active = low != event_time::max().ms;
      if (!model.empty()) last = std::max(last, any_active ? low : high);
      idle = !model.empty() && !any_active;
      s.out();
      REQUIRE(s.it.last().ms == last);
      REQUIRE(s.it.all_idle() == idle);
    }
  }
}

}  // namespace
}  // namespace weir::dataflow
