// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <type_traits>
#include <utility>

#include "weir/state/states.hpp"
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

namespace internal {

template <class C, class R, class First, class... Rest>
First first_parameter(R (C::*)(First, Rest...) const);
template <class C, class R, class First, class... Rest>
First first_parameter(R (C::*)(First, Rest...));

/// `T`, unless it is void: then what `Delta` takes.
template <class T, class Delta>
struct compared {
  using type = T;
};
template <class Delta>
struct compared<void, Delta> {
  using type = std::remove_cvref_t<decltype(first_parameter(&Delta::operator()))>;
};

}  // namespace internal

/// Fires for an element for which `delta(last, element)` is more than `threshold`, where `last` is
/// the element that it fired for before, or the first of the window. Not for windows that merge.
/// If `delta` is a template, the type of elements must be said: `after_delta<reading>(…)`.
template <class T = void, class Threshold, class Delta>
auto after_delta(Threshold threshold, Delta delta) {
  using element = typename internal::compared<T, Delta>::type;
  return delta_trigger<element, Threshold, Delta>{std::move(threshold), std::move(delta)};
}

}  // namespace weir::windowing

namespace weir {
using windowing::after_delta;
}
