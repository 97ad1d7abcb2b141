// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <type_traits>

#include "weir/core/hash.hpp"
#include "weir/dataflow/timer.hpp"
#include "weir/state/key_equal.hpp"
#include "weir/windowing/global_window.hpp"
#include "weir/windowing/time_window.hpp"

namespace weir::windowing {

/// The subject of a timer of one window: for one key, a FIRE that its trigger has asked for; or for
/// all keys, the PURGE of the window. A value.
template <class Key, class Window>
struct key_window_timer {
  std::optional<Key> key;  ///< none: all keys
  Window window;
};

}  // namespace weir::windowing

/// Such timers follow from the rows of the windows, so they are in no snapshot.
template <class Key, class Window>
struct weir::dataflow::timer_subject<weir::windowing::key_window_timer<Key, Window>> {
  using subject = windowing::key_window_timer<Key, Window>;

  static constexpr bool storable = false;

  static std::uint64_t hash(const subject& s) {
    std::uint64_t window = 0;
    if constexpr (std::is_same_v<Window, windowing::time_window>)
      window = combine_hash(static_cast<std::uint64_t>(s.window.start.ms),
                            static_cast<std::uint64_t>(s.window.end.ms));
    return s.key ? combine_hash(window, stable_hash(*s.key)) : window;
  }
  static bool equal(const subject& a, const subject& b) {
    if (a.key.has_value() != b.key.has_value() || !(a.window == b.window)) return false;
    return !a.key || state::key_equal(*a.key, *b.key);
  }
  static signal_kind kind(const subject& s) {
    return s.key ? signal_kind::fire : signal_kind::purge;
  }
};
