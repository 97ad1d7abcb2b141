// SPDX-License-Identifier: Apache-2.0
#include "weir/windowing/internal/yearly_switch.hpp"

#include <chrono>
#include <vector>

#include "weir/core/random.hpp"

#include "support/catch.hpp"

namespace weir::testing {
namespace {

using namespace weir::windowing::internal;

constexpr std::int64_t before = 2 * ms_per_hour;

/// A rule by which clocks are set on the first weekday from some day of a month on.
struct rule {
  std::int64_t month;
  std::int64_t first_day;  ///< [1, 22], so that all days are in the month
  std::int64_t weekday;
  std::int64_t ms_of_day;  ///< in (0, 24 h]

  clock_switch in(std::int64_t year) const {
    for (std::int64_t day = first_day;; ++day) {
      const std::int64_t days = days_of({year, month, day});
      if (weekday_of(days) == weekday) return {days * ms_per_day + ms_of_day - before, 0};
    }
  }
};

rule any_rule(random_generator& random) {
  const auto to = [&](std::uint64_t last) {
    return static_cast<std::int64_t>(random.below(last)) + 1;
  };
  return {to(12), to(22), to(7) - 1, to(static_cast<std::uint64_t>(ms_per_day))};
}

std::vector<clock_switch> years_of(const rule& r, std::int64_t first, std::int64_t count) {
  std::vector<clock_switch> all;
  for (std::int64_t y = first; y < first + count; ++y) all.push_back(r.in(y));
  return all;
}

bool agree(const yearly_switch& found, const rule& r) {
  for (std::int64_t y = 1600; y < 2400; ++y)
    if (found.in(y).at != r.in(y).at || found.in(y).offset != 0) return false;
  return true;
}

}  // namespace

TEST_CASE("dates are those of the standard library", "[civil_date]") {
  using std::chrono::days;
  using std::chrono::sys_days;
  using std::chrono::year_month_day;
  for (std::int64_t n = -800'000; n < 800'000; n += 13) {
    const sys_days day{days{n}};
    const year_month_day expected{day};
    const civil_date date = date_of(n);
    CAPTURE(n);
    REQUIRE(date.year == int{expected.year()});
    REQUIRE(date.month == unsigned{expected.month()});
    REQUIRE(date.day == unsigned{expected.day()});
    REQUIRE(days_of(date) == n);
    REQUIRE(weekday_of(n) == std::chrono::weekday{day}.c_encoding());
  }
  CHECK(days_of({2025, 13, 1}) == days_of({2026, 1, 1}));
  CHECK(days_of({2026, 0, 1}) == days_of({2025, 12, 1}));
}

TEST_CASE("a yearly rule is found in eleven years, and in fewer it is right or not found",
          "[yearly_switch]") {
  random_generator random{31};
  int found_in_fewer = 0;
  int not_found = 0;
  for (int i = 0; i < 400; ++i) {
    const rule r = any_rule(random);
    const auto first = static_cast<std::int64_t>(random.below(80)) + 1910;
    CAPTURE(r.month, r.first_day, r.weekday, r.ms_of_day, first);
    const auto enough = yearly_switch::of(years_of(r, first, 11), before);
    REQUIRE(enough);
    REQUIRE(agree(*enough, r));
    const auto fewer = yearly_switch::of(years_of(r, first, 7), before);
    ++(fewer ? found_in_fewer : not_found);
    if (fewer) REQUIRE(agree(*fewer, r));
  }
  CHECK(found_in_fewer > 10);
  CHECK(not_found > 10);
}

TEST_CASE("switches that follow no rule have none", "[yearly_switch]") {
  const rule r{3, 8, 0, 2 * ms_per_hour};
  const auto good = years_of(r, 2026, 12);
  CHECK(yearly_switch::of(good, before));
  CHECK_FALSE(yearly_switch::of({}, before));
  const auto with = [&](std::size_t which, std::int64_t later_ms, std::int64_t offset) {
    auto changed = good;
    changed[which].at += later_ms;
    changed[which].offset += offset;
    return yearly_switch::of(changed, before);
  };
  CHECK_FALSE(with(3, ms_per_hour, 0));
  CHECK_FALSE(with(4, ms_per_day, 0));
  CHECK_FALSE(with(0, -7 * ms_per_day, 0));
  CHECK_FALSE(with(11, 0, ms_per_hour));
  auto with_gap = good;
  with_gap.erase(with_gap.begin() + 5);
  CHECK_FALSE(yearly_switch::of(with_gap, before));
}

}  // namespace weir::testing
