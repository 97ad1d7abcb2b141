// SPDX-License-Identifier: Apache-2.0
#include "windowing/trigger_shapes.hpp"

namespace weir::testing {

trigger_pair draw_finishing(trigger_kind kind, random_generator& random) {
  switch (kind) {
    case trigger_kind::or_finally: return draw_of_two_parts<3, 400>(random);
    case trigger_kind::once: return draw_of_one_part<1, 500>(random);
    default: return draw_of_two_parts<4, 600>(random);
  }
}

}  // namespace weir::testing
