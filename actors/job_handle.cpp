// SPDX-License-Identifier: Apache-2.0
#include "weir/actors/job_handle.hpp"

#include <utility>

#include "weir/actors/internal/job_actor.hpp"
#include "weir/actors/internal/job_starter.hpp"
#include "weir/actors/internal/system.hpp"
#include "weir/core/clock.hpp"
#include "weir/core/file_system.hpp"
#include "weir/core/io_executor.hpp"
#include "weir/core/process_name.hpp"

namespace weir::actors {
namespace {

constexpr std::size_t io_threads = 2;

}  // namespace

/// Everything a running job lives in. Members are destroyed from the last to the first: the actors
/// before what they use.
class job_handle::running {
 public:
  running(std::shared_ptr<const internal::job_blueprint> job, log_sink* log,
          std::function<void(std::string_view)> point)
      : io_{make_thread_io_executor(io_threads)},
        config_{internal::make_system_config(0)},
        system_{std::make_unique<caf::actor_system>(*config_)} {
    auto setup = std::make_shared<internal::job_setup>();
    setup->job = std::move(job);
    setup->monitor = monitor_;
    setup->services.time = &system_clock();
    setup->services.files = &real_file_system();
    setup->services.io = io_.get();
    setup->services.log = log;
    setup->services.owner = unique_process_name();
    if (point) setup->services.point = std::move(point);
    job_ = system_->spawn<internal::job_actor>(setup);
  }
  ~running() {
    cancel();
    job_ = nullptr;
    system_.reset();  // waits for the actors
    io_.reset();
  }

  void cancel() { caf::anon_send(job_, internal::cancel_message{}); }
  const job_monitor& monitor() const { return *monitor_; }

 private:
  std::shared_ptr<job_monitor> monitor_ = std::make_shared<job_monitor>();  // with the coordinator
  std::unique_ptr<io_executor> io_;
  std::unique_ptr<caf::actor_system_config> config_;
  std::unique_ptr<caf::actor_system> system_;
  caf::actor job_;
};

job_handle::job_handle(std::unique_ptr<running> job) : job_{std::move(job)} {}
job_handle::job_handle(job_handle&&) noexcept = default;
job_handle& job_handle::operator=(job_handle&&) noexcept = default;
job_handle::~job_handle() = default;

job_status job_handle::status() const { return job_->monitor().status(); }
const job_monitor& job_handle::monitor() const { return job_->monitor(); }
void job_handle::cancel() { job_->cancel(); }

result<job_result> job_handle::wait() const {
  auto status = job_->monitor().wait();
  if (status.state != job_state::finished) {
    return status.cause.value_or(error{errc::cancelled, "the job was cancelled"});
  }
  const auto records = job_->monitor().total("source_records");
  return job_result{static_cast<std::uint64_t>(records), std::move(status)};
}

result<job_handle> internal::job_starter::start(dataflow::environment& described,
                                                std::function<void(std::string_view)> point) {
  auto job = job_blueprint::make(described);
  if (!job) return std::move(job).failure();
  keep_freed_memory();
  return job_handle{std::make_unique<job_handle::running>(
      std::make_shared<const job_blueprint>(*std::move(job)), described.log(), std::move(point))};
}

result<job_handle> start(dataflow::environment& described) {
  return internal::job_starter::start(described, {});
}

result<job_result> execute(dataflow::environment& described) {
  auto job = start(described);
  if (!job) return std::move(job).failure();
  return job->wait();
}

}  // namespace weir::actors
