// SPDX-License-Identifier: Apache-2.0
#include "weir/windowing/calendar.hpp"

#include <algorithm>
#include <utility>

#include "weir/windowing/internal/civil_date.hpp"

namespace weir::windowing {
namespace {

using internal::floor_div;
using internal::ms_per_day;
using internal::ms_per_hour;

constexpr event_time earliest{-(std::int64_t{1} << 62)};
constexpr event_time latest{std::int64_t{1} << 62};

std::int64_t days_of(local_time t) { return floor_div(t.time_since_epoch().count(), ms_per_day); }

local_time midnight(std::int64_t days) { return local_time{duration{days * ms_per_day}}; }

std::string plural_of(calendar_unit unit) {
  switch (unit) {
    case calendar_unit::hour: return "hours";
    case calendar_unit::day: return "days";
    case calendar_unit::week: return "weeks";
    case calendar_unit::month: return "months";
  }
  return "unknown units";
}

/// The hour that `t` is in, which ends where the clocks are set.
time_window hour_of(event_time t, const time_zone::span& in) {
  const auto since = floor_mod(in.local(t).time_since_epoch().count(), ms_per_hour);
  return {std::max(in.begin, t + duration{-since}),
          std::min(in.end, t + duration{ms_per_hour - since})};
}

/// What is neither before `earliest` nor after `latest`.
time_window clip(const time_window& window) {
  return {std::max(window.start, earliest), std::min(window.end, latest)};
}

}  // namespace

/// When the unit that `t` is in starts, if clocks are not set. @pre unit_ is not hour
local_time calendar::unit_of(local_time t) const {
  const std::int64_t days = days_of(t);
  if (unit_ == calendar_unit::day) return midnight(days);
  if (unit_ == calendar_unit::week) {
    const auto first = static_cast<std::int64_t>(week_start_.c_encoding());
    return midnight(days - floor_mod(internal::weekday_of(days) - first, 7));
  }
  return midnight(days - (internal::date_of(days).day - 1));
}

/// The start of the unit after the one that starts at `start`. @pre as above
local_time calendar::next_unit(local_time start) const {
  const std::int64_t days = days_of(start);
  if (unit_ == calendar_unit::day) return midnight(days + 1);
  if (unit_ == calendar_unit::week) return midnight(days + 7);
  const auto date = internal::date_of(days);
  return midnight(internal::days_of({date.year, date.month + 1, 1}));
}

time_window calendar::window_of(event_time t) const {
  if (t < earliest) return {event_time::min(), earliest};
  if (t >= latest) return {latest, event_time::max()};
  const auto in = zone_.span_of(t);
  if (unit_ == calendar_unit::hour) return clip(hour_of(t, in));
  auto start = unit_of(in.local(t));
  auto end = next_unit(start);
  // The clocks have been there before, and were set back.
  for (; zone_.first_reached(end) <= t; end = next_unit(end)) start = end;
  return clip({zone_.first_reached(start), zone_.first_reached(end)});
}

result<calendar> make_calendar(calendar_unit unit, const std::string& zone,
                               std::optional<std::chrono::weekday> week_start) {
  const auto what = "calendar windows of " + plural_of(unit);
  if (week_start && unit != calendar_unit::week)
    return error{errc::invalid_argument,
                 what + " with a weekday: only weeks start on one, leave it out"};
  const auto first = week_start.value_or(std::chrono::Monday);
  if (!first.ok())
    return error{errc::invalid_argument, what + " that start on weekday " +
                                             std::to_string(first.c_encoding()) +
                                             ": a weekday is 0, Sunday, to 6, Saturday"};
  auto loaded = time_zone::load(zone);
  if (!loaded) return std::move(loaded).failure().within(what);
  return calendar{unit, *std::move(loaded), first};
}

}  // namespace weir::windowing
