// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>

#include "weir/core/result.hpp"
#include "weir/state/states.hpp"
#include "weir/windowing/trigger_node.hpp"
#include "weir/windowing/trigger_timers.hpp"

namespace weir::windowing {

/// A trigger as an operator drives it. The operator keeps a row for each window of each key, with
/// cells for the states that `uses_states()` lists: those of the trigger, and its timers. Before it
/// calls `on_element`, `on_timers` or `clear` it sets the clocks of `scope` and attaches the states
/// to the row, once for all calls for that row; after the calls it does the `changes()` of `scope`.
/// Owned and used by one subtask.
template <class Trigger>
class trigger_root {
 public:
  using node = trigger_node<Trigger>;
  static constexpr bool uses_timers = node::uses_timers;
  static constexpr bool can_merge = node::can_merge;
  /// Whether records without a time are none for this trigger.
  static constexpr bool needs_timestamps = node::needs_timestamps;

  explicit trigger_root(Trigger trigger) : node_{std::move(trigger)} {
    node_.prefix_names("trigger/");
  }

  auto uses_states() {
    if constexpr (uses_timers)
      return node_.with_states([this](auto&... state) { return state::states(state..., timers_); });
    else
      return node_.with_states([](auto&... state) { return state::states(state...); });
  }

  /// All registered timers of a window, for the engine. @pre uses_timers
  const trigger_timers& timers() const { return timers_; }

  /// `element` has been added to `window`.
  template <class T, class W>
  trigger_result on_element(trigger_scope& scope, const added_element<T>& element,
                            const W& window) {
    auto context = context_of(scope);
    return node_.on(element, window, context).what;
  }

  /// The timer of `window` for that time is due. It is not registered any more.
  template <class W>
  trigger_result on_timers(trigger_scope& scope, timer_domain domain, std::int64_t time,
                           const W& window) {
    if constexpr (uses_timers) {
      const auto slots = timers_.take_due(domain, time);
      if (slots != 0) {
        auto context = context_of(scope);
        return node_.on(due_timers{domain, time, slots}, window, context).what;
      }
    }
    return trigger_result::continue_;
  }

  /// The windows with the rows `absorbed` have become `merged`. The states are attached to the new
  /// row of that one, which has the same layout. Afterwards the operator calls `clear` for each
  /// absorbed window, with the states attached to its row. @pre can_merge
  template <class W>
  void on_merge(trigger_scope& scope, const W& merged, std::span<std::byte* const> absorbed) {
    trigger_merge_context context{scope, timers_or_null(), absorbed};
    node_.on_merge(merged, context);
  }

  /// `window` is being cleaned up, or has been absorbed: nothing of the trigger is left in its row.
  template <class W>
  void clear(trigger_scope& scope, const W& window) {
    auto context = context_of(scope);
    node_.clear(window, context);
  }

 private:
  trigger_timers* timers_or_null() { return uses_timers ? &timers_ : nullptr; }
  trigger_context context_of(trigger_scope& scope) { return {scope, timers_or_null()}; }

  node node_;
  /// The name says whose timers they are: a slot means nothing to a trigger of another shape.
  trigger_timers timers_{"timers of " + node::shape()};
};

/// Whether `trigger` can be used with windows of `Assigner`.
/// Errors: invalid_argument for windows that merge and a trigger that cannot, for a trigger that
/// goes by the watermark and windows that do not, for states with a TTL, and those of the triggers.
template <class Assigner, class Trigger>
status check_trigger(const Trigger& trigger) {
  using node = trigger_node<Trigger>;
  const auto refuse = [](const std::string& why) {
    return error{errc::invalid_argument, node::shape() + ": " + why};
  };
  if (Assigner::merging && !node::can_merge)
    return refuse(std::string{"a trigger of a "} + Assigner::kind +
                  " must be able to merge, and this one, or a part of it, cannot");
  if (!Assigner::is_event_time && node::needs_event_time)
    return refuse(std::string{"at_watermark() is for windows of event time, and not for a "} +
                  Assigner::kind);
  node copy{trigger};
  if (auto fits = copy.validate(); !fits) return fits;
  const bool has_ttl = copy.with_states(
      [](auto&... state) { return (state.options().active_ttl().has_value() || ...); });
  if (has_ttl)
    return refuse(
        "a state has a TTL; what a trigger remembers goes with the window: leave the TTL out");
  return {};
}

}  // namespace weir::windowing
