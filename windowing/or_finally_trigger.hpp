// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <utility>

#include "weir/state/reducing_state.hpp"
#include "weir/windowing/composite_trigger.hpp"

namespace weir::windowing {

/// Fires when `Trigger` does, until `Until` does: that is the last fire. A value; made by
/// `or_finally`.
template <class Trigger, class Until>
class or_finally_trigger
    : public composite_trigger<or_finally_trigger<Trigger, Until>, 0, Trigger, Until> {
  using base = composite_trigger<or_finally_trigger, 0, Trigger, Until>;

 public:
  static constexpr const char* kind = "or_finally";
  static constexpr bool can_finish = true;

  or_finally_trigger(Trigger trigger, Until until) : base{std::move(trigger), std::move(until)} {}

  template <class Use>
  decltype(auto) with_states(Use&& use) {
    return this->with_states_of_parts(
        [&](auto&... state) -> decltype(auto) { return use(finished_, state...); });
  }

  void prefix_names(std::string_view prefix) {
    finished_.prefix_name(prefix);
    this->prefix_names_of_parts(prefix);
  }

  template <class Event, class W>
  trigger_outcome on(const Event& event, const W& window, trigger_context& context) {
    if (finished()) return {};
    const auto ask = [&](auto& part, auto& own, auto) { return part.on(event, window, own); };
    const trigger_outcome some = this->template with_part<0>(context, ask);
    const trigger_outcome last = this->template with_part<1>(context, ask);
    if (fires(last)) {
      base::clear(window, context);
      finished_.add(true);
    }
    return either(some, last);
  }

  template <class W>
  void clear(const W& window, trigger_context& context) {
    finished_.clear();
    base::clear(window, context);
  }

  /// Has finished if it has in one of the windows.
  template <class W>
  void on_merge(const W& merged, trigger_merge_context& context) {
    context.merge(finished_);
    if (!finished()) base::on_merge(merged, context);
  }

  bool finished() const { return finished_.get() != nullptr; }

 private:
  state::reducing_state<bool, std::logical_or<>> finished_{"finished"};
};

/// Fires when `trigger` does, until `until` fires, which sees everything from the start: that is
/// the last fire.
template <class Trigger, class Until>
or_finally_trigger<Trigger, Until> or_finally(Trigger trigger, Until until) {
  return {std::move(trigger), std::move(until)};
}

}  // namespace weir::windowing

namespace weir {
using windowing::or_finally;
}
