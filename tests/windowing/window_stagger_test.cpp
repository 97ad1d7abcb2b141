// SPDX-License-Identifier: Apache-2.0
#include "weir/windowing/window_stagger.hpp"

#include <chrono>
#include <set>

#include "weir/testing/manual_clock.hpp"

#include "support/catch.hpp"
#include "windowing/assigned_windows.hpp"
#include "windowing/readings.hpp"

namespace weir::testing {
namespace {

using namespace std::chrono_literals;
using windowing::stagger_offset;

using windows = std::vector<time_window>;

/// Where the windows of a subtask start that gets its first record at that time.
event_time start_of(window_stagger stagger, std::uint32_t subtask, clock_time now) {
  const manual_clock clock{now};
  dataflow::operator_environment environment;
  environment.uid = "windows";
  environment.subtask = {subtask};
  environment.time = &clock;
  auto assigner = tumbling_event_time(1h, 0ms, stagger);
  windowing::start_assigner(assigner, environment);
  return assigner.window_of(at(0)).start;
}

}  // namespace

TEST_CASE("tumbling windows that are not aligned are moved once, by the first record",
          "[window_stagger]") {
  random_generator random{7};
  auto natural = tumbling_event_time(5s, 0ms, window_stagger::natural);
  REQUIRE(natural.needs_start());
  natural.start({150}, random);
  CHECK_FALSE(natural.needs_start());
  CHECK(assigned(natural, at(150)) == windows{window(150, 5150)});
  CHECK(assigned(natural, at(5099)) == windows{window(150, 5150)});
  CHECK(assigned(natural, at(5300)) == windows{window(5150, 10150)});
  natural.start({3000}, random);
  CHECK(assigned(natural, at(150)) == windows{window(150, 5150)});

  auto with_offset = tumbling_processing_time(5s, -4900ms, window_stagger::natural);
  with_offset.start({5500}, random);
  CHECK(assigned(with_offset, at(0), {600}) == windows{window(600, 5600)});
  CHECK_FALSE(tumbling_event_time(5s).needs_start());
}

TEST_CASE("the stagger offset is below the size of the windows", "[window_stagger]") {
  random_generator random{1};
  CHECK(stagger_offset(window_stagger::aligned, 5s, {500}, random) == 0ms);
  CHECK(stagger_offset(window_stagger::natural, 5s, {5500}, random) == 500ms);
  CHECK(stagger_offset(window_stagger::natural, 5s, {-1}, random) == 4999ms);
  std::set<duration> seen;
  for (int i = 0; i < 300; ++i)
    seen.insert(stagger_offset(window_stagger::random, 7ms, {500}, random));
  CHECK(seen == std::set<duration>{0ms, 1ms, 2ms, 3ms, 4ms, 5ms, 6ms});
}

TEST_CASE("random windows of the subtasks of an operator start at different times",
          "[window_stagger]") {
  std::set<event_time> starts;
  for (std::uint32_t i = 0; i < 50; ++i)
    starts.insert(start_of(window_stagger::random, i, {1'000'000}));
  CHECK(starts.size() > 40);
  CHECK(start_of(window_stagger::natural, 3, {1'000'000}) == at(1'000'000 - 3'600'000));
  CHECK(start_of(window_stagger::aligned, 3, {1'000'000}) == at(0));
}

TEST_CASE("natural windows of an operator start with its first record", "[window_stagger]") {
  CHECK(check<window_row>(
            sums(tumbling_event_time(5s, 0ms, window_stagger::natural)),
            {advance_clock(150ms), one(150), one(5099), one(5300), watermark(at(20'000)),
             expect(sum("a", 150, 5150, 2), sum("a", 5150, 10'150, 1))})
            .error_text() == "");
}

}  // namespace weir::testing
