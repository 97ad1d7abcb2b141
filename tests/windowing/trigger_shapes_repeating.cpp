// SPDX-License-Identifier: Apache-2.0
#include "windowing/trigger_shapes.hpp"

namespace weir::testing {

trigger_pair draw_repeating(trigger_kind kind, random_generator& random) {
  switch (kind) {
    case trigger_kind::repeatedly: return draw_of_one_part<0, 700>(random);
    case trigger_kind::purging: return draw_of_one_part<2, 800>(random);
    default: return draw_of_one_part<3, 900>(random);
  }
}

}  // namespace weir::testing
