// SPDX-License-Identifier: Apache-2.0
#include "windowing/drawn_windows.hpp"

namespace weir::testing {

operator_harness::factory make_global_windows(const window_subject& subject) {
  using enum contents_kind;
  const auto at_end = windowing::global_windows().with_end_of_stream_trigger();
  if (!subject.trigger)
    return evicts(subject) ? plain_evicting(subject, at_end) : plain<reduce>(subject, at_end);
  if (evicts(subject)) return evicting<process>(subject, windowing::global_windows());
  return triggered<aggregate, process>(subject, windowing::global_windows());
}

}  // namespace weir::testing
