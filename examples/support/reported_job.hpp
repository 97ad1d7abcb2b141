// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "weir/dataflow/environment.hpp"

#include "examples/support/noting_source.hpp"

namespace example {

/// The job's process: runs the job to its end, and tells on standard output how it stands, in lines
/// of `job_progress`. Returns the exit code. What goes wrong is a line on standard error.
int run_reported(weir::environment& described, const read_log& log, const std::string& output_root);

}  // namespace example
