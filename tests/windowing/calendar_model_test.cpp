// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <vector>

#include "weir/core/random.hpp"
#include "weir/windowing/calendar_windows.hpp"

#include "support/catch.hpp"
#include "windowing/assigned_windows.hpp"
#include "windowing/system_zone.hpp"

namespace weir::testing {
namespace {

/// What clocks show at one moment, in the numbers that calendar windows go by.
struct shown {
  std::int64_t offset;
  std::int64_t day;    ///< since 1970
  std::int64_t month;  ///< since 1900
  bool full_hour;
};

shown read(const system_zone& zone, std::int64_t seconds) {
  std::tm now = zone.local(seconds);
  shown s{now.tm_gmtoff, 0, now.tm_year * 12 + now.tm_mon, now.tm_min == 0 && now.tm_sec == 0};
  now.tm_hour = now.tm_min = now.tm_sec = 0;
  s.day = timegm(&now) / 86'400;
  return s;
}

constexpr std::array units{calendar_unit::hour, calendar_unit::day, calendar_unit::week,
                           calendar_unit::month};

/// Which of the days, weeks or months since some first one it is.
std::int64_t number_of(const shown& s, calendar_unit unit, std::int64_t week_start) {
  if (unit == calendar_unit::day) return s.day;
  if (unit == calendar_unit::month) return s.month;
  return (s.day + 7'000'000 + 4 - week_start) / 7;  // 1970 began on a Thursday
}

struct stretch {
  const char* zone;
  int first_year;
  int years;
  int step_minutes;  ///< so that no moment at which a window begins is left out
};

struct walk {
  std::array<std::vector<std::int64_t>, units.size()> begins;  ///< of the windows of each unit
  std::vector<std::int64_t> sets;                              ///< when clocks are set
};

/// The moments at which windows begin, found by looking at the clocks every
/// few minutes: a day, a week or a month when they first show a later one than ever before, an hour
/// when it is full, and when they are set.
walk walked(const stretch& s, std::int64_t week_start) {
  const system_zone zone{s.zone};
  walk found;
  std::array<std::int64_t, units.size()> furthest{};
  std::tm first{};
  first.tm_year = s.first_year - 1900;
  first.tm_mday = 1;
  const std::int64_t from = timegm(&first);
  const std::int64_t until = from + s.years * std::int64_t{366} * 86'400;
  const std::int64_t step = s.step_minutes * 60;
  shown before = read(zone, from - step);
  for (std::int64_t t = from - step; t < until; t += step) {
    const shown now = read(zone, t);
    if (now.offset != before.offset) found.sets.push_back(t * 1000);
    if (now.full_hour || now.offset != before.offset) found.begins[0].push_back(t * 1000);
    for (std::size_t i = 1; i < units.size(); ++i) {
      const auto number = number_of(now, units[i], week_start);
      if (furthest[i] != 0 && number > furthest[i]) found.begins[i].push_back(t * 1000);
      furthest[i] = std::max(furthest[i], number);
    }
    before = now;
  }
  return found;
}

/// Empty, or how the window of `t` differs from the one between two of `begins`.
template <class Assigner>
std::string difference(Assigner& assigner, const std::vector<std::int64_t>& begins,
                       std::int64_t t) {
  const auto end = std::upper_bound(begins.begin(), begins.end(), t);
  if (end == begins.begin() || end == begins.end()) return "";
  const auto got = assigner.window_of(at(t));
  if (got == window(*std::prev(end), *end)) return "";
  return std::to_string(t) + " is in [" + std::to_string(got.start.ms) + ", " +
         std::to_string(got.end.ms) + "), not in [" + std::to_string(*std::prev(end)) + ", " +
         std::to_string(*end) + ")";
}

/// The moments around which windows may be wrong, and some others.
std::vector<std::int64_t> probes(const walk& walked, const std::vector<std::int64_t>& begins,
                                 random_generator& random) {
  std::vector<std::int64_t> all;
  for (const auto begin : begins) {
    all.insert(all.end(), {begin - 1, begin});
    const auto range = static_cast<std::uint64_t>(begins.back() - begins.front());
    all.push_back(begins.front() + static_cast<std::int64_t>(random.below(range)));
  }
  for (const auto set : walked.sets)
    for (std::int64_t minutes = -180; minutes <= 180; minutes += 10)
      all.insert(all.end(), {set + minutes * 60'000 - 1, set + minutes * 60'000});
  return all;
}

void compare(const stretch& s) {
  const auto week_start = static_cast<unsigned>(s.first_year) % 7;
  const walk found = walked(s, week_start);
  random_generator random{static_cast<std::uint64_t>(s.first_year)};
  for (std::size_t i = 0; i < units.size(); ++i) {
    CAPTURE(s.zone, s.first_year, i);
    std::optional<std::chrono::weekday> first;
    if (units[i] == calendar_unit::week) first.emplace(week_start);
    REQUIRE(found.begins[i].size() > 10);
    auto of_calendar = windowing::make_calendar(units[i], s.zone, first);
    REQUIRE(of_calendar.ok());
    auto assigner = calendar_event_time(units[i], s.zone, first);  // remembers windows
    std::string differs;
    for (const auto t : probes(found, found.begins[i], random)) {
      if (differs.empty()) differs = difference(*of_calendar, found.begins[i], t);
      if (differs.empty()) differs = difference(assigner, found.begins[i], t);
    }
    REQUIRE(differs == "");
  }
}

}  // namespace

TEST_CASE("calendar windows begin where a walk along the clocks says, in all zones", "[calendar]") {
  for (const char* zone : peculiar_zones) {
    compare({zone, 2025, 2, 15});
    compare({zone, 2043, 1, 15});
  }
}

TEST_CASE("calendar windows begin where a walk along the clocks says, when zones changed",
          "[calendar]") {
  compare({"America/St_Johns", 2010, 1, 1});
  compare({"America/Sao_Paulo", 2018, 1, 15});
  compare({"America/Caracas", 2007, 1, 15});
  compare({"America/Caracas", 2016, 1, 15});
  compare({"Asia/Pyongyang", 2015, 1, 15});
  compare({"Asia/Pyongyang", 2018, 1, 15});
  compare({"Asia/Gaza", 2011, 1, 1});
  compare({"Asia/Manila", 1978, 1, 15});
  compare({"Africa/Casablanca", 2018, 1, 15});
  compare({"Antarctica/Casey", 2010, 1, 15});
  compare({"Antarctica/Casey", 2020, 1, 1});
  compare({"Australia/Lord_Howe", 1985, 1, 15});
  compare({"Europe/Moscow", 2011, 1, 15});
  compare({"Europe/Moscow", 2014, 1, 15});
  compare({"Europe/Lisbon", 1992, 1, 15});
  compare({"Pacific/Apia", 2011, 1, 15});
  compare({"Pacific/Kwajalein", 1993, 1, 15});
  compare({"Pacific/Kiritimati", 1994, 2, 15});
}

}  // namespace weir::testing
