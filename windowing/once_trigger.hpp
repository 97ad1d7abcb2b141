// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <utility>

#include "weir/state/reducing_state.hpp"
#include "weir/windowing/composite_trigger.hpp"

namespace weir::windowing {

/// Fires once. A value; made by `once`.
template <class Part>
class once_trigger : public composite_trigger<once_trigger<Part>, 0, Part> {
  using base = composite_trigger<once_trigger, 0, Part>;

 public:
  static constexpr const char* kind = "once";
  static constexpr bool can_finish = true;

  explicit once_trigger(Part part) : base{std::move(part)} {}

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
    return this->template with_part<0>(context, [&](auto& part, auto& own, auto) {
      const trigger_outcome outcome = part.on(event, window, own);
      if (fires(outcome)) {
        part.clear(window, own);
        finished_.add(true);
      }
      return outcome;
    });
  }

  template <class W>
  void clear(const W& window, trigger_context& context) {
    finished_.clear();
    base::clear(window, context);
  }

  /// Has fired if it has in one of the windows.
  template <class W>
  void on_merge(const W& merged, trigger_merge_context& context) {
    context.merge(finished_);
    if (!finished()) base::on_merge(merged, context);
  }

  bool finished() const { return finished_.get() != nullptr; }

 private:
  state::reducing_state<bool, std::logical_or<>> finished_{"finished"};
};

/// Fires for the first fire of `part`, and never again.
template <class Part>
once_trigger<Part> once(Part part) {
  return once_trigger<Part>{std::move(part)};
}

}  // namespace weir::windowing

namespace weir {
using windowing::once;
}
