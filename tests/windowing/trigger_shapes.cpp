// SPDX-License-Identifier: Apache-2.0
#include "windowing/trigger_shapes.hpp"

namespace weir::testing {

trigger_pair draw_trigger_of(trigger_kind kind, random_generator& random) {
  switch (kind) {
    case trigger_kind::leaf:
      if (random.chance(1, 3)) return as_pair(draw_leaf<1>(random));
      return as_pair(draw_leaf<0>(random));
    case trigger_kind::any_of: return draw_of_two_parts<0, 100>(random);
    case trigger_kind::all_of: return draw_of_two_parts<1, 200>(random);
    case trigger_kind::after_each: return draw_of_two_parts<2, 300>(random);
    case trigger_kind::repeatedly:
    case trigger_kind::purging:
    case trigger_kind::timeout: return draw_repeating(kind, random);
    default: return draw_finishing(kind, random);
  }
}

}  // namespace weir::testing
