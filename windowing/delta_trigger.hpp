// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <type_traits>
#include <utility>

#include "weir/dataflow/functions.hpp"
#include "weir/state/value_state.hpp"
#include "weir/windowing/combinable_trigger.hpp"
#include "weir/windowing/trigger_defaults.hpp"

namespace weir::windowing {

/// Fires for an element that is far from the one it fired for last. A value; made by `after_delta`.
template <class T, class Threshold, class Delta>
class delta_trigger : public trigger_defaults,
                      public combinable_trigger<delta_trigger<T, Threshold, Delta>> {
 public:
  static constexpr const char* kind = "delta";
  static constexpr bool uses_timers = false;

  delta_trigger(Threshold threshold, Delta delta)
      : threshold_{std::move(threshold)}, delta_{std::move(delta)} {}

  auto uses_states() { return state::states(last_); }

  template <class W>
  trigger_result on_element(const T& element, event_time, const W&, trigger_context&) {
    const T* const last = last_.value();
    if (last != nullptr && !(std::invoke(delta_, *last, element) > threshold_))
      return trigger_result::continue_;
    const bool first = last == nullptr;
    last_.update(element);
    return first ? trigger_result::continue_ : trigger_result::fire;
  }

 private:
  Threshold threshold_;
  Delta delta_;
  state::value_state<T> last_{"last-element"};
};

/// Fires for an element for which `delta(last, element)` is more than `threshold`, where `last` is
/// the element that it fired for before, or the first of the window. Not for windows that merge.
/// If `delta` is a template, T must be said: `after_delta<reading>(…)`.
template <class T, class Threshold, class Delta>
delta_trigger<T, Threshold, Delta> after_delta(Threshold threshold, Delta delta) {
  return {std::move(threshold), std::move(delta)};
}
template <class Threshold, class Delta>
auto after_delta(Threshold threshold, Delta delta) {
  using arguments = typename dataflow::internal::signature<decltype(&Delta::operator())>::arguments;
  using element = std::remove_cvref_t<std::tuple_element_t<0, arguments>>;
  return delta_trigger<element, Threshold, Delta>{std::move(threshold), std::move(delta)};
}

}  // namespace weir::windowing

namespace weir {
using windowing::after_delta;
}
