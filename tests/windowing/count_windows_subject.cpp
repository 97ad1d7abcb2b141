// SPDX-License-Identifier: Apache-2.0
#include "weir/windowing/count_windows.hpp"

#include "windowing/drawn_windows.hpp"

namespace weir::testing {

operator_harness::factory make_count_windows(const window_subject& subject) {
  const auto& w = subject.rules.windows;
  if (w.slide == 0) return plain<contents_kind::process>(subject, count_window(w.size));
  return plain<contents_kind::process>(subject, count_window(w.size, w.slide));
}

}  // namespace weir::testing
