// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

#include "weir/state/states.hpp"
#include "weir/windowing/trigger_root.hpp"

namespace weir::windowing {

/// Fires at the end of windows, and for each record that comes later: what `event_time_trigger` and
/// `processing_time_trigger` do on windows of their own clock. It keeps nothing: whether a window
/// is still to fire follows from its end and the clock. For operators that know of it.
struct derived_end_trigger {};

template <>
class trigger_root<derived_end_trigger> {
 public:
  static constexpr bool uses_timers = false;
  static constexpr bool needs_timestamps = false;

  explicit trigger_root(derived_end_trigger) {}

  static auto uses_states() { return state::states(); }

  template <class T, class W>
  static trigger_result on_element(const trigger_scope& scope, const added_element<T>&,
                                   const W& window) {
    return scope.windows() == timer_domain::event && scope.ended(window)
               ? trigger_result::fire
               : trigger_result::continue_;
  }
  template <class W>
  static trigger_result on_timers(const trigger_scope&, timer_domain, std::int64_t time,
                                  const W& window) {
    return time == window.max_time().ms ? trigger_result::fire : trigger_result::continue_;
  }
  template <class W>
  static void on_merge(const trigger_scope&, const W&, std::span<std::byte* const>) {}
  template <class W>
  static void clear(const trigger_scope&, const W&) {}
};

}  // namespace weir::windowing
