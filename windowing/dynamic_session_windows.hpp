// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <type_traits>
#include <utility>

#include "weir/windowing/assigner_checks.hpp"
#include "weir/windowing/window_assigner.hpp"
#include "weir/windowing/windowed_stream.hpp"

namespace weir::windowing {

/// Sessions as `session_windows` has them, whose gap is given by each record. A value; made by
/// `dynamic_session_event_time` and `dynamic_session_processing_time`.
template <timer_domain Domain, class GapOf>
class dynamic_session_windows : public window_assigner<dynamic_session_windows<Domain, GapOf>> {
 public:
  using window_type = time_window;
  static constexpr bool is_event_time = Domain == timer_domain::event;
  static constexpr bool merging = true;
  static constexpr const char* kind =
      is_event_time ? "session window" : "processing-time session window";

  explicit constexpr dynamic_session_windows(GapOf gap_of) : gap_of_{std::move(gap_of)} {}

  static status validate() { return {}; }

  /// Errors: invalid_argument, for this record, if its gap is 0 or less.
  template <class T, class Assign>
  status assign(const T& record, event_time time, clock_time now, Assign&& assign) {
    constexpr bool fits = std::is_invocable_r_v<duration, GapOf&, const T&>;
    static_assert(fits,
                  "dynamic_session_event_time(f), dynamic_session_processing_time(f): f must be "
                  "callable as `duration f(const T&)`");
    if constexpr (fits) {
      const duration gap = std::invoke(gap_of_, record);
      if (auto good = check_gap_of_record(gap); !good) return good;
      const event_time t = time_in<Domain>(time, now);
      assign(time_window{t, t + gap});
    }
    return {};
  }

  template <class Trigger = time_trigger<Domain>>
  Trigger default_trigger() const {
    return {};
  }

 private:
  GapOf gap_of_;
};

/// Sessions of event time, for `keyed_stream::window`, with a gap for each record: `gap_of` is a
/// data member, a member function or a function of the record that gives a `duration`. A session
/// ends when the gaps of all its records have passed.
/// Errors, of the record: a gap that is 0 or less.
template <class GapOf>
constexpr auto dynamic_session_event_time(GapOf gap_of) {
  return dynamic_session_windows<timer_domain::event, GapOf>{std::move(gap_of)};
}

/// The same by the processing clock.
template <class GapOf>
constexpr auto dynamic_session_processing_time(GapOf gap_of) {
  return dynamic_session_windows<timer_domain::processing, GapOf>{std::move(gap_of)};
}

}  // namespace weir::windowing

namespace weir {
using windowing::dynamic_session_event_time;
using windowing::dynamic_session_processing_time;
}  // namespace weir
