// SPDX-License-Identifier: Apache-2.0
#include "weir/windowing/sliding_panes.hpp"

#include <limits>
#include <vector>

#include "weir/core/random.hpp"
#include "weir/windowing/sliding_windows.hpp"

#include "support/catch.hpp"
#include "windowing/assigned_windows.hpp"

namespace weir::windowing {
namespace {

using testing::assigned;

/// The windows that a time belongs to, the latest first.
std::vector<time_window> windows_of(const sliding_panes& cuts, event_time t) {
  std::vector<time_window> all;
  const auto p = cuts.place_of(t);
  for (auto n = p.last; n >= p.first; --n) all.push_back(cuts.window(n));
  return all;
}

}  // namespace

TEST_CASE("the windows of a pane are those that its times are assigned to", "[sliding_panes]") {
  constexpr auto highest = std::numeric_limits<std::int64_t>::max();
  constexpr auto lowest = std::numeric_limits<std::int64_t>::min();
  random_generator random{7};
  const auto pick = [&](std::int64_t from, std::int64_t to) {
    return from +
           static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(to - from + 1)));
  };
  for (int i = 0; i < 2000; ++i) {
    const std::int64_t near = pick(0, 2);
    const duration size{pick(1, 40)}, slide{pick(near == 2 ? 2 : 1, 40)};
    const duration offset{pick(1 - slide.count(), slide.count() - 1)};
    const event_time t = at(near == 0   ? pick(-500, 500)
                            : near == 1 ? highest - 1 - pick(0, 100)
                                        : lowest + 1 + pick(0, 100));
    CAPTURE(size.count(), slide.count(), offset.count(), t.ms);
    const sliding_panes cuts{size, slide, offset};
    const auto windows = windows_of(cuts, t);
    REQUIRE(windows == assigned(sliding_event_time(size, slide, offset), t));
    const auto pane = cuts.place_of(t).pane;
    REQUIRE((pane.start <= t && t < pane.end));
    for (const auto& w : windows) REQUIRE((w.start <= pane.start && pane.end <= w.end));
    // And nothing is cut that need not be.
    if (near == 0) {
      CHECK(windows_of(cuts, pane.max_time()) == windows);
      CHECK(windows_of(cuts, pane.end) != windows);
    }
  }
}

TEST_CASE("there is one pane a slide if the size is a multiple of it, else two",
          "[sliding_panes]") {
  const auto panes = [](duration size, duration slide) {
    std::vector<time_window> all;
    for (std::int64_t t = 0; t < 2 * slide.count(); ++t) {
      const auto pane = sliding_panes{size, slide, duration{0}}.place_of(at(t)).pane;
      if (all.empty() || all.back() != pane) all.push_back(pane);
    }
    return all;
  };
  using windows = std::vector<time_window>;
  CHECK(panes(duration{30}, duration{10}) == windows{{at(0), at(10)}, {at(10), at(20)}});
  CHECK(panes(duration{10'007}, duration{10'000}) == windows{{at(0), at(7)},
                                                             {at(7), at(10'000)},
                                                             {at(10'000), at(10'007)},
                                                             {at(10'007), at(20'000)}});
}

TEST_CASE("the first window after a watermark is the first whose last time is later",
          "[sliding_panes]") {
  const sliding_panes cuts{duration{10}, duration{3}, duration{1}};
  for (std::int64_t t = -40; t < 40; ++t) {
    const auto first = cuts.first_after(at(t));
    CHECK(cuts.window(first).max_time() > at(t));
    CHECK(cuts.window(first - 1).max_time() <= at(t));
  }
  constexpr auto none = std::numeric_limits<std::int64_t>::max();
  CHECK(cuts.first_after(event_time::max()) == none);
  CHECK(cuts.first_after(at(none - 1)) == none);
  CHECK(cuts.first_after(at(none - 2)) < none);
}

}  // namespace weir::windowing
