// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "weir/core/random.hpp"
#include "weir/windowing/time_window.hpp"

namespace weir::windowing {

/// Whether the windows of different subtasks begin at the same time. If they do not, their results
/// do not all come in one burst.
enum class window_stagger : std::uint8_t {
  aligned,  ///< They do.
  random,   ///< A subtask's windows are moved by a random time below their size.
  natural,  ///< They begin when, by its clock, the subtask has got its first record.
};

/// By how much windows of `size` are moved whose first record comes at `now`: in [0, size).
/// @pre size > 0
constexpr duration stagger_offset(window_stagger how, duration size, clock_time now,
                                  random_generator& random) {
  switch (how) {
    case window_stagger::random: {
      const auto below = static_cast<std::uint64_t>(size.count());
      return duration{static_cast<std::int64_t>(random.below(below))};
    }
    case window_stagger::natural: return duration{time_in_window({now.ms}, duration::zero(), size)};
    case window_stagger::aligned: break;
  }
  return duration::zero();
}

}  // namespace weir::windowing

namespace weir {
using windowing::window_stagger;
}
