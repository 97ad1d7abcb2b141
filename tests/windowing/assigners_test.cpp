// SPDX-License-Identifier: Apache-2.0
#include <chrono>
#include <limits>
#include <type_traits>

#include "weir/windowing/dynamic_session_windows.hpp"
#include "weir/windowing/global_windows.hpp"
#include "weir/windowing/session_windows.hpp"
#include "weir/windowing/sliding_windows.hpp"
#include "weir/windowing/tumbling_windows.hpp"

#include "support/catch.hpp"
#include "windowing/assigned_windows.hpp"

namespace weir::testing {
namespace {

using namespace std::chrono_literals;
using namespace weir::windowing;
using windows = std::vector<time_window>;

constexpr auto lowest = std::numeric_limits<std::int64_t>::min();
constexpr auto highest = std::numeric_limits<std::int64_t>::max();

/// The windows of 5 s that start at the given times.
windows of_5s(const std::vector<std::int64_t>& starts) {
  windows all;
  for (const auto start : starts) all.push_back(window(start, start + 5000));
  return all;
}

/// The windows of a clock time.
template <class Assigner>
windows at_clock(const Assigner& assigner, std::int64_t now) {
  return assigned(assigner, at(-777), clock_time{now});
}

/// What the assigner finds wrong with its configuration.
template <class Assigner>
std::string wrong(const Assigner& assigner) {
  return assigner.validate().error_text();
}

struct with_gap {
  int gap = 0;
  duration gap_of() const { return duration{gap}; }
};

}  // namespace

TEST_CASE("a tumbling window holds its first millisecond and not its last", "[tumbling_windows]") {
  const auto plain = tumbling_event_time(5s);
  CHECK(assigned(plain, at(0)) == of_5s({0}));
  CHECK(assigned(plain, at(4999)) == of_5s({0}));
  CHECK(assigned(plain, at(5000)) == of_5s({5000}));
  const auto later = tumbling_processing_time(5s, 100ms);
  CHECK(at_clock(later, 100) == of_5s({100}));
  CHECK(at_clock(later, 5099) == of_5s({100}));
  CHECK(at_clock(later, 5100) == of_5s({5100}));
  const auto earlier = tumbling_processing_time(5s, -100ms);
  CHECK(at_clock(earlier, 0) == of_5s({-100}));
  CHECK(at_clock(earlier, 4899) == of_5s({-100}));
  CHECK(at_clock(earlier, 4900) == of_5s({4900}));
}

TEST_CASE("sliding windows come with the latest start first", "[sliding_windows]") {
  const auto plain = sliding_event_time(5s, 1s);
  CHECK(assigned(plain, at(0)) == of_5s({0, -1000, -2000, -3000, -4000}));
  CHECK(assigned(plain, at(4999)) == of_5s({4000, 3000, 2000, 1000, 0}));
  CHECK(assigned(plain, at(5000)) == of_5s({5000, 4000, 3000, 2000, 1000}));
  const auto later = sliding_event_time(5s, 1s, 100ms);
  CHECK(assigned(later, at(100)) == of_5s({100, -900, -1900, -2900, -3900}));
  CHECK(assigned(later, at(5099)) == of_5s({4100, 3100, 2100, 1100, 100}));
  CHECK(assigned(later, at(5100)) == of_5s({5100, 4100, 3100, 2100, 1100}));
  const auto earlier = sliding_processing_time(5s, 1s, -100ms);
  CHECK(at_clock(earlier, 0) == of_5s({-100, -1100, -2100, -3100, -4100}));
  CHECK(at_clock(earlier, 4899) == of_5s({3900, 2900, 1900, 900, -100}));
  CHECK(at_clock(earlier, 4900) == of_5s({4900, 3900, 2900, 1900, 900}));
  const auto half = sliding_processing_time(5s, 1s, 500ms);
  CHECK(at_clock(half, 100) == of_5s({-500, -1500, -2500, -3500, -4500}));
  CHECK(at_clock(half, 5499) == of_5s({4500, 3500, 2500, 1500, 500}));
}

TEST_CASE("C002: sliding windows before 1970 hold their records", "[sliding_windows]") {
  CHECK(assigned(sliding_event_time(10ms, 5ms), at(-13)) ==
        windows{window(-15, -5), window(-20, -10)});
}

TEST_CASE("C006: a record is in all sliding windows whose size is no multiple of the slide",
          "[sliding_windows]") {
  const auto every_3 = sliding_event_time(10ms, 3ms);
  CHECK(assigned(every_3, at(9)) ==
        windows{window(9, 19), window(6, 16), window(3, 13), window(0, 10)});
  const windows last{window(9, 19), window(6, 16), window(3, 13)};
  CHECK(assigned(every_3, at(10)) == last);
  CHECK(assigned(every_3, at(11)) == last);
}

TEST_CASE("C008: of two sliding windows the later one is assigned first", "[sliding_windows]") {
  CHECK(assigned(sliding_event_time(10ms, 5ms), at(12)) == windows{window(10, 20), window(5, 15)});
}

TEST_CASE("records between sliding windows that do not meet are in none, and that is told",
          "[sliding_windows]") {
  const auto apart = sliding_event_time(2ms, 5ms);
  CHECK(wrong(apart) == "");
  CHECK(assigned(apart, at(1)) == windows{window(0, 2)});
  CHECK(assigned(apart, at(2)) == windows{});
  CHECK(assigned(apart, at(-1)) == windows{});
  CHECK(contains(apart.warning(), "sliding windows of 2 ms every 5 ms leave out the records"));
  CHECK(sliding_event_time(5ms, 5ms).warning() == "");
}

TEST_CASE("a session begins with its record and lasts for the gap", "[session_windows]") {
  const auto of_time = session_event_time(5s);
  CHECK(assigned(of_time, at(0)) == windows{window(0, 5000)});
  CHECK(assigned(of_time, at(4999)) == windows{window(4999, 9999)});
  CHECK(at_clock(session_processing_time(5s), -3) == windows{window(-3, 4997)});
}

TEST_CASE("a session's gap may be given by its record", "[session_windows]") {
  const auto of_time = dynamic_session_event_time(&with_gap::gap_of);
  CHECK(assigned(of_time, at(10), {0}, with_gap{3000}) == windows{window(10, 3010)});
  const auto of_clock = dynamic_session_processing_time([](int gap) { return duration{gap}; });
  CHECK(assigned(of_clock, at(5), {7}, 2000) == windows{window(7, 2007)});
}

TEST_CASE("a gap that is not more than 0 is an error of its record", "[session_windows]") {
  const int gap = GENERATE(0, -3);
  auto of_time = dynamic_session_event_time(&with_gap::gap_of);
  bool called = false;
  const auto done =
      of_time.assign(with_gap{gap}, at(1), {0}, [&](const time_window&) { called = true; });
  REQUIRE_FALSE(done.ok());
  CHECK(done.failure().code() == errc::invalid_argument);
  CHECK(contains(done.error_text(),
                 "the session gap of this record is " + std::to_string(gap) + " ms"));
  CHECK_FALSE(called);
}

TEST_CASE("there is one global window, whatever the time", "[global_windows]") {
  const std::vector<global_window> one{{}};
  CHECK(assigned(global_windows(), at(0)) == one);
  CHECK(assigned(global_windows(), event_time::min()) == one);
  CHECK(assigned(global_windows().with_end_of_stream_trigger(), event_time::max()) == one);
  CHECK(global_window::max_time() == event_time::max());
  CHECK_FALSE(global_window{} < global_window{});
}

TEST_CASE("assigners say by what time they go and whether their windows merge", "[assigners]") {
  using tumbling = decltype(tumbling_event_time(1s));
  using by_clock = decltype(tumbling_processing_time(1s));
  CHECK(tumbling::is_event_time);
  CHECK_FALSE(by_clock::is_event_time);
  CHECK_FALSE(tumbling::merging);
  CHECK(decltype(sliding_event_time(1s, 1s))::is_event_time);
  CHECK_FALSE(decltype(sliding_processing_time(1s, 1s))::is_event_time);
  CHECK(decltype(session_event_time(1s))::is_event_time);
  CHECK(decltype(session_event_time(1s))::merging);
  CHECK_FALSE(decltype(session_processing_time(1s))::is_event_time);
  CHECK(decltype(session_processing_time(1s))::merging);
  CHECK_FALSE(decltype(global_windows())::is_event_time);
  CHECK_FALSE(decltype(global_windows())::merging);
  CHECK(std::is_same_v<time_trigger<timer_domain::event>, event_time_trigger>);
  CHECK(std::is_same_v<time_trigger<timer_domain::processing>, processing_time_trigger>);
}

TEST_CASE("C003: sizes, slides, offsets and gaps that make no windows are refused", "[assigners]") {
  CHECK(wrong(tumbling_processing_time(5s, 4999ms)) == "");
  CHECK(contains(wrong(tumbling_processing_time(5s, 5s)), "tumbling windows of 5000 ms with"));
  CHECK(contains(wrong(tumbling_processing_time(-1s)), "the size must be more than 0"));
  CHECK(wrong(sliding_event_time(5s, 1s, -999ms)) == "");
  CHECK(contains(wrong(sliding_event_time(0s, 1s)),
                 "sliding windows of 0 ms every 1000 ms: the size must be more than 0"));
  CHECK(contains(wrong(sliding_event_time(5s, 0s)), "the slide must be more than 0"));
  CHECK(contains(wrong(sliding_event_time(5s, -1s)), "the slide must be more than 0"));
  for (const duration offset : {1000ms, -1000ms, 4000ms, duration::min(), duration::max()})
    CHECK(contains(wrong(sliding_processing_time(5s, 1s, offset)),
                   "the offset must be less than the slide"));
  for (const auto gap : {0ms, -1ms})
    CHECK(contains(wrong(session_event_time(gap)), "the gap must be more than 0"));
  CHECK(wrong(session_processing_time(1ms)) == "");
}

TEST_CASE("a record may be in 10,000,000 sliding windows and in no more", "[sliding_windows]") {
  CHECK(wrong(sliding_event_time(10'000'000ms, 1ms)) == "");
  CHECK(wrong(sliding_event_time(20'000'000ms, 2ms)) == "");
  CHECK(contains(wrong(sliding_event_time(10'000'001ms, 1ms)),
                 "a record would be in 10000001 windows, and may be in 10000000"));
  CHECK(contains(wrong(sliding_event_time(20'000'001ms, 2ms)), "10000001 windows"));
  CHECK(contains(wrong(sliding_processing_time(duration::max(), 1ms)), "take a longer slide"));
}

TEST_CASE("windows of all kinds are cut off at the ends of time", "[assigners]") {
  const auto sliding = sliding_event_time(10ms, 5ms);
  CHECK(assigned(sliding, at(lowest + 1)) ==
        windows{window(lowest, lowest + 8), window(lowest, lowest + 3)});
  CHECK(assigned(sliding, at(highest)) ==
        windows{window(highest - 2, highest), window(highest - 7, highest)});
  CHECK(assigned(session_event_time(10ms), at(highest - 3)) ==
        windows{window(highest - 3, highest)});
  CHECK(assigned(session_event_time(duration::max()), at(5)) == windows{window(5, highest)});
  const auto endless = sliding_event_time(duration::max(), duration::max());
  CHECK(assigned(endless, at(5)) == windows{window(0, highest)});
  CHECK(assigned(endless, at(-5)) == windows{window(-highest, 0)});
}

}  // namespace weir::testing
