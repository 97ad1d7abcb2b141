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
};

/// A file that a subtask reads when it starts, and which former subtask wrote it.
struct restore_file {
  state_file file;
  subtask_index from{};

  friend bool operator==(const restore_file&, const restore_file&) = default;
};

/// What one subtask of one operator starts from. Of the files it takes the chunks of its own key
/// groups, and all unkeyed chunks: which of those are its own, the operator decides.
struct subtask_restore {
  std::string uid{};
  subtask_index subtask{};
  key_group_range groups{};
  std::vector<restore_file> files{};  ///< by former subtask, ascending

  friend bool operator==(const subtask_restore&, const subtask_restore&) = default;
};

/// Who starts from what.
struct restore_plan {
  checkpoint_id restored{};               ///< of all subtasks, also of those with no files
  std::vector<subtask_restore> subtasks;  ///< in the order of the operators, then ascending
  std::vector<std::string> ignored;       ///< operators of the manifest whose state nobody takes
};

/// What to do with the state of operators that the graph no longer has.
enum class non_restored_state {
  refuse,
  allow,
};

/// Distributes what `from` holds over `operators`. Operators that `from` does not know start
/// empty. A pure function.
/// Errors: invalid_argument if an operator's max parallelism is not what it was, its parallelism
/// is above it, a uid comes twice, or state would be left behind that may not be.
result<restore_plan> plan_restore(const manifest& from,
                                  const std::vector<operator_layout>& operators,
                                  non_restored_state policy = non_restored_state::refuse);

}  // namespace weir::checkpoint
