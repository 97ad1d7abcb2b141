// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>
#include <cstdint>
#include <functional>
#include <type_traits>
#include <utility>

#include "weir/state/reducing_state.hpp"
#include "weir/state/states.hpp"
#include "weir/windowing/combinable_trigger.hpp"
#include "weir/windowing/trigger_defaults.hpp"

namespace weir::windowing {

/// What numbers of a type are added up in: whole ones in 64 bits, broken ones in a double.
template <class T>
using accumulated = std::conditional_t<std::is_integral_v<T>, std::int64_t,
                                       std::conditional_t<std::is_floating_point_v<T>, double, T>>;

/// Fires when the elements of a window have come to a threshold. A value; made by
/// `when_accumulated`.
template <class Of, class Sum>
class accumulation_trigger : public trigger_defaults,
                             public combinable_trigger<accumulation_trigger<Of, Sum>> {
 public:
  static constexpr const char* kind = "when accumulated";
  static constexpr bool can_merge = true;
  static constexpr bool uses_timers = false;

  accumulation_trigger(Of of, Sum threshold)
      : of_{std::move(of)}, threshold_{std::move(threshold)} {}

  auto uses_states() { return state::states(sum_); }

  template <class T, class W>
  trigger_result on_element(const T& element, event_time, const W&, trigger_context&) {
    using value = std::remove_cvref_t<std::invoke_result_t<Of&, const T&>>;
    static_assert(!(std::floating_point<value> && std::integral<Sum>),
                  "when_accumulated(of, threshold): `of` gives broken numbers, so the threshold "
                  "must be one: 100.0");
    sum_.add(static_cast<Sum>(std::invoke(of_, element)));
    if (*sum_.get() < threshold_) return trigger_result::continue_;
    sum_.clear();
    return trigger_result::fire;
  }

  /// Does not fire, even if the sum is enough.
  template <class W>
  void on_merge(const W&, trigger_merge_context& context) {
    context.merge(sum_);
  }

 private:
  /// Whole numbers stay at the end of their range.
  struct add {
    Sum operator()(const Sum& a, const Sum& b) const {
      if constexpr (std::is_same_v<Sum, std::int64_t>)
        return saturating_add(a, b);
      else
        return a + b;
    }
  };

  Of of_;
  Sum threshold_;
  state::reducing_state<Sum, add> sum_{"accumulated"};
};

/// Adds `of(element)` to a running value of the window and fires when that is `threshold` or more;
/// then it starts from zero. `of` may be a data member or a member function of the element.
template <class Of, class Threshold>
accumulation_trigger<Of, accumulated<Threshold>> when_accumulated(Of of, Threshold threshold) {
  return {std::move(of), static_cast<accumulated<Threshold>>(std::move(threshold))};
}

}  // namespace weir::windowing

namespace weir {
using windowing::when_accumulated;
}
