// SPDX-License-Identifier: Apache-2.0
#include "weir/actors/internal/job_blueprint.hpp"

#include <utility>

namespace weir::actors::internal {

result<job_blueprint> job_blueprint::make(dataflow::environment& described) {
  const auto& options = described.options();
  if (auto fits = options.validate(); !fits) return std::move(fits).failure();
  if (auto built = described.job().build(options.parallelism); !built) {
    return std::move(built).failure();
  }
  auto plan = dataflow::make_plan(described.job());
  return job_blueprint{described.name(), options, described.job(), std::move(plan)};
}

std::vector<checkpoint::operator_layout> job_blueprint::layouts() const {
  std::vector<checkpoint::operator_layout> all;
  for (const auto& node : graph.nodes()) {
    all.push_back({node.uid, node.parallelism, node.max_parallelism});
  }
  all.push_back({split_lists_uid, 1, 1});
  return all;
}

}  // namespace weir::actors::internal
