// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>

namespace weir::windowing {

template <class Trigger, class Until>
class or_finally_trigger;

/// Gives a trigger the combinators that are written behind it. `Self` derives from it.
template <class Self>
class combinable_trigger {
 public:
  /// Fires when this trigger does, until `until` fires: that is the last fire. For any two triggers
  /// there is the function `or_finally(trigger, until)`.
  template <class Until>
  or_finally_trigger<Self, Until> or_finally(Until until) const {
    return {static_cast<const Self&>(*this), std::move(until)};
  }
};

}  // namespace weir::windowing
