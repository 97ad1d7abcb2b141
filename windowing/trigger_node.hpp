// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

#include "weir/core/result.hpp"
#include "weir/state/states.hpp"
#include "weir/windowing/trigger_defaults.hpp"
#include "weir/windowing/trigger_outcome.hpp"

namespace weir::windowing {

/// An element that has been added to a window: one of the two things that triggers are called for,
/// the other being `due_timers`.
template <class T>
struct added_element {
  const T& value;
  event_time time;
};

/// A trigger made of others, see `composite_trigger`.
template <class Trigger>
concept made_of_triggers = requires { requires Trigger::is_composite; };

/// A trigger that is no combinator, as a part of others: gives it the interface that combinators
/// have.
///
/// - `on(event, window, context)`: an `added_element` or `due_timers` that may be of no concern;
/// - `start`: it becomes active, without an element; `clear`: it forgets the window;
/// - `on_merge`; `finished()`: it will not fire any more;
/// - `with_states(use)`: calls `use(state&...)` with all states, and returns what that does.
///
/// The states of the trigger are attached to the row of the window.
template <class Trigger>
class trigger_leaf {
  static_assert(std::is_base_of_v<trigger_defaults, Trigger>,
                "a trigger must derive from weir::trigger_defaults");

 public:
  static constexpr unsigned slots = 1;
  static constexpr bool uses_timers = Trigger::uses_timers;
  static constexpr bool can_merge = Trigger::can_merge;
  static constexpr bool can_finish = false;
  static constexpr bool needs_event_time = false;
  static constexpr bool needs_timestamps = requires { requires Trigger::needs_timestamps; };

  explicit trigger_leaf(Trigger trigger) : trigger_{std::move(trigger)} {}

  const Trigger& trigger() const { return trigger_; }

  status validate() const {
    if constexpr (requires { trigger_.validate(); }) return trigger_.validate();
    return {};
  }

  template <class Use>
  decltype(auto) with_states(Use&& use) {
    if constexpr (state::has_states<Trigger>)
      return std::apply(use, trigger_.uses_states());
    else
      return use();
  }

  void prefix_names(std::string_view prefix) {
    with_states([&](auto&... state) { (state.prefix_name(prefix), ...); });
  }

  static std::string shape() {
    if constexpr (requires { Trigger::kind; })
      return Trigger::kind;
    else
      return "custom trigger";
  }

  template <class T, class W>
  trigger_outcome on(const added_element<T>& added, const W& window, trigger_context& context) {
    const trigger_result what = trigger_.on_element(added.value, added.time, window, context);
    return {what, ends_with_windows(context) && context.scope().ended(window)};
  }

  template <class W>
  trigger_outcome on(const due_timers& due, const W& window, trigger_context& context) {
    if (!context.concerned_by(due)) return {};
    const trigger_result what =
        due.domain == timer_domain::event
            ? trigger_.on_event_time(event_time{due.time}, window, context)
            : trigger_.on_processing_time(clock_time{due.time}, window, context);
    return {what, ends_with_windows(context) && due.time == window.max_time().ms};
  }

  template <class W>
  void start(const W& window, trigger_context& context) {
    if constexpr (requires { trigger_.start(window, context); }) trigger_.start(window, context);
  }

  template <class W>
  void on_merge(const W& merged, trigger_merge_context& context) {
    if constexpr (can_merge) trigger_.on_merge(merged, context);
  }

  template <class W>
  void clear(const W& window, trigger_context& context) {
    trigger_.clear(window, context);
    context.delete_timers();
    with_states([](auto&... state) { (state.clear(), ...); });
  }

  static constexpr bool finished() { return false; }

 private:
  /// Whether it waits for the end of windows, on the clock by which they end.
  static bool ends_with_windows(const trigger_context& context) {
    if constexpr (requires { Trigger::ends_by; })
      return context.scope().windows() == Trigger::ends_by;
    return false;
  }

  Trigger trigger_;
};

/// A trigger as a part of others.
template <class Trigger>
using trigger_node = std::conditional_t<made_of_triggers<Trigger>, Trigger, trigger_leaf<Trigger>>;

/// The trigger that `node` was made of.
template <class Trigger>
const Trigger& trigger_of(const trigger_leaf<Trigger>& node) {
  return node.trigger();
}
template <made_of_triggers Trigger>
const Trigger& trigger_of(const Trigger& node) {
  return node;
}

}  // namespace weir::windowing
