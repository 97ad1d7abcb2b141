// SPDX-License-Identifier: Apache-2.0
#include "weir/windowing/time_zone.hpp"

#include <limits>

#include "support/catch.hpp"
#include "windowing/assigned_windows.hpp"
#include "windowing/system_zone.hpp"

namespace weir::testing {
namespace {

using windowing::local_time;
using windowing::time_zone;

constexpr std::int64_t day_s = 86'400;
constexpr std::int64_t year_s = 31'556'952;
constexpr std::int64_t in_1850 = -120 * year_s;
constexpr std::int64_t in_2086 = 116 * year_s;  // the end of the tables that go furthest
constexpr std::int64_t in_2300 = 330 * year_s;

time_zone zone(const std::string& name) {
  auto loaded = time_zone::load(name);
  INFO(loaded.error_text());
  REQUIRE(loaded.ok());
  return *std::move(loaded);
}

std::int64_t offset_s(const time_zone& z, std::int64_t seconds) {
  return z.span_of(at(seconds * 1000)).offset.count() / 1000;
}

/// The number of times, in steps of `step_s`, at which the two disagree.
int disagreements(const std::string& name, std::int64_t until_s, std::int64_t step_s) {
  const auto ours = zone(name);
  const system_zone theirs{name};
  int count = 0;
  for (std::int64_t t = in_1850; t < until_s; t += step_s)
    count += offset_s(ours, t) != theirs.local(t).tm_gmtoff ? 1 : 0;
  return count;
}

}  // namespace

TEST_CASE("time zones have the offsets that the C library has, until 2300", "[time_zone]") {
  for (const std::string name : peculiar_zones) {
    CAPTURE(name);
    const bool by_the_moon = name == "Asia/Gaza";  // no rule goes on after its table
    CHECK(disagreements(name, by_the_moon ? in_2086 : in_2300, 5 * day_s / 2 + 61) == 0);
  }
}

TEST_CASE("the spans of a time zone follow each other, and clocks are set between them",
          "[time_zone]") {
  for (const std::string name : peculiar_zones) {
    CAPTURE(name);
    const auto ours = zone(name);
    const system_zone theirs{name};
    auto before = ours.span_of(event_time::min());
    REQUIRE(before.begin == event_time::min());
    for (int i = 0; i < 700 && before.end < at(in_2300 * 1000); ++i) {
      const auto next = ours.span_of(before.end);
      CAPTURE(next.begin.ms, next.end.ms);
      REQUIRE(next.begin == before.end);
      REQUIRE(next.begin < next.end);
      REQUIRE(next.offset != before.offset);
      const auto again = ours.span_of({next.begin.ms - 1});
      REQUIRE(again.begin == before.begin);
      REQUIRE(again.end == before.end);
      const std::int64_t set_at = next.begin.ms / 1000;
      if (name != "Asia/Gaza" || set_at < in_2086) {
        REQUIRE(next.offset.count() / 1000 == theirs.local(set_at).tm_gmtoff);
        REQUIRE(before.offset.count() / 1000 == theirs.local(set_at - 1).tm_gmtoff);
      }
      before = next;
    }
  }
}

TEST_CASE("a name that no time zone has is not found, and the error says what to do",
          "[time_zone]") {
  for (const std::string name : {"Europe/Berlim", "", "../etc/passwd", "europe/berlin"}) {
    CAPTURE(name);
    const auto loaded = time_zone::load(name);
    REQUIRE_FALSE(loaded.ok());
    CHECK(loaded.failure().code() == errc::not_found);
    CHECK(contains(loaded.error_text(), "time zone \"" + name + "\" cannot be loaded"));
    CHECK(contains(loaded.error_text(), "package tzdata"));
  }
}

TEST_CASE("at the ends of time clocks are not set any more", "[time_zone]") {
  const auto berlin = zone("Europe/Berlin");
  const auto first = berlin.span_of(event_time::min());
  CHECK(first.begin == event_time::min());
  CHECK(first.offset == duration{3'208'000});  // local mean time
  const auto last = berlin.span_of(event_time::max());
  CHECK(last.end == event_time::max());
  CHECK(last.begin < at(std::int64_t{1} << 62));
  CHECK(berlin.span_of({last.begin.ms - 1}).end == last.begin);
  CHECK(zone("Etc/UTC").span_of(at(0)).end == event_time::max());
}

TEST_CASE("clocks reach a time when they first show it, or are set past it", "[time_zone]") {
  const auto berlin = zone("Europe/Berlin");
  constexpr std::int64_t hour = 3'600'000;
  constexpr std::int64_t forward = 1'774'746'000'000;  // 2026-03-29T01:00Z, from 2:00 to 3:00
  constexpr std::int64_t back = 1'792'890'000'000;     // 2026-10-25T01:00Z, from 3:00 to 2:00
  const auto reached = [&](std::int64_t local_ms) {
    return berlin.first_reached(local_time{duration{local_ms}}).ms;
  };
  CHECK(reached(forward + hour - 1) == forward - 1);
  CHECK(reached(forward + hour) == forward);
  CHECK(reached(forward + hour + hour / 2) == forward);
  CHECK(reached(forward + 2 * hour) == forward);
  CHECK(reached(forward + 2 * hour + 1) == forward + 1);
  CHECK(reached(back + hour) == back - hour);
  CHECK(reached(back + 2 * hour - 1) == back - 1);
  CHECK(reached(back + 2 * hour) == back + hour);
}

}  // namespace weir::testing
