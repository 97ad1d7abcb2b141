// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "weir/core/hash.hpp"
#include "weir/dataflow/timer.hpp"
#include "weir/windowing/time_window.hpp"

namespace weir::windowing {

/// The subject of a timer that all keys of a window share. A value.
struct window_timer {
  time_window window;
  dataflow::signal_kind kind;

  friend bool operator==(const window_timer&, const window_timer&) = default;
};

}  // namespace weir::windowing

/// Such timers follow from the windows that are open, so they are in no snapshot.
template <>
struct weir::dataflow::timer_subject<weir::windowing::window_timer> {
  using subject = windowing::window_timer;

  static constexpr bool storable = false;

  static constexpr std::uint64_t hash(const subject& s) {
    const auto ends = combine_hash(static_cast<std::uint64_t>(s.window.start.ms),
                                   static_cast<std::uint64_t>(s.window.end.ms));
    return ends ^ static_cast<std::uint64_t>(s.kind);
  }
  static constexpr bool equal(const subject& a, const subject& b) { return a == b; }
  static constexpr signal_kind kind(const subject& s) { return s.kind; }
};
