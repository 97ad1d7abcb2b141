// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/windowing/assigner_checks.hpp"
#include "weir/windowing/window_assigner.hpp"
#include "weir/windowing/window_stagger.hpp"
#include "weir/windowing/windowed_stream.hpp"

namespace weir::windowing {

/// Windows of one length that follow each other without a gap: each record belongs to one. A value;
/// made by `tumbling_event_time` and `tumbling_processing_time`.
template <timer_domain Domain = timer_domain::event>
class tumbling_windows : public window_assigner<tumbling_windows<Domain>> {
 public:
  using window_type = time_window;
  static constexpr bool is_event_time = Domain == timer_domain::event;
  static constexpr bool merging = false;
  static constexpr const char* kind =
      is_event_time ? "tumbling window" : "tumbling processing-time window";

  constexpr tumbling_windows(duration size, duration offset, window_stagger stagger)
      : size_{size}, offset_{offset}, stagger_{stagger} {}

  /// Errors: invalid_argument unless size > 0 and |offset| < size.
  status validate() const { return check_tumbling(size_, offset_); }

  /// @pre validate()
  constexpr bool needs_start() const { return stagger_ != window_stagger::aligned; }
  constexpr void start(clock_time now, random_generator& random) {
    const duration moved = stagger_offset(stagger_, size_, now, random);
    const duration offset{floor_mod(offset_.count(), size_.count())};
    offset_ = offset < size_ - moved ? offset + moved : offset - (size_ - moved);
    stagger_ = window_stagger::aligned;
  }

  /// The window of the records with time `t`. At the ends of the range of times it is cut off.
  /// @pre validate()
  constexpr time_window window_of(event_time t) const
    requires is_event_time
  {
    return window_at(t);
  }

  template <class T, class Assign>
  void assign(const T&, event_time time, clock_time now, Assign&& assign) const {
    assign(window_at(time_in<Domain>(time, now)));
  }

  template <class Trigger = time_trigger<Domain>>
  Trigger default_trigger() const {
    return {};
  }

 private:
  constexpr time_window window_at(event_time t) const {
    const auto since_start = time_in_window(t, offset_, size_);
    return {t + duration{-since_start}, t + duration{size_.count() - since_start}};
  }

  duration size_;
  duration offset_;
  window_stagger stagger_;
};

/// Windows [n · size + offset, (n + 1) · size + offset) of event time, for `keyed_stream::window`.
/// With an offset of −8 h, windows of a day begin at midnight where the clock is 8 h ahead of UTC.
/// Errors, in the graph: size ≤ 0, or |offset| ≥ size.
constexpr tumbling_windows<timer_domain::event> tumbling_event_time(
    duration size, duration offset = duration::zero(),
    window_stagger stagger = window_stagger::aligned) {
  return {size, offset, stagger};
}

/// The same by the processing clock: the records that come in while it shows such times.
constexpr tumbling_windows<timer_domain::processing> tumbling_processing_time(
    duration size, duration offset = duration::zero(),
    window_stagger stagger = window_stagger::aligned) {
  return {size, offset, stagger};
}

}  // namespace weir::windowing

namespace weir {
using windowing::tumbling_event_time;
using windowing::tumbling_processing_time;
}  // namespace weir
