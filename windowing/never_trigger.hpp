// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/windowing/combinable_trigger.hpp"
#include "weir/windowing/trigger_defaults.hpp"

namespace weir::windowing {

/// Never fires: the trigger of global windows unless another is asked for.
class never_trigger : public trigger_defaults, public combinable_trigger<never_trigger> {
 public:
  static constexpr const char* kind = "never";
  static constexpr bool uses_timers = false;
};

}  // namespace weir::windowing

namespace weir {
using windowing::never_trigger;
}
