// SPDX-License-Identifier: Apache-2.0
#include "examples/support/reported_job.hpp"

#include <chrono>
#include <iostream>
#include <optional>

#include "weir/actors/internal/job_starter.hpp"

#include "examples/support/job_progress.hpp"
#include "examples/support/kill_point.hpp"

namespace example {
namespace {

using steady = std::chrono::steady_clock;

constexpr std::chrono::milliseconds report_interval{5};

/// Watches a job, and writes a line when something is new.
class reporter {
 public:
  reporter(const weir::job_handle& job, const read_log& log) : job_{job}, log_{log} {}

  void run() {
    for (bool over = false; !over;) {
      const auto status = job_.monitor().wait_for(report_interval);
      over = status.over();
      const auto now = progress_of(status);
      if (now == last_) continue;
      last_ = now;
      std::cout << to_line(now) << std::endl;
    }
  }

 private:
  job_progress progress_of(const weir::job_status& status) {
    job_progress now;
    now.running = status.state >= weir::job_state::running;
    now.finished = status.state == weir::job_state::finished;
    now.already_finished = status.already_finished;
    now.read = log_.read();
    now.first_read = now.read > 0 ? log_.first() : 0;
    now.checkpoints = status.completed_checkpoints;
    now.restored = status.restored_checkpoint.value;
    if (now.running && !since_) since_ = steady::now();
    if (since_ && (now.read > last_.read || status.over())) {
      moved_ms_ = std::chrono::duration_cast<std::chrono::milliseconds>(steady::now() - *since_);
    }
    now.running_ms = static_cast<std::uint64_t>(moved_ms_.count());
    return now;
  }

  const weir::job_handle& job_;
  const read_log& log_;
  std::optional<steady::time_point> since_;
  std::chrono::milliseconds moved_ms_{0};
  job_progress last_;
};

}  // namespace

int run_reported(weir::environment& described, const read_log& log,
                 const std::string& output_root) {
  auto job = weir::actors::internal::job_starter::start(described, make_kill_hook(output_root));
  if (!job) {
    std::cerr << described.name() << ": " << job.error_text() << '\n';
    return 1;
  }
  reporter{*job, log}.run();
  const auto ended = job->wait();
  for (const auto& warning : job->status().warnings) {
    std::cerr << described.name() << ": warning: " << warning << '\n';
  }
  if (ended) return 0;
  std::cerr << described.name() << ": " << ended.error_text() << '\n';
  return 1;
}

}  // namespace example
