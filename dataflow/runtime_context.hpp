// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "weir/core/clock.hpp"
#include "weir/core/metrics.hpp"
#include "weir/core/random.hpp"
#include "weir/dataflow/operator_environment.hpp"

namespace weir::dataflow {

/// How a job runs.
enum class execution_mode {
  streaming,  ///< All operators at the same time, record by record: what weir does, always.
  batch       ///< One stage after the other, over input that ends.
};

/// The job that a function runs in.
struct job_info {
  std::string name;
  execution_mode mode = execution_mode::streaming;
};

/// The subtask that a function runs in.
struct task_info {
  std::string name;  ///< of the operator
  std::uint32_t parallelism = 1;
  std::uint32_t max_parallelism = 1;
  std::uint32_t index = 0;    ///< of the subtask, in [0, parallelism)
  std::uint32_t attempt = 1;  ///< of the job, since its program started: greater after a failure
};

/// Where a function runs, and the clock that it should read. Made and owned by the operator; may be
/// kept from `open` to `close`.
class runtime_context {
 public:
  /// For the engine. `environment` must outlive the context.
  explicit runtime_context(const operator_environment& environment) : environment_{&environment} {}

  job_info job() const { return {environment_->job, execution_mode::streaming}; }

  task_info task() const {
    const auto& e = *environment_;
    return {e.name, e.parallelism, e.max_parallelism, e.subtask.value, e.current.attempt.value};
  }

  /// The metrics of the subtask; what is added there is shown with the job.
  metric_group& metrics() const { return *environment_->metrics; }

  /// The clock of processing time. Read this one only: under simulation time is virtual.
  const clock& time() const { return *environment_->time; }

  /// A new generator, to be kept: the same numbers whenever the same attempt of the same subtask
  /// runs. Draw from this one only, for the same reason.
  random_generator random() const;

 protected:
  ~runtime_context() = default;
  runtime_context(const runtime_context&) = default;
  runtime_context& operator=(const runtime_context&) = default;

  const operator_environment& environment() const { return *environment_; }

 private:
  const operator_environment* environment_;
};

}  // namespace weir::dataflow

namespace weir {
using dataflow::execution_mode;
using dataflow::job_info;
using dataflow::runtime_context;
using dataflow::task_info;
}  // namespace weir
