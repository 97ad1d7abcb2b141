// SPDX-License-Identifier: Apache-2.0
#include "weir/windowing/internal/yearly_switch.hpp"

#include <algorithm>

namespace weir::windowing::internal {

std::optional<yearly_switch> yearly_switch::of(std::span<const clock_switch> switches,
                                               std::int64_t before) {
  std::optional<yearly_switch> found;
  std::int64_t first_year = 0;
  std::int64_t last_day = 0;
  for (std::size_t i = 0; i < switches.size(); ++i) {
    // Midnight is the end of a day: so are rules such as "after the last Thursday" written.
    const std::int64_t until = switches[i].at + before - 1;
    const std::int64_t days = floor_div(until, ms_per_day);
    const civil_date date = date_of(days);
    yearly_switch seen;
    seen.month_ = date.month;
    seen.first_day_ = date.day;
    seen.weekday_ = weekday_of(days);
    seen.ms_of_day_ = floor_mod(until, ms_per_day) + 1;
    seen.before_ = before;
    seen.after_ = switches[i].offset;
    if (!found) {
      found = seen;
      first_year = date.year;
    }
    last_day = std::max(last_day, date.day);
    found->first_day_ = std::min(found->first_day_, date.day);
    seen.first_day_ = found->first_day_;
    if (*found != seen || date.year != first_year + static_cast<std::int64_t>(i))
      return std::nullopt;
  }
  if (found && last_day != found->first_day_ + 6) return std::nullopt;
  return found;
}

clock_switch yearly_switch::in(std::int64_t year) const {
  const std::int64_t first = days_of({year, month_, first_day_});
  const std::int64_t days = first + floor_mod(weekday_ - weekday_of(first), 7);
  return {days * ms_per_day + ms_of_day_ - before_, after_};
}

}  // namespace weir::windowing::internal
