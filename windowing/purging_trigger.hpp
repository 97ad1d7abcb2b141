// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <utility>

#include "weir/windowing/composite_trigger.hpp"
#include "weir/windowing/shared_trigger_context.hpp"

namespace weir::windowing {

/// Empties the window after each fire. A value; made by `purging`.
template <class Part>
class purging_trigger : public composite_trigger<purging_trigger<Part>, 0, Part> {
  using base = composite_trigger<purging_trigger, 0, Part>;

 public:
  static constexpr const char* kind = "purging";
  static constexpr bool can_finish = trigger_node<Part>::can_finish;
  static constexpr bool always_purges = true;
  static constexpr bool same_for_all_keys = requires { requires Part::same_for_all_keys; };

  explicit purging_trigger(Part part) : base{std::move(part)} {}

  /// It has no state of its own.
  void prefix_names(std::string_view prefix) { this->template part<0>().prefix_names(prefix); }

  template <class Event, class W>
  trigger_outcome on(const Event& event, const W& window, trigger_context& context) {
    return this->template with_part<0>(context, [&](auto& part, auto& own, auto) {
      const trigger_outcome outcome = part.on(event, window, own);
      return trigger_outcome{emptied(outcome.what), outcome.at_end};
    });
  }

  bool finished() const { return this->template part<0>().finished(); }

  using base::clear;

  // -- for all keys at once, if the part can -----------------------------------------------------

  trigger_result on_element(const time_window& window, shared_trigger_context& context) const
    requires(same_for_all_keys)
  {
    return emptied(trigger_of(this->template part<0>()).on_element(window, context));
  }

  trigger_result on_event_time(event_time t, const time_window& window,
                               shared_trigger_context& context) const
    requires(same_for_all_keys)
  {
    return emptied(trigger_of(this->template part<0>()).on_event_time(t, window, context));
  }

  void clear(const time_window& window, shared_trigger_context& context) const
    requires(same_for_all_keys)
  {
    trigger_of(this->template part<0>()).clear(window, context);
  }

 private:
  static trigger_result emptied(trigger_result r) {
    return fires(r) ? trigger_result::fire_and_purge : r;
  }
};

/// Fires when `part` does, and then empties the window: each result is of the elements since the
/// one before. What `part` remembers stays.
template <class Part>
purging_trigger<Part> purging(Part part) {
  return purging_trigger<Part>{std::move(part)};
}

}  // namespace weir::windowing

namespace weir {
using windowing::purging;
}
