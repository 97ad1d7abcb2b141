// SPDX-License-Identifier: Apache-2.0
#include "weir/windowing/calendar_windows.hpp"

#include "windowing/drawn_windows.hpp"

namespace weir::testing {

operator_harness::factory make_plain_windows(const window_subject& subject) {
  using enum contents_kind;
  const auto& w = subject.rules.windows;
  const duration size{w.size}, slide{w.slide}, offset{w.offset};
  switch (w.what) {
    case model::assignment::kind::tumbling:
      if (size == std::chrono::hours{1})
        return plain<aggregate>(subject, calendar_event_time(calendar_unit::hour, "UTC"));
      return plain<reduce, aggregate>(subject, tumbling_event_time(size, offset));
    case model::assignment::kind::sliding:
      return plain<reduce, aggregate>(subject, sliding_event_time(size, slide, offset));
    case model::assignment::kind::session:
      return plain<reduce, aggregate>(subject, session_event_time(size));
    default: return plain<aggregate>(subject, dynamic_session_event_time(gap_of_sample{}));
  }
}

}  // namespace weir::testing
