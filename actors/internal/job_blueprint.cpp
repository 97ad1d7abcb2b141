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

result<job_blueprint> job_blueprint::restored_from(const checkpoint::manifest& from) const {
  auto kept = checkpoint::keep_max_parallelism(from, layouts());
  if (!kept) {
    return std::move(kept).failure().within("checkpoint " + std::to_string(from.id.value));
  }
  auto fitted = graph;
  for (std::uint32_t node = 0; node < fitted.nodes().size(); ++node) {
    fitted.at({node}).max_parallelism = (*kept)[node].max_parallelism;
  }
  auto fitted_plan = dataflow::make_plan(fitted);
  return job_blueprint{name, options, std::move(fitted), std::move(fitted_plan)};
}

std::vector<checkpoint::operator_layout> job_blueprint::layouts() const {
  std::vector<checkpoint::operator_layout> all;
  for (const auto& node : graph.nodes()) {
    all.push_back(
        {node.uid, node.parallelism, node.max_parallelism, node.wanted_max_parallelism != 0, 0});
  }
  for (std::uint32_t task = 0; task < plan.tasks.size(); ++task) {
    for (const auto node : plan.tasks[task].nodes) all[node.value].task = task;
  }
  all.push_back({split_lists_uid, 1, 1, true, split_keeper().task});
  return all;
}

}  // namespace weir::actors::internal
