// SPDX-License-Identifier: Apache-2.0
#include "weir/windowing/calendar.hpp"

#include <limits>
#include <string>
#include <vector>

#include "support/catch.hpp"
#include "windowing/assigned_windows.hpp"

namespace weir::testing {
namespace {

using windowing::calendar;
using windowing::make_calendar;

using windows = std::vector<time_window>;

constexpr std::int64_t minute = 60'000;
constexpr std::int64_t hour = 60 * minute;
constexpr std::int64_t day = 24 * hour;

/// Milliseconds since 1970-01-01 at a time of UTC.
std::int64_t utc(int year, unsigned month, unsigned of_month, std::int64_t since_midnight = 0) {
  const std::chrono::sys_days days{std::chrono::year{year} / month / of_month};
  return days.time_since_epoch().count() * day + since_midnight;
}

calendar make(calendar_unit unit, const std::string& zone,
              std::optional<std::chrono::weekday> week_start = std::nullopt) {
  auto made = make_calendar(unit, zone, week_start);
  INFO(made.error_text());
  REQUIRE(made.ok());
  return *std::move(made);
}

/// The windows from the one that holds `first` on.
windows following(const calendar& c, std::int64_t first, std::size_t count) {
  windows all{c.window_of(at(first))};
  while (all.size() < count) all.push_back(c.window_of(all.back().end));
  return all;
}

/// Windows between these times.
windows between(const std::vector<std::int64_t>& times) {
  windows all;
  for (std::size_t i = 1; i < times.size(); ++i) all.push_back(window(times[i - 1], times[i]));
  return all;
}

std::string refused(calendar_unit unit, const std::string& zone,
                    std::optional<std::chrono::weekday> week_start = std::nullopt) {
  return make_calendar(unit, zone, week_start).error_text();
}

}  // namespace

TEST_CASE("C027: an hour that clocks skip is no window, and one that they repeat is two",
          "[calendar]") {
  const auto hours = make(calendar_unit::hour, "America/New_York");
  CHECK(hours.window_of(at(1'772'951'400'000)) == window(1'772'949'600'000, 1'772'953'200'000));
  CHECK(hours.window_of(at(1'772'955'000'000)) == window(1'772'953'200'000, 1'772'956'800'000));
  CHECK(hours.window_of(at(1'793'511'000'000)) == window(1'793'509'200'000, 1'793'512'800'000));
  CHECK(hours.window_of(at(1'793'514'600'000)) == window(1'793'512'800'000, 1'793'516'400'000));
}

TEST_CASE("C027: a day may have 23 or 25 hours", "[calendar]") {
  const auto days = make(calendar_unit::day, "America/New_York");
  const auto spring = window(1'772'946'000'000, 1'773'028'800'000);
  CHECK(days.window_of(spring.start) == spring);
  CHECK(days.window_of({spring.end.ms - 1}) == spring);
  CHECK(days.window_of({spring.start.ms - 1}) == window(spring.start.ms - day, spring.start.ms));
  CHECK(days.window_of(spring.end) == window(spring.end.ms, spring.end.ms + day));
  const auto autumn = window(1'793'505'600'000, 1'793'595'600'000);
  CHECK(days.window_of(autumn.start) == autumn);
  CHECK(days.window_of({autumn.end.ms - 1}) == autumn);
  CHECK(days.window_of(autumn.end) == window(autumn.end.ms, autumn.end.ms + day));
}

TEST_CASE("a day whose midnight does not exist begins when the clocks are set past it",
          "[calendar]") {
  // 2018-11-04 in São Paulo began at 1:00.
  const auto start = utc(2018, 11, 4, 3 * hour);
  CHECK(following(make(calendar_unit::day, "America/Sao_Paulo"), start - 1, 3) ==
        between({start - day, start, start + 23 * hour, start + 47 * hour}));
  CHECK(following(make(calendar_unit::hour, "America/Sao_Paulo"), start - 1, 2) ==
        between({start - hour, start, start + hour}));
}

TEST_CASE("a day whose midnight comes twice begins with the first one", "[calendar]") {
  // 2026-10-25 on the Azores: at 1:00 clocks are set back to 0:00.
  const auto start = utc(2026, 10, 25);
  CHECK(following(make(calendar_unit::day, "Atlantic/Azores"), start - 1, 3) ==
        between({start - day, start, start + 25 * hour, start + 49 * hour}));
  CHECK(following(make(calendar_unit::hour, "Atlantic/Azores"), start, 3) ==
        between({start, start + hour, start + 2 * hour, start + 3 * hour}));
  // 2010-11-07 in St. John's: at 0:01 clocks were set back to 23:01 of the day before.
  const auto new_day = utc(2010, 11, 7, 2 * hour + 30 * minute);
  const auto days = make(calendar_unit::day, "America/St_Johns");
  CHECK(following(days, new_day - 1, 2) == between({new_day - day, new_day, new_day + 25 * hour}));
  CHECK(days.window_of(at(new_day + 30 * minute)).start == at(new_day));
  CHECK(following(make(calendar_unit::hour, "America/St_Johns"), new_day - 1, 4) ==
        between({new_day - hour, new_day, new_day + minute, new_day + hour, new_day + 2 * hour}));
}

TEST_CASE("clocks that are set by half an hour leave one hour of 30 minutes", "[calendar]") {
  const auto hours = make(calendar_unit::hour, "Australia/Lord_Howe");
  const auto days = make(calendar_unit::day, "Australia/Lord_Howe");
  // 2026-10-04: at 2:00 clocks are set to 2:30.
  const auto spring = utc(2026, 10, 3, 15 * hour + 30 * minute);
  CHECK(following(hours, spring - 1, 3) ==
        between({spring - hour, spring, spring + hour / 2, spring + 3 * hour / 2}));
  CHECK(days.window_of(at(spring)) == window(spring - 2 * hour, spring + 43 * hour / 2));
  // 2026-04-05: at 2:00 clocks are set to 1:30.
  const auto autumn = utc(2026, 4, 4, 15 * hour);
  CHECK(following(hours, autumn - 1, 3) ==
        between({autumn - hour, autumn, autumn + hour / 2, autumn + 3 * hour / 2}));
  CHECK(days.window_of(at(autumn)) == window(autumn - 2 * hour, autumn + 45 * hour / 2));
}

TEST_CASE("hours and days are those of the place, where it is not whole hours from UTC",
          "[calendar]") {
  CHECK(make(calendar_unit::hour, "Asia/Kolkata").window_of(at(0)) == window(-hour / 2, hour / 2));
  CHECK(make(calendar_unit::day, "Asia/Kolkata").window_of(at(0)) ==
        window(-11 * hour / 2, 37 * hour / 2));
  CHECK(make(calendar_unit::hour, "Asia/Kathmandu").window_of(at(utc(2026, 1, 1))) ==
        window(utc(2026, 1, 1, -45 * minute), utc(2026, 1, 1, 15 * minute)));
}

TEST_CASE("a day that a place has left out is no window", "[calendar]") {
  // Samoa crossed the date line after 2011-12-29.
  const auto line = utc(2011, 12, 30, 10 * hour);
  CHECK(following(make(calendar_unit::day, "Pacific/Apia"), line - 1, 2) ==
        between({line - day, line, line + day}));
  // The Friday with which a week was to begin.
  CHECK(following(make(calendar_unit::week, "Pacific/Apia", std::chrono::Friday), line - 1, 2) ==
        between({line - 7 * day, line, line + 6 * day}));
  CHECK(make(calendar_unit::week, "Pacific/Apia").window_of(at(line)) ==
        window(line - 4 * day, line + 2 * day));
}

TEST_CASE("weeks start on Monday or on the day that is given", "[calendar]") {
  const auto thursday = utc(2026, 1, 1);
  const auto start_of = [&](std::optional<std::chrono::weekday> first, std::int64_t t) {
    const auto found = make(calendar_unit::week, "Etc/UTC", first).window_of(at(t));
    CHECK(found.end.ms - found.start.ms == 7 * day);
    return found.start.ms;
  };
  CHECK(start_of(std::nullopt, thursday) == utc(2025, 12, 29));
  CHECK(start_of(std::chrono::Monday, utc(2025, 12, 29)) == utc(2025, 12, 29));
  CHECK(start_of(std::chrono::Monday, utc(2025, 12, 29) - 1) == utc(2025, 12, 22));
  CHECK(start_of(std::chrono::Sunday, thursday) == utc(2025, 12, 28));
  CHECK(start_of(std::chrono::Thursday, thursday) == thursday);
  CHECK(start_of(std::chrono::Friday, thursday) == utc(2025, 12, 26));
  CHECK(start_of(std::chrono::Saturday, utc(1969, 12, 31)) == utc(1969, 12, 27));
}

TEST_CASE("months have their days, and those of a place an hour more or less", "[calendar]") {
  const auto in_utc = make(calendar_unit::month, "Etc/UTC");
  CHECK(in_utc.window_of(at(utc(2024, 2, 29))) == window(utc(2024, 2, 1), utc(2024, 3, 1)));
  CHECK(in_utc.window_of(at(utc(2100, 2, 28, 5))) == window(utc(2100, 2, 1), utc(2100, 3, 1)));
  CHECK(in_utc.window_of(at(-1)) == window(utc(1969, 12, 1), 0));
  CHECK(in_utc.window_of(at(utc(2000, 2, 29))) == window(utc(2000, 2, 1), utc(2000, 3, 1)));
  CHECK(following(make(calendar_unit::month, "Europe/Berlin"), utc(2026, 3, 15), 2) ==
        between({utc(2026, 2, 28, 23 * hour), utc(2026, 3, 31, 22 * hour),
                 utc(2026, 4, 30, 22 * hour)}));
}

TEST_CASE("calendar windows go on far beyond the years of any calendar library", "[calendar]") {
  // 400 Gregorian years are 146,097 days.
  constexpr std::int64_t later = 300 * 146'097 * day;
  const auto months = make(calendar_unit::month, "Europe/Berlin");
  const auto now = months.window_of(at(utc(2050, 3, 15)));
  CHECK(months.window_of(at(utc(2050, 3, 15) + later)) ==
        window(now.start.ms + later, now.end.ms + later));
  constexpr std::int64_t horizon = std::int64_t{1} << 62;
  for (const auto unit :
       {calendar_unit::hour, calendar_unit::day, calendar_unit::week, calendar_unit::month}) {
    const auto c = make(unit, "America/New_York");
    CHECK(c.window_of(event_time::max()) == time_window{at(horizon), event_time::max()});
    CHECK(c.window_of(at(horizon)) == time_window{at(horizon), event_time::max()});
    CHECK(c.window_of(at(horizon - 1)).end == at(horizon));
    CHECK(c.window_of(at(-horizon)).start == at(-horizon));
    CHECK(c.window_of(at(-horizon - 1)) == time_window{event_time::min(), at(-horizon)});
    CHECK(c.window_of({event_time::min().ms + 1}).start == event_time::min());
  }
}

TEST_CASE("calendars of no zone and with a weekday of no use are refused", "[calendar]") {
  CHECK(contains(refused(calendar_unit::day, "Europe/Berlim"),
                 "calendar windows of days: time zone \"Europe/Berlim\" cannot be loaded"));
  CHECK(refused(calendar_unit::month, "Europe/Berlin", std::chrono::Monday) ==
        "calendar windows of months with a weekday: only weeks start on one, leave it out");
  CHECK(refused(calendar_unit::week, "Europe/Berlin", std::chrono::weekday{9}) ==
        "calendar windows of weeks that start on weekday 9: a weekday is 0, Sunday, to 6, "
        "Saturday");
  CHECK(refused(calendar_unit::week, "Europe/Berlin", std::chrono::Saturday) == "");
}

}  // namespace weir::testing
