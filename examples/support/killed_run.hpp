// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "weir/core/result.hpp"

#include "examples/support/job_arguments.hpp"
#include "examples/support/job_progress.hpp"
#include "examples/support/published_files.hpp"

namespace example {

/// When a job is killed: not before it has completed two checkpoints and published a file.
struct kill_plan {
  std::uint64_t after_checkpoints = 2;
  std::chrono::milliseconds delay{0};  ///< after that
  std::string
      point;  ///< not empty: it kills itself at this point of the engine, see kill_point.hpp
};

/// What became of a job that was to be killed and started again.
enum class run_outcome {
  finished,          ///< after it was killed
  already_finished,  ///< the first start found so: nothing was done
  too_soon           ///< it had no more to read when it could be killed
};

struct killed_run {
  run_outcome outcome = run_outcome::finished;
  job_progress before;  ///< as last heard of
  job_progress after;
  std::vector<published_file> published;  ///< when it was dead
  std::chrono::milliseconds recovery{0};  ///< from the second start until it read again
};

/// Is called as the job goes on; `restarted`: it was killed before.
using progress_listener = std::function<void(const job_progress&, bool restarted)>;

/// Starts the job as a process, kills it with SIGKILL, and starts it again with the same command
/// line (but for `--fresh`, which is about the first start). Errors: with no text if the job's
/// process has said what is wrong; already_exists if files that were published before the kill are
/// not what they were.
weir::result<killed_run> run_killed(const job_arguments& arguments, const kill_plan& plan,
                                    const progress_listener& listener);

}  // namespace example
