// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <optional>
#include <utility>

#include "weir/core/result.hpp"
#include "weir/core/time.hpp"

namespace weir::dataflow {

/// What makes watermarks of records. A value, copied for each subtask, or for each split in a
/// source. A generator of a program's own has some of:
///
/// - `std::optional<event_time> on_event(const T&, event_time)`: called for each record; what it
///   gives is emitted at once, behind that record (a punctuated generator); or
///   `void on_event(const T&, event_time)`, which only takes note: faster;
/// - `std::optional<event_time> on_periodic()`: called once per interval of the processing clock;
/// - `snapshot() const` and `restore(value)`: what it remembers, as a value with a codec. Used for
///   the splits of a source; on a stream a generator starts afresh after a restore, and what was
///   emitted before holds.
///
/// A watermark that is not above the last one is not emitted, so it may give the same again.
template <class G, class T>
concept gives_at_events = requires(G& g, const T& record, event_time time) {
  { g.on_event(record, time) } -> std::same_as<std::optional<event_time>>;
};
template <class G, class T>
concept notes_events = requires(G& g, const T& record, event_time time) {
  { g.on_event(record, time) } -> std::same_as<void>;
};
template <class G>
concept gives_periodically = requires(G& g) {
  { g.on_periodic() } -> std::same_as<std::optional<event_time>>;
};
template <class G>
concept storable_generator = requires(G& g, const G& constant) { g.restore(constant.snapshot()); };

/// Of some records each may be up to `bound` behind the newest: the watermark is the newest time
/// − bound − 1 ms.
class bounded_watermarks {
 public:
  explicit constexpr bounded_watermarks(duration bound) : bound_{bound} {}

  duration bound() const { return bound_; }

  status validate() const {
    if (bound_ >= duration::zero()) return {};
    return error{errc::invalid_argument, "the bound of out-of-orderness must not be negative"};
  }

  /// Times of records, in a loop that the compiler can turn into vector instructions.
  void on_times(const event_time* times, std::size_t count) {
    std::int64_t newest = newest_.ms;
    for (std::size_t i = 0; i < count; ++i) newest = std::max(newest, times[i].ms);
    newest_ = event_time{newest};
  }

  /// The watermark as of now; `min()` before the first record.
  event_time watermark() const {
    if (newest_ == event_time::min()) return newest_;
    return newest_ + duration{-bound_.count()} + duration{-1};
  }

  event_time snapshot() const { return newest_; }
  void restore(event_time newest) { newest_ = newest; }

 private:
  duration bound_;
  event_time newest_ = event_time::min();
};

/// Watermarks by a function of the record and its time, `std::optional<event_time>(const T&,
/// event_time)`: they come when it says so.
template <class F>
class punctuated_by {
 public:
  explicit punctuated_by(F f) : function_{std::move(f)} {}

  template <class T>
  std::optional<event_time> on_event(const T& record, event_time time) {
    return function_(record, time);
  }

 private:
  F function_;
};

}  // namespace weir::dataflow
