// SPDX-License-Identifier: Apache-2.0
#include "windowing/drawn_windows.hpp"

namespace weir::testing {

operator_harness::factory make_event_windows(const window_subject& subject) {
  using enum contents_kind;
  const auto windows = windows_of<timer_domain::event>(subject.rules.windows);
  if (!subject.trigger)
    return evicts(subject) ? plain_evicting(subject, windows) : plain<process>(subject, windows);
  if (evicts(subject)) return evicting<aggregate, process>(subject, windows);
  return triggered<reduce, aggregate, process>(subject, windows);
}

}  // namespace weir::testing
