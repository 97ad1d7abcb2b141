// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <utility>

#include "weir/windowing/combinable_trigger.hpp"
#include "weir/windowing/trigger_defaults.hpp"

namespace weir::windowing {

/// Fires for certain elements. A value; made by `when`.
template <class Condition>
class condition_trigger : public trigger_defaults,
                          public combinable_trigger<condition_trigger<Condition>> {
 public:
  static constexpr const char* kind = "when";
  static constexpr bool can_merge = true;
  static constexpr bool uses_timers = false;

  explicit condition_trigger(Condition holds) : holds_{std::move(holds)} {}

  template <class T, class W>
  trigger_result on_element(const T& element, event_time, const W&, trigger_context&) {
    return std::invoke(holds_, element) ? trigger_result::fire : trigger_result::continue_;
  }

  template <class W>
  void on_merge(const W&, trigger_merge_context&) {}

 private:
  Condition holds_;
};

/// Fires for each element for which `holds(element)` is true; also a data member or a member
/// function of the element.
template <class Condition>
condition_trigger<Condition> when(Condition holds) {
  return condition_trigger<Condition>{std::move(holds)};
}

}  // namespace weir::windowing

namespace weir {
using windowing::when;
}
