// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdlib>

#include "weir/windowing/sliding_windows.hpp"
#include "weir/windowing/tumbling_windows.hpp"

#include "support/catch.hpp"
#include "windowing/assigned_windows.hpp"

namespace weir::testing {
namespace {

using namespace weir::windowing;

/// In [−bound, bound], of all orders of magnitude.
std::int64_t any(random_generator& random, std::int64_t bound) {
  const auto below = std::uint64_t{1} << random.below(62);
  const auto number = static_cast<std::int64_t>(random.below(below + 1)) % (bound + 1);
  return random.chance(1, 2) ? number : -number;
}

/// The windows that hold `t`, found by trying all of a slide's multiples around it.
std::vector<time_window> tried(std::int64_t t, std::int64_t size, std::int64_t slide,
                               std::int64_t offset) {
  std::vector<time_window> found;
  const std::int64_t middle = (t - offset) / slide;
  const std::int64_t around = size / slide + 3;
  for (std::int64_t n = middle + around; n >= middle - around; --n) {
    const time_window w = window(n * slide + offset, n * slide + offset + size);
    if (w.start <= at(t) && at(t) < w.end) found.push_back(w);
  }
  return found;
}

}  // namespace

TEST_CASE("each time is in one tumbling window, at a multiple of the size from the offset",
          "[tumbling_windows]") {
  random_generator random{11};
  for (int i = 0; i < 20'000; ++i) {
    const std::int64_t size = std::abs(any(random, std::int64_t{1} << 40)) + 1;
    const std::int64_t offset = any(random, size - 1);
    const std::int64_t t = any(random, std::int64_t{1} << 60);
    const std::int64_t now = std::abs(any(random, std::int64_t{1} << 60));
    CAPTURE(size, offset, t, now);
    auto assigner = tumbling_event_time(
        duration{size}, duration{offset},
        random.chance(1, 2) ? window_stagger::aligned : window_stagger::natural);
    const std::int64_t moved = assigner.needs_start() ? now % size : 0;
    if (assigner.needs_start()) assigner.start({now}, random);
    REQUIRE(assigner.validate().ok());
    const time_window w = assigner.window_of(at(t));
    REQUIRE(w.start <= at(t));
    REQUIRE(at(t) < w.end);
    REQUIRE(w.end.ms - w.start.ms == size);
    REQUIRE((w.start.ms - offset - moved) % size == 0);
    REQUIRE(assigned(assigner, at(t)) == std::vector{w});
  }
}

TEST_CASE("a record is in those sliding windows that hold its time, whatever size and slide",
          "[sliding_windows]") {
  random_generator random{12};
  for (int i = 0; i < 5'000; ++i) {
    const std::int64_t slide = std::abs(any(random, std::int64_t{1} << 30)) + 1;
    const std::int64_t size =
        static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(8 * slide))) + 1;
    const std::int64_t offset = any(random, slide - 1);
    const std::int64_t t = any(random, std::int64_t{1} << 50);
    CAPTURE(size, slide, offset, t);
    const auto by_time = sliding_event_time(duration{size}, duration{slide}, duration{offset});
    REQUIRE(by_time.validate().ok());
    REQUIRE(assigned(by_time, at(t)) == tried(t, size, slide, offset));
    const auto by_clock =
        sliding_processing_time(duration{size}, duration{slide}, duration{offset});
    REQUIRE(assigned(by_clock, at(-t), {t}) == tried(t, size, slide, offset));
  }
}

}  // namespace weir::testing
