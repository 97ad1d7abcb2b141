// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/core/time.hpp"
#include "weir/windowing/trigger_context.hpp"
#include "weir/windowing/trigger_merge_context.hpp"
#include "weir/windowing/trigger_result.hpp"

namespace weir::windowing {

/// What a trigger of your own derives from: it writes the methods that it needs, the others return
/// `continue_`. A trigger is a value. Its fields are configuration: all keys and windows of a
/// subtask share them, and no snapshot has them. What it remembers of a window it keeps in states
/// that `uses_states()` lists; each window of each key has its own. They and the timers go with the
/// window, and whenever a combinator clears the trigger.
///
///     struct every_nth : weir::trigger_defaults {
///       std::int64_t n;
///       weir::reducing_state<std::int64_t, std::plus<>> count{"count"};
///       explicit every_nth(std::int64_t nth) : n{nth} {}
///       auto uses_states() { return weir::states(count); }
///
///       template <class T, class W>
///       weir::trigger_result on_element(const T&, weir::event_time, const W&,
///                                       weir::trigger_context&);
///
///       static constexpr bool can_merge = true;
///       template <class W>
///       void on_merge(const W&, weir::trigger_merge_context& context) { context.merge(count); }
///     };
///
/// It may also have
///
///     static constexpr const char* kind = "every nth";            // in errors and snapshots
///     weir::status validate() const;                              // its failure: of the graph
///     template <class W> void start(const W&, weir::trigger_context&);
///
/// where `start` is called when a combinator starts the trigger, and not an element does.
struct trigger_defaults {
  /// Whether it has `on_merge`, and so can be used with windows that merge.
  static constexpr bool can_merge = false;
  /// False saves the room for timers.
  static constexpr bool uses_timers = true;

  /// `element` has been added to `window`.
  template <class T, class W>
  trigger_result on_element(const T&, event_time, const W&, trigger_context&) {
    return trigger_result::continue_;
  }

  /// A timer is due that this trigger registered for `window` and `t`.
  template <class W>
  trigger_result on_event_time(event_time, const W&, trigger_context&) {
    return trigger_result::continue_;
  }
  template <class W>
  trigger_result on_processing_time(clock_time, const W&, trigger_context&) {
    return trigger_result::continue_;
  }

  /// All that it remembers of `window` is about to be deleted, states and timers.
  template <class W>
  void clear(const W&, trigger_context&) {}
};

}  // namespace weir::windowing

namespace weir {
using windowing::trigger_defaults;
}
