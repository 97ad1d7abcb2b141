// SPDX-License-Identifier: Apache-2.0
#include "windowing/drawn_windows.hpp"

namespace weir::testing {

operator_harness::factory make_plain_windows(const window_subject& subject) {
  using enum contents_kind;
  const auto& w = subject.rules.windows;
  const duration size{w.size}, slide{w.slide}, offset{w.offset};
  switch (w.what) {
    case model::assignment::kind::tumbling:
      return plain<reduce, aggregate>(subject, tumbling_event_time(size, offset));
    case model::assignment::kind::sliding:
      return plain<reduce, aggregate>(subject, sliding_event_time(size, slide, offset));
    case model::assignment::kind::session:
      return plain<reduce, aggregate>(subject, session_event_time(size));
    default: return plain<aggregate>(subject, dynamic_session_event_time(gap_of_sample{}));
  }
}

}  // namespace weir::testing
