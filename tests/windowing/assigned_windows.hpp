// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "weir/windowing/time_window.hpp"

namespace weir::testing {

/// The windows of a record that comes with `time` while the clock stands at `now`.
template <class Assigner, class T = int>
std::vector<typename Assigner::window_type> assigned(Assigner assigner, event_time time,
                                                     clock_time now = {-777},
                                                     const T& record = {}) {
  std::vector<typename Assigner::window_type> windows;
  static_cast<void>(
      assigner.assign(record, time, now, [&](const auto& w) { windows.push_back(w); }));
  return windows;
}

/// [start, end), in milliseconds.
constexpr time_window window(std::int64_t start, std::int64_t end) { return {at(start), at(end)}; }

inline bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace weir::testing
