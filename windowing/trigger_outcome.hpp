// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/windowing/trigger_result.hpp"

namespace weir::windowing {

/// What a part of a trigger decided, and why: for the combinators around it. A value.
struct trigger_outcome {
  trigger_result what = trigger_result::continue_;
  /// It fires because the window has ended: if windows merge to one that ends later, that does not
  /// hold any more.
  bool at_end = false;
};

constexpr bool fires(trigger_outcome o) { return fires(o.what); }
constexpr bool purges(trigger_outcome o) { return purges(o.what); }

/// To fire or not, and to purge or not.
constexpr trigger_result make_result(bool fire, bool purge) {
  return static_cast<trigger_result>((fire ? 1u : 0u) | (purge ? 2u : 0u));
}

/// What two parts want together, where each decides alone. It is one fire, and it holds as long as
/// one of theirs does.
constexpr trigger_outcome either(trigger_outcome a, trigger_outcome b) {
  const auto what = make_result(fires(a) || fires(b), purges(a) || purges(b));
  return {what, fires(what) && (!fires(a) || a.at_end) && (!fires(b) || b.at_end)};
}

}  // namespace weir::windowing
