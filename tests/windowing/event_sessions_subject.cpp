// SPDX-License-Identifier: Apache-2.0
#include "windowing/drawn_windows.hpp"

namespace weir::testing {

operator_harness::factory make_event_sessions(const window_subject& subject) {
  using enum contents_kind;
  const auto sessions = sessions_of<timer_domain::event>(subject.rules.windows);
  if (!subject.trigger)
    return evicts(subject) ? plain_evicting(subject, sessions) : plain<process>(subject, sessions);
  if (evicts(subject)) return evicting<reduce, process>(subject, sessions);
  return triggered<reduce, aggregate, process>(subject, sessions);
}

}  // namespace weir::testing
