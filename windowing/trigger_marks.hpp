// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "weir/windowing/trigger_outcome.hpp"

namespace weir::windowing {

/// Which parts of an `all_of` have fired since it did itself: a bit for each. Stored in snapshots.
struct trigger_marks {
  std::uint32_t fired = 0;
  std::uint32_t purge = 0;   ///< parts of `fired` that want to purge
  std::uint32_t at_end = 0;  ///< parts of `fired` that did so only because the window had ended

  bool has(std::size_t part) const { return (fired >> part & 1u) != 0; }

  /// Takes back what holds no more when the window ends later.
  void drop_at_end() {
    fired &= ~at_end;
    purge &= ~at_end;
    at_end = 0;
  }
};

/// The marks of a part.
constexpr trigger_marks mark_of(std::size_t part, trigger_outcome outcome) {
  const auto bit = std::uint32_t{1} << part;
  return {bit, purges(outcome) ? bit : 0, outcome.at_end ? bit : 0};
}

/// Marks that are made one after the other, or in windows that are merged: a mark holds as long as
/// one of them does.
struct join_marks {
  constexpr trigger_marks operator()(const trigger_marks& a, const trigger_marks& b) const {
    const auto held = (a.fired & ~a.at_end) | (b.fired & ~b.at_end);
    const auto fired = a.fired | b.fired;
    return {fired, a.purge | b.purge, fired & ~held};
  }
};

}  // namespace weir::windowing
