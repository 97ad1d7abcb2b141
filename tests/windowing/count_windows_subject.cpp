// SPDX-License-Identifier: Apache-2.0
#include "windowing/drawn_windows.hpp"

namespace weir::testing {

operator_harness::factory make_count_windows(const window_subject& subject) {
  const auto& w = subject.rules.windows;
  const with_contents<contents_kind::process> process;
  if (w.slide == 0) {
    const auto dress = [&](const auto& windows) {
      return windows.trigger(windowing::purging(after_count(w.size)));
    };
    return operator_with(subject, windowing::global_windows(), dress, process);
  }
  const auto dress = [&](const auto& windows) {
    return windows.trigger(after_count(w.slide)).evictor(count_evictor{w.size});
  };
  return operator_with(subject, windowing::global_windows(), dress, process);
}

}  // namespace weir::testing
