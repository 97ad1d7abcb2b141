// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "weir/simulation/fault_plan.hpp"

namespace weir::simulation::internal {

/// Says when the crashes of a plan are due, and counts passages through points. Each crash is
/// given out once.
class crash_schedule {
 public:
  explicit crash_schedule(std::vector<crash_fault> crashes) : crashes_{std::move(crashes)} {}

  /// The crashes due at `step`. One of the running system waits for a step in which one runs.
  std::vector<crash_fault> at_step(std::uint64_t step, bool a_system_runs);

  /// Counts a passage; the crashes due at it.
  std::vector<crash_fault> at_point(std::string_view point);

  /// No crash is due any more.
  void end() { crashes_.clear(); }

  std::uint64_t passages(std::string_view point) const;

 private:
  std::vector<crash_fault> crashes_;  // those still to come
  std::map<std::string, std::uint64_t, std::less<>> passages_;
};

}  // namespace weir::simulation::internal
