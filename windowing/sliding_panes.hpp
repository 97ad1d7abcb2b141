// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "weir/core/result.hpp"
#include "weir/core/time.hpp"
#include "weir/state/snapshot_stream.hpp"
#include "weir/windowing/time_window.hpp"

namespace weir::windowing {

/// How sliding windows share panes: time is cut where a window starts and where one ends, so that
/// each pane lies in a window as a whole or not at all. There are one or two panes for each slide:
/// one if the size is a multiple of it. The windows are numbered by their starts. A value.
///
/// At the ends of the range of times windows and panes are cut off; with a slide of 1 ms, windows
/// that start before it are left out.
///
/// Source: Krishnamurthy, Wu, Franklin, "On-the-fly Sharing for Streamed Aggregation", 2006.
class sliding_panes {
 public:
  /// A pane, and the numbers of the windows that it is in: [first, last].
  struct place {
    time_window pane;
    std::int64_t first;
    std::int64_t last;  ///< below `first`: it is in none

    bool in_no_window() const { return last < first; }
  };

  /// @pre `check_sliding(size, slide, offset)`
  sliding_panes(duration size, duration slide, duration offset)
      : size_{size.count()}, slide_{slide.count()}, offset_{offset.count()} {}

  /// The pane that `t` is in. @pre t > event_time::min()
  place place_of(event_time t) const;

  /// The window of that number.
  time_window window(std::int64_t number) const;

  /// The first window that a watermark has not reached the `max_time` of.
  std::int64_t first_after(event_time watermark) const;

  /// Says in a snapshot how time is cut.
  void write(state::snapshot_stream& out) const;

  /// Errors: invalid_argument if the panes in `chunks` are cut in another way, corrupt.
  status check(const state::restored_chunks& chunks) const;

 private:
  std::int64_t size_;
  std::int64_t slide_;
  std::int64_t offset_;
};

}  // namespace weir::windowing
