// SPDX-License-Identifier: Apache-2.0
#include "windowing/drawn_windows.hpp"

namespace weir::testing {

operator_harness::factory make_clock_windows(const window_subject& subject) {
  using enum contents_kind;
  const auto windows = windows_of<timer_domain::processing>(subject.rules.windows);
  if (!subject.trigger)
    return evicts(subject) ? plain_evicting(subject, windows) : plain<reduce>(subject, windows);
  if (evicts(subject)) return evicting<process>(subject, windows);
  return triggered<aggregate, process>(subject, windows);
}

}  // namespace weir::testing
