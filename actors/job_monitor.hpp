// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "weir/core/error.hpp"
#include "weir/core/ids.hpp"
#include "weir/core/metrics.hpp"

namespace weir::actors {

/// What a job is doing.
enum class job_state {
  starting,
  running,
  restarting,  ///< An attempt failed; the next one starts after a delay.
  finished,    ///< All input was processed and all output is visible.
  failed,
  cancelled
};

/// A job as it stands. A value.
struct job_status {
  job_state state = job_state::starting;
  std::uint32_t attempt = 0;
  std::uint64_t completed_checkpoints = 0;  ///< by this process
  checkpoint_id last_checkpoint{};
  checkpoint_id restored_checkpoint{};  ///< from which the running attempt started; 0: none
  bool already_finished = false;        ///< the checkpoint folder said so: nothing was run
  std::vector<std::string> warnings;
  std::optional<error> cause;  ///< why it failed

  bool over() const { return state >= job_state::finished; }
};

/// Where the coordinator tells how its job stands, and programs look. Any thread.
class job_monitor {
 public:
  job_status status() const {
    const std::lock_guard lock{mutex_};
    return status_;
  }

  /// Returns when the job is over. Never from an actor or an executor's work.
  job_status wait() const {
    std::unique_lock lock{mutex_};
    over_.wait(lock, [this] { return status_.over(); });
    return status_;
  }
  /// The same, but returns after `length` at the latest.
  job_status wait_for(std::chrono::milliseconds length) const {
    std::unique_lock lock{mutex_};
    over_.wait_for(lock, length, [this] { return status_.over(); });
    return status_;
  }

  /// For the coordinator: changes the status. `change` must not call this monitor.
  template <class Change>
  void update(Change change) {
    {
      const std::lock_guard lock{mutex_};
      change(status_);
    }
    over_.notify_all();
  }

  /// The metrics of a subtask, by its name; made on the first call, kept through restarts.
  metric_group& metrics_of(const std::string& subtask) {
    const std::lock_guard lock{mutex_};
    auto& group = metrics_[subtask];
    if (!group) group = std::make_unique<metric_group>();
    return *group;
  }

  /// The sum, over all subtasks, of the metrics of that name.
  std::int64_t total(const std::string& metric) const {
    const std::lock_guard lock{mutex_};
    std::int64_t sum = 0;
    for (const auto& [name, group] : metrics_) {
      for (const auto& value : group->snapshot()) sum += value.name == metric ? value.value : 0;
    }
    return sum;
  }
  /// The metrics of that name, each by the name of its subtask.
  std::map<std::string, std::int64_t> values_of(const std::string& metric) const {
    const std::lock_guard lock{mutex_};
    std::map<std::string, std::int64_t> found;
    for (const auto& [name, group] : metrics_) {
      for (const auto& value : group->snapshot()) {
        if (value.name == metric) found[name] = value.value;
      }
    }
    return found;
  }
  /// The largest, over all subtasks, of the metrics of that name.
  std::int64_t largest(const std::string& metric) const {
    const std::lock_guard lock{mutex_};
    std::int64_t most = 0;
    for (const auto& [name, group] : metrics_) {
      for (const auto& value : group->snapshot()) {
        if (value.name == metric && value.value > most) most = value.value;
      }
    }
    return most;
  }

 private:
  mutable std::mutex mutex_;
  mutable std::condition_variable over_;
  job_status status_;
  std::map<std::string, std::unique_ptr<metric_group>> metrics_;
};

}  // namespace weir::actors
