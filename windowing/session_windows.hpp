// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/windowing/assigner_checks.hpp"
#include "weir/windowing/window_assigner.hpp"
#include "weir/windowing/windowed_stream.hpp"

namespace weir::windowing {

/// Windows that last as long as records keep coming: one that comes no later than `gap` after
/// another is in the same session. Each record opens the window [time, time + gap), and windows
/// that touch are merged. A value; made by `session_event_time` and `session_processing_time`.
template <timer_domain Domain>
class session_windows : public window_assigner<session_windows<Domain>> {
 public:
  using window_type = time_window;
  static constexpr bool is_event_time = Domain == timer_domain::event;
  static constexpr bool merging = true;
  static constexpr const char* kind =
      is_event_time ? "session window" : "processing-time session window";

  explicit constexpr session_windows(duration gap) : gap_{gap} {}

  /// Errors: invalid_argument unless gap > 0.
  status validate() const { return check_session_gap(gap_); }

  /// At the end of the range of times the window is cut off.
  template <class T, class Assign>
  void assign(const T&, event_time time, clock_time now, Assign&& assign) const {
    const event_time t = time_in<Domain>(time, now);
    assign(time_window{t, t + gap_});
  }

  template <class Trigger = time_trigger<Domain>>
  Trigger default_trigger() const {
    return {};
  }

 private:
  duration gap_;
};

/// Sessions of event time, for `keyed_stream::window`: they end when for `gap` there was no record
/// of the key. Records that are exactly `gap` apart are in one.
/// Errors, in the graph: gap ≤ 0.
constexpr session_windows<timer_domain::event> session_event_time(duration gap) {
  return session_windows<timer_domain::event>{gap};
}

/// The same by the processing clock.
constexpr session_windows<timer_domain::processing> session_processing_time(duration gap) {
  return session_windows<timer_domain::processing>{gap};
}

}  // namespace weir::windowing

namespace weir {
using windowing::session_event_time;
using windowing::session_processing_time;
}  // namespace weir
