// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace weir::windowing {

/// What a trigger wants to be done with a window, for one key or for all. It fires first, then it
/// purges.
enum class trigger_result : std::uint8_t {
  continue_ = 0,
  fire = 1,            ///< Give the result of what is in the window; nothing if it is empty.
  purge = 2,           ///< Empty the window. Timers stay.
  fire_and_purge = 3,  ///< Both.
};

constexpr bool fires(trigger_result r) { return (static_cast<unsigned>(r) & 1u) != 0; }
constexpr bool purges(trigger_result r) { return (static_cast<unsigned>(r) & 2u) != 0; }

}  // namespace weir::windowing

namespace weir {
using windowing::trigger_result;
}
