// SPDX-License-Identifier: Apache-2.0
#include "weir/checkpoint/restore_plan.hpp"

#include <algorithm>
#include <set>
#include <string_view>
#include <utility>

namespace weir::checkpoint {

namespace {

error invalid(std::string message) { return {errc::invalid_argument, std::move(message)}; }

std::string named(const std::string& uid) { return "operator '" + uid + "'"; }

const operator_state* find(const manifest& from, std::string_view uid) {
  const auto entry = std::find_if(from.operators.begin(), from.operators.end(),
                                  [uid](const auto& stored) { return stored.uid == uid; });
  return entry == from.operators.end() ? nullptr : &*entry;
}

bool has_state(const operator_state& stored) {
  return std::any_of(stored.subtasks.begin(), stored.subtasks.end(),
                     [](const auto& subtask) { return !subtask.files.empty(); });
}

bool intersect(key_group_range a, key_group_range b) {
  return a.first <= b.last && b.first <= a.last;
}

std::vector<restore_file> files_for(key_group_range groups, const operator_state& stored) {
  std::vector<restore_file> files;
  for (const auto& former : stored.subtasks) {
    const auto had = range_of(former.subtask, stored.parallelism, stored.max_parallelism);
    for (const auto& file : former.files) {
      if (file.unkeyed || (file.keyed && intersect(groups, had))) {
        files.push_back({.file = file, .from = former.subtask});
      }
    }
  }
  return files;
}

status check_layout(const operator_layout& layout, const operator_state* stored) {
  if (auto fits = check_parallelism(layout.parallelism, layout.max_parallelism); !fits) {
    return std::move(fits).failure().within(named(layout.uid));
  }
  if (!stored || !has_state(*stored) || stored->max_parallelism == layout.max_parallelism) {
    return {};
  }
  return invalid(
      named(layout.uid) + ": max parallelism is " + std::to_string(layout.max_parallelism) +
      " now and was " + std::to_string(stored->max_parallelism) +
      " in the checkpoint: it cannot change, set it to " + std::to_string(stored->max_parallelism));
}

}  // namespace

result<restore_plan> plan_restore(const manifest& from,
                                  const std::vector<operator_layout>& operators,
                                  non_restored_state policy) {
  restore_plan plan;
  plan.restored = from.id;
  std::set<std::string_view> uids;
  for (const auto& layout : operators) {
    if (!uids.insert(layout.uid).second) return invalid(named(layout.uid) + " is there twice");
    const auto* stored = find(from, layout.uid);
    if (auto fits = check_layout(layout, stored); !fits) return std::move(fits).failure();
    for (std::uint32_t index = 0; index < layout.parallelism; ++index) {
      const auto groups = range_of({index}, layout.parallelism, layout.max_parallelism);
      plan.subtasks.push_back(
          {.uid = layout.uid,
           .subtask = {index},
           .groups = groups,
           .files = stored ? files_for(groups, *stored) : std::vector<restore_file>{}});
    }
  }
  for (const auto& stored : from.operators) {
    if (uids.count(stored.uid) > 0 || !has_state(stored)) continue;
    if (policy == non_restored_state::refuse) {
      return invalid("checkpoint " + std::to_string(from.id.value) + " holds state of " +
                     named(stored.uid) +
                     ", which the job no longer has: give an operator this "
                     "uid, or allow non-restored state to drop it");
    }
    plan.ignored.push_back(stored.uid);
  }
  return plan;
}

}  // namespace weir::checkpoint
