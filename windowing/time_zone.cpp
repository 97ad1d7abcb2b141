// SPDX-License-Identifier: Apache-2.0
#include "weir/windowing/time_zone.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <exception>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include <date/tz.h>

#include "weir/windowing/internal/yearly_switch.hpp"

namespace weir::windowing {
namespace {

using internal::clock_switch;
using internal::yearly_switch;

/// How far the rules go, either way.
constexpr std::int64_t horizon = std::int64_t{1} << 62;

/// The first time at which no rules are asked of the database, if it has them without end.
constexpr std::chrono::sys_seconds database_end =
    std::chrono::sys_days{std::chrono::year{2100} / 1 / 1};

/// A zone whose last switches are in an earlier year has given them up. The tables of the database
/// end with this one.
constexpr std::int64_t last_year = 2037;

/// As few years may show what a yearly rule is, and as many always do if it holds in them.
constexpr std::size_t min_years_of_rule = 7;
constexpr std::size_t max_years_of_rule = 11;

/// More than any clock has been ahead of UTC, or behind it.
constexpr std::int64_t max_offset = 26 * internal::ms_per_hour;

std::int64_t year_of(std::int64_t ms) {
  return internal::date_of(internal::floor_div(ms, internal::ms_per_day)).year;
}

/// The switches of a zone. The first is at the beginning of time, and is none.
std::vector<clock_switch> switches_of(const date::time_zone& zone) {
  using std::chrono::milliseconds;
  std::vector<clock_switch> all;
  auto info = zone.get_info(date::sys_seconds::min());
  all.push_back({event_time::min().ms, milliseconds{info.offset}.count()});
  while (info.end < database_end) {
    const auto at = info.end;
    info = zone.get_info(at);
    const clock_switch next{milliseconds{at.time_since_epoch()}.count(),
                            milliseconds{info.offset}.count()};
    // Some only give the time another name.
    if (next.offset != all.back().offset) all.push_back(next);
  }
  return all;
}

}  // namespace

struct time_zone::rules {
  std::vector<clock_switch> switches;                  // in order, the first is at min()
  std::optional<std::array<yearly_switch, 2>> yearly;  // after the last of `switches`

  void find_yearly();
  clock_switch last_yearly(event_time t) const;
  clock_switch next_yearly(event_time t) const;
};

/// Finds the two rules by which clocks are set forward and back, if they still are.
void time_zone::rules::find_yearly() {
  if (year_of(switches.back().at) < last_year) return;
  for (std::size_t years = min_years_of_rule; years <= max_years_of_rule && !yearly; ++years) {
    if (switches.size() <= 2 * years) return;
    std::array<std::vector<clock_switch>, 2> by_turns;
    const std::size_t first = switches.size() - 2 * years;
    for (std::size_t i = first; i < switches.size(); ++i)
      by_turns[(i - first) % 2].push_back(switches[i]);
    const auto one = yearly_switch::of(by_turns[0], switches[first - 1].offset);
    const auto other = yearly_switch::of(by_turns[1], switches[first].offset);
    if (one && other) yearly = {{*one, *other}};
  }
}

/// The last yearly switch at or before `t`. @pre yearly, and t is after the last of `switches`
clock_switch time_zone::rules::last_yearly(event_time t) const {
  clock_switch found = switches.back();
  const std::int64_t year = year_of(t.ms);
  for (std::int64_t y = year - 1; y <= year + 1; ++y) {
    for (const auto& rule : *yearly) {
      const auto candidate = rule.in(y);
      if (candidate.at <= t.ms && candidate.at > found.at) found = candidate;
    }
  }
  return found;
}

/// The first yearly switch after `t`. @pre as above
clock_switch time_zone::rules::next_yearly(event_time t) const {
  std::optional<clock_switch> found;
  const std::int64_t year = year_of(t.ms);
  for (std::int64_t y = year - 1; y <= year + 2; ++y) {
    for (const auto& rule : *yearly) {
      const auto candidate = rule.in(y);
      if (candidate.at > t.ms && (!found || candidate.at < found->at)) found = candidate;
    }
  }
  return *found;
}

result<time_zone> time_zone::load(const std::string& name) {
  try {
    auto loaded = std::make_shared<rules>();
    loaded->switches = switches_of(*date::locate_zone(name));
    loaded->find_yearly();
    return time_zone{std::move(loaded)};
  } catch (const std::exception& failure) {
    return error{errc::not_found,
                 "time zone \"" + name + "\" cannot be loaded: " + failure.what() +
                     "; give the name of a zone of the IANA time zone database, as "
                     "\"Europe/Berlin\", and have that installed (package tzdata)"};
  }
}

time_zone::span time_zone::span_of(event_time t) const {
  const auto& all = rules_->switches;
  const auto next =
      std::upper_bound(all.begin(), all.end(), t.ms,
                       [](std::int64_t ms, const clock_switch& s) { return ms < s.at; });
  const auto& last = *std::prev(next);
  if (next != all.end()) return {{last.at}, {next->at}, duration{last.offset}};
  if (!rules_->yearly) return {{last.at}, event_time::max(), duration{last.offset}};
  const event_time covered{std::min(t.ms, horizon)};
  const auto since = rules_->last_yearly(covered);
  const std::int64_t end = rules_->next_yearly(covered).at;
  return {{since.at}, end < horizon ? event_time{end} : event_time::max(), duration{since.offset}};
}

event_time time_zone::first_reached(local_time local) const {
  // Nowhere do clocks show it so early.
  const event_time before = event_time{local.time_since_epoch().count()} + duration{-max_offset};
  span in = span_of(before);
  for (;;) {
    const event_time shown = std::max(in.begin, in.instant(local));
    if (shown < in.end || in.end == event_time::max()) return shown;
    in = span_of(in.end);
  }
}

}  // namespace weir::windowing
