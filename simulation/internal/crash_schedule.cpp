// SPDX-License-Identifier: Apache-2.0
#include "weir/simulation/internal/crash_schedule.hpp"

#include <algorithm>
#include <iterator>

namespace weir::simulation::internal {
namespace {

/// Moves the crashes for which `is_due` holds out of `crashes`, in order.
template <class Predicate>
std::vector<crash_fault> take(std::vector<crash_fault>& crashes, const Predicate& is_due) {
  const auto first = std::stable_partition(crashes.begin(), crashes.end(),
                                           [&](const crash_fault& c) { return !is_due(c); });
  std::vector<crash_fault> due{std::make_move_iterator(first),
                               std::make_move_iterator(crashes.end())};
  crashes.erase(first, crashes.end());
  return due;
}

}  // namespace

std::vector<crash_fault> crash_schedule::at_step(std::uint64_t step, bool a_system_runs) {
  if (crashes_.empty()) return {};
  return take(crashes_, [&](const crash_fault& crash) {
    const bool has_victim = a_system_runs || crash.everywhere || !crash.system.empty();
    return crash.point.empty() && crash.count <= step && has_victim;
  });
}

std::vector<crash_fault> crash_schedule::at_point(std::string_view point) {
  auto found = passages_.find(point);
  if (found == passages_.end()) found = passages_.emplace(point, 0).first;
  const std::uint64_t passage = ++found->second;
  if (crashes_.empty()) return {};
  return take(crashes_, [&](const crash_fault& crash) {
    return crash.point == point && crash.count == passage;
  });
}

std::uint64_t crash_schedule::passages(std::string_view point) const {
  const auto found = passages_.find(point);
  return found == passages_.end() ? 0 : found->second;
}

}  // namespace weir::simulation::internal
