// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "weir/state/reducing_state.hpp"
#include "weir/windowing/repeatedly_trigger.hpp"
#include "weir/windowing/trigger_defaults.hpp"

namespace weir::windowing {

/// What comes before the end of a window unless something is asked for: nothing.
struct nothing_early : trigger_defaults {
  static constexpr const char* kind = "nothing";
  static constexpr bool can_merge = true;
  static constexpr bool uses_timers = false;

  template <class W>
  void on_merge(const W&, trigger_merge_context&) {}
};

/// What comes after the end of a window unless something else is asked for: each element.
struct each_late_element : trigger_defaults {
  static constexpr const char* kind = "each";
  static constexpr bool can_merge = true;
  static constexpr bool uses_timers = false;
  static constexpr timer_domain ends_by = timer_domain::event;

  template <class T, class W>
  trigger_result on_element(const T&, event_time, const W&, trigger_context&) {
    return trigger_result::fire;
  }
  template <class W>
  void on_merge(const W&, trigger_merge_context&) {}
};

/// Fires when the watermark reaches the end of a window, and as asked for before and after that. A
/// value; made by `at_watermark`.
template <class Early, class Late>
class at_watermark_trigger
    : public composite_trigger<at_watermark_trigger<Early, Late>, 1, repeatedly_trigger<Early>,
                               repeatedly_trigger<Late>> {
  using base = composite_trigger<at_watermark_trigger, 1, repeatedly_trigger<Early>,
                                 repeatedly_trigger<Late>>;

 public:
  static constexpr const char* kind = "at_watermark";
  static constexpr bool needs_event_time = true;

  at_watermark_trigger(Early early, Late late)
      : base{repeatedly_trigger<Early>{std::move(early)},
             repeatedly_trigger<Late>{std::move(late)}} {}

  /// Fires also as `trigger` says, until the watermark reaches the window's end. It starts anew
  /// after each fire.
  template <class Trigger>
  at_watermark_trigger<Trigger, Late> early(Trigger trigger) const {
    return {std::move(trigger), this->template part<1>().repeated()};
  }

  /// After the window's end fires as `trigger` says, and not for each element. It starts anew after
  /// each fire.
  template <class Trigger>
  at_watermark_trigger<Early, Trigger> late(Trigger trigger) const {
    return {this->template part<0>().repeated(), std::move(trigger)};
  }

  template <class Use>
  decltype(auto) with_states(Use&& use) {
    return this->with_states_of_parts(
        [&](auto&... state) -> decltype(auto) { return use(ended_, state...); });
  }

  void prefix_names(std::string_view prefix) {
    ended_.prefix_name(prefix);
    this->template part<0>().prefix_names(std::string{prefix} + "early/");
    this->template part<1>().prefix_names(std::string{prefix} + "late/");
  }

  template <class Event, class W>
  trigger_outcome on(const Event& event, const W& window, trigger_context& context) {
    const auto ask = [&](auto& part, auto& own, auto) { return part.on(event, window, own); };
    if (ended()) return this->template with_part<1>(context, ask);
    if (reaches_end(event, window, context)) {
      end(window, context);
      return {trigger_result::fire, true};
    }
    return this->template with_part<0>(context, ask);
  }

  template <class W>
  void start(const W& window, trigger_context& context) {
    if (context.scope().ended(window)) return;
    context.register_timer(window.max_time());
    this->template with_part<0>(context,
                                [&](auto& part, auto& own, auto) { part.start(window, own); });
  }

  template <class W>
  void clear(const W& window, trigger_context& context) {
    ended_.clear();
    context.delete_timers();
    base::clear(window, context);
  }

  /// Goes on before the end if the merged window has not reached it.
  template <class W>
  void on_merge(const W& merged, trigger_merge_context& context) {
    const auto merge = [&](auto& part, auto& own, auto) { part.on_merge(merged, own); };
    if (!context.scope().ended(merged)) {
      context.register_timer(merged.max_time());
      this->template with_part<0>(context, merge);
    } else {
      context.merge(ended_);
      if (ended()) this->template with_part<1>(context, merge);
    }
  }

 private:
  bool ended() const { return ended_.get() != nullptr; }

  /// The timer of the end comes before any element that is behind it, unless that is the first.
  template <class Event, class W>
  static bool reaches_end(const Event& event, const W& window, trigger_context& context) {
    if constexpr (std::is_same_v<Event, due_timers>) {
      return context.concerned_by(event);
    } else {
      if (window.max_time() <= context.current_watermark()) return true;
      context.register_timer(window.max_time());
      return false;
    }
  }

  template <class W>
  void end(const W& window, trigger_context& context) {
    context.delete_timers();
    this->template with_part<0>(context,
                                [&](auto& part, auto& own, auto) { part.clear(window, own); });
    ended_.add(true);
    this->template with_part<1>(context,
                                [&](auto& part, auto& own, auto) { part.start(window, own); });
  }

  state::reducing_state<bool, std::logical_or<>> ended_{"ended"};
};

/// Fires when the watermark reaches the end of the window, even if nothing is new then, and after
/// that for each late element. More is said behind it:
/// `at_watermark().early(after_count(50)).late(after_count(10))`.
/// Errors, in the graph: windows that are not of event time.
inline at_watermark_trigger<nothing_early, each_late_element> at_watermark() {
  return {nothing_early{}, each_late_element{}};
}

}  // namespace weir::windowing

namespace weir {
using windowing::at_watermark;
}
