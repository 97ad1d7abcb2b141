// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "weir/core/time.hpp"

namespace weir::windowing::internal {

inline constexpr std::int64_t ms_per_hour = 3'600'000;
inline constexpr std::int64_t ms_per_day = 24 * ms_per_hour;

/// floor(a / b), for b > 0.
constexpr std::int64_t floor_div(std::int64_t a, std::int64_t b) {
  return a / b - (a % b < 0 ? 1 : 0);
}

/// A day of the Gregorian calendar, in any year that 64 bits of milliseconds reach; those of
/// std::chrono end with year 32767.
struct civil_date {
  std::int64_t year;
  std::int64_t month;  ///< [1, 12]
  std::int64_t day;    ///< [1, 31]
};

/// Days since 1970-01-01. `month` may lie outside [1, 12], in the years around.
/// Source: Hinnant, "chrono-Compatible Low-Level Date Algorithms", 2014 (days_from_civil).
constexpr std::int64_t days_of(civil_date date) {
  const std::int64_t months = date.year * 12 + (date.month - 1) - 2;  // years begin in March
  const std::int64_t year = floor_div(months, 12);
  const std::int64_t day_of_year = (153 * floor_mod(months, 12) + 2) / 5 + date.day - 1;
  return year * 365 + floor_div(year, 4) - floor_div(year, 100) + floor_div(year, 400) +
         day_of_year - 719'468;
}

/// The date that is `days` after 1970-01-01.
/// Source: as `days_of` (civil_from_days).
constexpr civil_date date_of(std::int64_t days) {
  const std::int64_t since = days + 719'468;  // 0000-03-01
  const std::int64_t era = floor_div(since, 146'097);
  const std::int64_t in_era = since - era * 146'097;
  const std::int64_t year = (in_era - in_era / 1460 + in_era / 36'524 - in_era / 146'096) / 365;
  const std::int64_t in_year = in_era - (365 * year + year / 4 - year / 100);
  const std::int64_t month = (5 * in_year + 2) / 153;  // 0 is March
  const std::int64_t day = in_year - (153 * month + 2) / 5 + 1;
  return {year + era * 400 + (month >= 10 ? 1 : 0), month < 10 ? month + 3 : month - 9, day};
}

/// The weekday of the day that is `days` after 1970-01-01: 0 is Sunday.
constexpr std::int64_t weekday_of(std::int64_t days) { return floor_mod(days + 4, 7); }

}  // namespace weir::windowing::internal
