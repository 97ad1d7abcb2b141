// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "weir/actors/job_monitor.hpp"
#include "weir/core/result.hpp"
#include "weir/dataflow/environment.hpp"

namespace weir::actors {

namespace internal {
struct job_starter;
}

/// What a job came to.
struct job_result {
  std::uint64_t records = 0;  ///< that its sources emitted, in this process
  job_status status;
};

/// A job that runs in this process, in an actor system of its own. Any thread. The destructor
/// cancels the job if it is not over, and waits for its actors.
class job_handle {
 public:
  job_handle(job_handle&&) noexcept;
  job_handle& operator=(job_handle&&) noexcept;
  ~job_handle();

  job_status status() const;
  const job_monitor& monitor() const;

  /// Returns when the job is over. Errors: why it failed; cancelled.
  result<job_result> wait() const;

  /// Ends the job now. What no complete checkpoint holds is never visible; the newest checkpoint
  /// stays, and a later start goes on from it. Returns at once.
  void cancel();

 private:
  friend struct internal::job_starter;

  class running;
  explicit job_handle(std::unique_ptr<running> job);

  std::unique_ptr<running> job_;
};

/// Starts a job. Errors: those of its options and its graph, all of them; nothing runs then.
result<job_handle> start(dataflow::environment& described);

/// Runs a job to its end. Errors: those of `start`, and why it failed.
result<job_result> execute(dataflow::environment& described);

}  // namespace weir::actors

namespace weir {
using actors::execute;
using actors::job_handle;
using actors::job_result;
using actors::job_state;
using actors::job_status;
using actors::start;
}  // namespace weir
