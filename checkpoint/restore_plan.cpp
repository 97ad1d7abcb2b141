// SPDX-License-Identifier: Apache-2.0
#include "weir/checkpoint/restore_plan.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <utility>

namespace weir::checkpoint {

namespace {

error invalid(std::string message) { return {errc::invalid_argument, std::move(message)}; }

std::string named(const std::string& uid) { return "operator '" + uid + "'"; }

const operator_state* find_state(const manifest& from, std::string_view uid) {
  const auto entry = std::find_if(from.operators.begin(), from.operators.end(),
                                  [uid](const auto& stored) { return stored.uid == uid; });
  return entry == from.operators.end() ? nullptr : &*entry;
}

template <class Matches>
bool has_file(const operator_state& stored, Matches matches) {
  return std::any_of(stored.subtasks.begin(), stored.subtasks.end(), [&](const auto& subtask) {
    return std::any_of(subtask.files.begin(), subtask.files.end(), matches);
  });
}

bool has_state(const operator_state& stored) {
  return has_file(stored, [](const auto&) { return true; });
}

bool has_keyed_state(const operator_state& stored) {
  return has_file(stored, [](const auto& file) { return file.keyed; });
}

bool intersect(key_group_range a, key_group_range b) {
  return a.first <= b.last && b.first <= a.last;
}

std::vector<restore_file> files_of(const operator_state& stored) {
  std::vector<restore_file> files;
  for (const auto& former : stored.subtasks) {
    for (const auto& file : former.files) files.push_back({.file = file, .from = former.subtask});
  }
  return files;
}

error other_max_parallelism(const operator_layout& layout, const operator_state& stored) {
  const auto was = std::to_string(stored.max_parallelism);
  return invalid(named(layout.uid) + ": max parallelism is " +
                 std::to_string(layout.max_parallelism) + " now and was " + was +
                 " in the checkpoint: it cannot change, set it to " + was);
}

/// The max parallelism for `layout`, whose keyed state is `stored`.
result<std::uint32_t> kept_max_parallelism(const operator_layout& layout,
                                           const operator_state& stored) {
  if (layout.max_parallelism_set && layout.max_parallelism != stored.max_parallelism) {
    return other_max_parallelism(layout, stored);
  }
  if (layout.parallelism <= stored.max_parallelism) return stored.max_parallelism;
  return invalid(named(layout.uid) + ": its parallelism is " + std::to_string(layout.parallelism) +
                 ", and its keyed state in the checkpoint has max parallelism " +
                 std::to_string(stored.max_parallelism) + ": it cannot run wider than that");
}

status check_layout(const operator_layout& layout, const operator_state* stored) {
  if (auto fits = check_parallelism(layout.parallelism, layout.max_parallelism); !fits) {
    return std::move(fits).failure().within(named(layout.uid));
  }
  if (!stored || !has_keyed_state(*stored) || stored->max_parallelism == layout.max_parallelism) {
    return {};
  }
  return other_max_parallelism(layout, *stored);
}

operator_restore restore_of(const operator_layout& layout, const operator_state* stored) {
  operator_restore restore{.uid = layout.uid,
                           .parallelism = layout.parallelism,
                           .max_parallelism = layout.max_parallelism};
  if (!stored) return restore;
  restore.former_parallelism = stored->parallelism;
  restore.former_max_parallelism = stored->max_parallelism;
  restore.files = files_of(*stored);
  return restore;
}

}  // namespace

result<std::vector<operator_layout>> keep_max_parallelism(const manifest& from,
                                                          std::vector<operator_layout> operators) {
  std::map<std::uint32_t, const operator_layout*> kept;  // by task, those that were not set
  std::set<std::string_view> have_keyed_state;
  for (auto& layout : operators) {
    const auto* stored = find_state(from, layout.uid);
    if (!stored || !has_keyed_state(*stored)) continue;
    auto max_parallelism = kept_max_parallelism(layout, *stored);
    if (!max_parallelism) return std::move(max_parallelism).failure();
    layout.max_parallelism = *max_parallelism;
    have_keyed_state.insert(layout.uid);
    if (layout.max_parallelism_set) continue;
    const auto [first, is_first] = kept.emplace(layout.task, &layout);
    if (is_first || first->second->max_parallelism == layout.max_parallelism) continue;
    return invalid("operators '" + first->second->uid + "' and '" + layout.uid +
                   "' run chained, and their keyed state in the checkpoint has max parallelism " +
                   std::to_string(first->second->max_parallelism) + " and " +
                   std::to_string(layout.max_parallelism) +
                   ": set the max parallelism of each, or do not chain them");
  }
  for (auto& layout : operators) {
    const auto chained = kept.find(layout.task);
    if (layout.max_parallelism_set || chained == kept.end()) continue;
    if (have_keyed_state.contains(layout.uid)) continue;
    layout.max_parallelism = chained->second->max_parallelism;
  }
  return operators;
}

bool operator_restore::has_groups_of(subtask_index subtask, const restore_file& source) const {
  return source.file.keyed &&
         intersect(groups_of(subtask),
                   range_of(source.from, former_parallelism, former_max_parallelism));
}

const operator_restore* restore_plan::find(const std::string& uid) const {
  const auto found = std::find_if(operators.begin(), operators.end(),
                                  [&uid](const auto& restore) { return restore.uid == uid; });
  return found == operators.end() ? nullptr : &*found;
}

result<restore_plan> plan_restore(const manifest& from,
                                  const std::vector<operator_layout>& operators,
                                  non_restored_state policy) {
  restore_plan plan;
  plan.restored = from.id;
  std::set<std::string_view> uids;
  for (const auto& layout : operators) {
    if (!uids.insert(layout.uid).second) return invalid(named(layout.uid) + " is there twice");
    const auto* stored = find_state(from, layout.uid);
    if (auto fits = check_layout(layout, stored); !fits) return std::move(fits).failure();
    plan.operators.push_back(restore_of(layout, stored));
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
