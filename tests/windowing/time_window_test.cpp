// SPDX-License-Identifier: Apache-2.0
#include "weir/windowing/time_window.hpp"

#include <limits>

#include "weir/windowing/tumbling_windows.hpp"

#include "support/catch.hpp"

namespace weir::windowing {
namespace {

constexpr auto lowest = std::numeric_limits<std::int64_t>::min();
constexpr auto highest = std::numeric_limits<std::int64_t>::max();

struct row {
  std::int64_t offset;
  std::int64_t time;
  std::int64_t start;
};

std::int64_t start_of(std::int64_t time, std::int64_t offset, std::int64_t size) {
  return window_start(at(time), duration{offset}, duration{size}).ms;
}

time_window window(std::int64_t start, std::int64_t end) { return {at(start), at(end)}; }

}  // namespace

TEST_CASE("the start of a window of 7 is at or before its times, before 1970 too",
          "[time_window]") {
  const auto r = GENERATE(
      row{0, -8, -14}, row{0, -7, -7}, row{0, -6, -7}, row{0, -1, -7}, row{0, 0, 0}, row{0, 1, 0},
      row{0, 6, 0}, row{0, 7, 7}, row{0, 8, 7}, row{3, -10, -11}, row{3, -9, -11}, row{3, -3, -4},
      row{3, -2, -4}, row{3, -1, -4}, row{3, 1, -4}, row{3, 2, -4}, row{3, 3, 3}, row{3, 9, 3},
      row{3, 10, 10}, row{-2, -12, -16}, row{-2, -7, -9}, row{-2, -4, -9}, row{-2, -3, -9},
      row{-2, 2, -2}, row{-2, -1, -2}, row{-2, 1, -2}, row{-2, -2, -2}, row{-2, 3, -2},
      row{-2, 4, -2}, row{-2, 7, 5}, row{-2, 12, 12});
  CAPTURE(r.offset, r.time);
  CHECK(start_of(r.time, r.offset, 7) == r.start);
}

TEST_CASE("a day that begins 8 hours before that of UTC has its own midnight", "[time_window]") {
  constexpr std::int64_t hour = 3'600'000;
  CHECK(start_of(1'470'902'048'450, -8 * hour, 24 * hour) == 1'470'844'800'000);
}

TEST_CASE("a window's last time is one before its end", "[time_window]") {
  CHECK(window(0, 10).max_time() == at(9));
}

TEST_CASE("windows are ordered by end, then by start", "[time_window]") {
  CHECK(window(5, 10) < window(0, 11));
  CHECK(window(0, 10) < window(5, 10));
  CHECK_FALSE(window(0, 10) < window(0, 10));
}

TEST_CASE("tumbling windows with an offset begin and end at the offset", "[tumbling_windows]") {
  const auto later = tumbling_event_time(duration{5000}, duration{100});
  CHECK(later.window_of(at(100)) == window(100, 5100));
  CHECK(later.window_of(at(5099)) == window(100, 5100));
  CHECK(later.window_of(at(5100)) == window(5100, 10100));
  const auto earlier = tumbling_event_time(duration{5000}, duration{-100});
  CHECK(earlier.window_of(at(0)) == window(-100, 4900));
  CHECK(earlier.window_of(at(4899)) == window(-100, 4900));
  CHECK(earlier.window_of(at(4900)) == window(4900, 9900));
}

TEST_CASE("windows at the ends of time are cut off and do not wrap", "[tumbling_windows]") {
  const auto tens = tumbling_event_time(duration{10});
  CHECK(tens.window_of(at(lowest + 1)) == window(lowest, lowest + 8));
  CHECK(tens.window_of(at(highest)) == window(highest - 7, highest));
  const auto all = tumbling_event_time(duration{highest}, duration{highest - 1});
  CHECK(all.window_of(at(0)) == window(-1, highest - 1));
  CHECK(all.window_of(at(lowest + 1)) == window(lowest, -1));
}

}  // namespace weir::windowing
