// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "weir/windowing/assigner_checks.hpp"
#include "weir/windowing/window_assigner.hpp"
#include "weir/windowing/windowed_stream.hpp"

namespace weir::windowing {

/// Windows of one length that start at equal distances: a record belongs to about size / slide of
/// them, and to none or one if the slide is longer than the size. A value; made by
/// `sliding_event_time` and `sliding_processing_time`.
template <timer_domain Domain>
class sliding_windows : public window_assigner<sliding_windows<Domain>> {
 public:
  using window_type = time_window;
  static constexpr bool is_event_time = Domain == timer_domain::event;
  static constexpr bool merging = false;
  static constexpr const char* kind =
      is_event_time ? "sliding window" : "sliding processing-time window";

  constexpr sliding_windows(duration size, duration slide, duration offset)
      : size_{size}, slide_{slide}, offset_{offset} {}

  /// Errors: invalid_argument unless size > 0, slide > 0, |offset| < slide, and a record is in no
  /// more than 10,000,000 windows.
  status validate() const { return check_sliding(size_, slide_, offset_); }

  /// That some records are in no window.
  std::string warning() const { return sliding_warning(size_, slide_); }

  duration size() const { return size_; }
  duration slide() const { return slide_; }
  duration offset() const { return offset_; }

  /// The one that starts last comes first. At the ends of the range of times windows are cut off.
  /// @pre validate()
  template <class T, class Assign>
  void assign(const T&, event_time time, clock_time now, Assign&& assign) const {
    const event_time t = time_in<Domain>(time, now);
    auto since_start = time_in_window(t, offset_, slide_);
    while (since_start < size_.count()) {
      assign(time_window{t + duration{-since_start}, t + duration{size_.count() - since_start}});
      if (size_.count() - since_start <= slide_.count()) return;  // and the sum could overflow
      since_start += slide_.count();
    }
  }

  template <class Trigger = time_trigger<Domain>>
  Trigger default_trigger() const {
    return {};
  }

 private:
  duration size_;
  duration slide_;
  duration offset_;
};

/// Windows [n · slide + offset, n · slide + offset + size) of event time, for
/// `keyed_stream::window`. If slide > size, records between two windows are in none: they are left
/// out, and a warning is logged once.
/// Errors, in the graph: size ≤ 0, slide ≤ 0, |offset| ≥ slide, more than 10,000,000 windows for a
/// record.
constexpr sliding_windows<timer_domain::event> sliding_event_time(
    duration size, duration slide, duration offset = duration::zero()) {
  return {size, slide, offset};
}

/// The same by the processing clock.
constexpr sliding_windows<timer_domain::processing> sliding_processing_time(
    duration size, duration slide, duration offset = duration::zero()) {
  return {size, slide, offset};
}

}  // namespace weir::windowing

namespace weir {
using windowing::sliding_event_time;
using windowing::sliding_processing_time;
}  // namespace weir
