// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/actors/internal/job_actor.hpp"

namespace weir::actors::internal {

/// Opens the checkpoint folder and plans the splits, or reads them from the checkpoint. Blocks.
result<job_opening> open_job_folder(std::shared_ptr<const job_blueprint> job,
                                    const runtime_services& services);

/// Reads what an attempt starts from, if `from` is given, and does what operators want done before
/// any subtask opens. Blocks.
result<attempt_basis> read_attempt_basis(const job_blueprint& job, const runtime_services& services,
                                         dataflow::incarnation current,
                                         const std::optional<checkpoint::manifest>& from);

}  // namespace weir::actors::internal
