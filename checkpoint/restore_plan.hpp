// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "weir/checkpoint/manifest.hpp"
#include "weir/core/ids.hpp"
#include "weir/core/key_groups.hpp"
#include "weir/core/result.hpp"

namespace weir::checkpoint {

/// How widely an operator of the graph that is about to start runs.
struct operator_layout {
  std::string uid{};
  std::uint32_t parallelism = 1;
  std::uint32_t max_parallelism = 1;
  bool max_parallelism_set = true;  ///< by the user; false: it follows from the parallelism
  std::uint32_t task = 0;           ///< operators of one task run chained
};

/// Gives the operators whose max parallelism was not set that of their keyed state in `from`, so
/// that another parallelism does not change it; those that are chained with one of them and have no
/// keyed state there follow it. Others stay as they are. A pure function.
/// Errors: invalid_argument, with both numbers, if the parallelism is above that of the keyed
/// state, another one is set, or two chained operators would get different ones.
result<std::vector<operator_layout>> keep_max_parallelism(const manifest& from,
                                                          std::vector<operator_layout> operators);

/// A file that a subtask reads when it starts, and which former subtask wrote it.
struct restore_file {
  state_file file;
  subtask_index from{};

  friend bool operator==(const restore_file&, const restore_file&) = default;
};

/// What one operator starts from. Each of its subtasks takes the chunks of its own key groups, and
/// all unkeyed chunks: which of those are its own, the operator decides.
struct operator_restore {
  std::string uid{};
  std::uint32_t parallelism = 1;
  std::uint32_t max_parallelism = 1;
  std::uint32_t former_parallelism = 0;      ///< 0: the manifest does not know the operator
  std::uint32_t former_max_parallelism = 0;  ///< the same
  std::vector<restore_file> files{};         ///< by former subtask, ascending

  /// The key groups of `subtask`. @pre subtask < parallelism
  key_group_range groups_of(subtask_index subtask) const {
    return range_of(subtask, parallelism, max_parallelism);
  }

  /// Whether keyed state of `subtask` is in one of `files`.
  bool has_groups_of(subtask_index subtask, const restore_file& source) const;

  friend bool operator==(const operator_restore&, const operator_restore&) = default;
};

/// Who starts from what.
struct restore_plan {
  checkpoint_id restored{};                 ///< of all subtasks, also of those with no files
  std::vector<operator_restore> operators;  ///< in the order of the layouts
  std::vector<std::string> ignored;         ///< operators of the manifest whose state nobody takes

  /// Null: there is none of that uid.
  const operator_restore* find(const std::string& uid) const;
};

/// What to do with the state of operators that the graph no longer has.
enum class non_restored_state {
  refuse,
  allow,
};

/// Distributes what `from` holds over `operators`. Operators that `from` does not know start
/// empty. A pure function.
/// Errors: invalid_argument if an operator has keyed state and its max parallelism is not what it
/// was, its parallelism is above it, a uid comes twice, or state would be left behind that may not
/// be.
result<restore_plan> plan_restore(const manifest& from,
                                  const std::vector<operator_layout>& operators,
                                  non_restored_state policy = non_restored_state::refuse);

}  // namespace weir::checkpoint
