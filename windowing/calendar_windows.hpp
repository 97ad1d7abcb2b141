// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "weir/windowing/calendar.hpp"
#include "weir/windowing/window_assigner.hpp"
#include "weir/windowing/windowed_stream.hpp"

namespace weir::windowing {

/// The hours, days, weeks or months of a place, see `calendar`: each record belongs to one. A
/// value; made by `calendar_event_time` and `calendar_processing_time`. A copy is used by one
/// thread.
template <timer_domain Domain>
class calendar_windows : public window_assigner<calendar_windows<Domain>> {
 public:
  using window_type = time_window;
  static constexpr bool is_event_time = Domain == timer_domain::event;
  static constexpr bool merging = false;
  static constexpr const char* kind =
      is_event_time ? "calendar window" : "calendar processing-time window";

  explicit calendar_windows(result<calendar> made) : made_{std::move(made)} {}

  /// Errors: those of `make_calendar`.
  status validate() const {
    if (!made_) return made_.failure();
    return {};
  }

  /// The window of the records with time `t`. The last two are remembered: records that are out of
  /// order mostly go to and fro between two.
  /// @pre validate()
  time_window window_of(event_time t)
    requires is_event_time
  {
    return window_at(t);
  }

  template <class T, class Assign>
  void assign(const T&, event_time time, clock_time now, Assign&& assign) {
    assign(window_at(time_in<Domain>(time, now)));
  }

  template <class Trigger = time_trigger<Domain>>
  Trigger default_trigger() const {
    return {};
  }

 private:
  /// Whether start ≤ t < end, for start ≤ end.
  static bool holds(const time_window& window, event_time t) {
    const auto start = static_cast<std::uint64_t>(window.start.ms);
    return static_cast<std::uint64_t>(t.ms) - start <
           static_cast<std::uint64_t>(window.end.ms) - start;
  }

  const time_window& window_at(event_time t) {
    if (holds(recent_[0], t)) [[likely]]
      return recent_[0];
    std::swap(recent_[0], recent_[1]);
    if (!holds(recent_[0], t)) recent_[0] = made_->window_of(t);
    return recent_[0];
  }

  result<calendar> made_;
  std::array<time_window, 2> recent_{};
};

/// Windows of event time in the time zone of that name, for `keyed_stream::window`. `week_start` is
/// for weeks, which start on Monday without it.
/// Errors, in the graph: no such zone, or no time zone database; a weekday for another unit.
inline calendar_windows<timer_domain::event> calendar_event_time(
    calendar_unit unit, const std::string& zone,
    std::optional<std::chrono::weekday> week_start = std::nullopt) {
  return calendar_windows<timer_domain::event>{make_calendar(unit, zone, week_start)};
}

/// The same by the processing clock.
inline calendar_windows<timer_domain::processing> calendar_processing_time(
    calendar_unit unit, const std::string& zone,
    std::optional<std::chrono::weekday> week_start = std::nullopt) {
  return calendar_windows<timer_domain::processing>{make_calendar(unit, zone, week_start)};
}

}  // namespace weir::windowing

namespace weir {
using windowing::calendar_event_time;
using windowing::calendar_processing_time;
}  // namespace weir
