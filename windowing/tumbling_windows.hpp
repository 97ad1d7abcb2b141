// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <string>
#include <utility>

#include "weir/core/result.hpp"
#include "weir/windowing/time_window.hpp"
#include "weir/windowing/windowed_stream.hpp"

namespace weir::windowing {

/// Windows of one length that follow each other without a gap, by event time: each record belongs
/// to one. A value; made by `tumbling_event_time`.
class tumbling_windows {
 public:
  static constexpr const char* kind = "tumbling window";

  constexpr tumbling_windows(duration size, duration offset) : size_{size}, offset_{offset} {}

  /// Errors: invalid_argument unless size > 0 and |offset| < size.
  status validate() const {
    const auto text = [](duration d) { return std::to_string(d.count()) + " ms"; };
    if (size_ <= duration::zero())
      return error{errc::invalid_argument,
                   "tumbling windows of " + text(size_) + ": the size must be more than 0"};
    if (offset_ >= size_ || offset_ <= -size_)
      return error{errc::invalid_argument, "tumbling windows of " + text(size_) + " with offset " +
                                               text(offset_) +
                                               ": the offset must be less than the size, forwards "
                                               "or backwards"};
    return {};
  }

  /// The window of the records with time `t`. At the ends of the range of times it is cut off.
  /// @pre validate()
  constexpr time_window window_of(event_time t) const {
    const auto since_start = time_in_window(t, offset_, size_);
    return {t + duration{-since_start}, t + duration{size_.count() - since_start}};
  }

  /// What `keyed_stream::window` calls.
  template <class K, class T, class Select>
  windowed_stream<K, T, Select, tumbling_windows> apply(
      const dataflow::keyed_stream<K, T, Select>& records, dataflow::call_site where) const {
    if (auto fits = validate(); !fits)
      records.records().origin().job->report(where, fits.error_text());
    return {records, *this};
  }

 private:
  duration size_;
  duration offset_;
};

/// Windows [n · size + offset, (n + 1) · size + offset) of event time, for `keyed_stream::window`.
/// With an offset of −8 h, windows of a day begin at midnight where the clock is 8 h ahead of UTC.
/// Errors, in the graph: size ≤ 0, or |offset| ≥ size.
constexpr tumbling_windows tumbling_event_time(duration size, duration offset = duration::zero()) {
  return {size, offset};
}

}  // namespace weir::windowing

namespace weir {
using windowing::tumbling_event_time;
}
