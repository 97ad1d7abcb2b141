// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "weir/checkpoint/restore_plan.hpp"
#include "weir/checkpoint/subtask_id.hpp"
#include "weir/core/result.hpp"
#include "weir/dataflow/environment.hpp"

namespace weir::actors::internal {

/// A job as its coordinators need it: checked, planned, constant.
struct job_blueprint {
  std::string name;
  dataflow::job_options options;
  dataflow::graph graph;
  dataflow::plan plan;

  /// Errors: those of the options and of the graph.
  static result<job_blueprint> make(dataflow::environment& described);

  /// The job as it goes on from a checkpoint: operators whose max parallelism was not set have that
  /// of their keyed state.
  /// Errors: those of `keep_max_parallelism`.
  result<job_blueprint> restored_from(const checkpoint::manifest& from) const;

  /// All operators that may have state, with what the coordinator itself keeps.
  std::vector<checkpoint::operator_layout> layouts() const;

  /// The coordinator's own entry among the subtasks: it keeps the lists of splits.
  checkpoint::subtask_id split_keeper() const {
    return {static_cast<std::uint32_t>(plan.tasks.size()), {}};
  }
};

/// The uid under which the lists of splits are in checkpoints. No operator can have it.
inline constexpr const char* split_lists_uid = "~splits";

}  // namespace weir::actors::internal
