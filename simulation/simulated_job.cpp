// SPDX-License-Identifier: Apache-2.0
#include "weir/simulation/simulated_job.hpp"

#include <map>
#include <utility>

#include "weir/actors/internal/job_actor.hpp"
#include "weir/simulation/gated_file_system.hpp"
#include "weir/simulation/internal/planted_faults.hpp"

namespace weir::simulation {

namespace engine = actors::internal;

/// The processes that were started, dead ones too, and what they share. Members are destroyed from
/// the last to the first: the kernel, with the actors, before what these use.
class simulated_job::processes {
 public:
  processes(job_description describe, simulated_job_options options)
      : describe_{std::move(describe)}, options_{std::move(options)} {
    options_.world.describe = engine::describe;
    options_.world.on_crash = [this](system_id id) { on_crash(id); };
    kernel_ = std::make_unique<kernel>(options_.world);
  }
  ~processes() {
    for (auto& [id, p] : all_) p.job = nullptr;
  }

  kernel& world() { return *kernel_; }
  memory_file_system& disk() { return disk_; }

  result<system_id> start(const std::string& name) {
    dataflow::environment described{"simulated"};
    describe_(described);
    auto blueprint = engine::job_blueprint::make(described);
    if (!blueprint) return std::move(blueprint).failure();
    const system_id id = kernel_->add_system(name);
    auto& p = all_[id];
    p.blueprint = std::make_shared<const engine::job_blueprint>(*std::move(blueprint));
    p.monitor = std::make_shared<actors::job_monitor>();
    p.files = std::make_unique<gated_file_system>(disk_, kernel_->disk_gate(id));
    auto setup = std::make_shared<engine::job_setup>();
    setup->job = p.blueprint;
    setup->monitor = p.monitor;
    setup->services = services_of(id, p, described.log());
    p.job = kernel_->actors(id).spawn<engine::job_actor>(setup);
    return id;
  }

  void cancel(system_id id) {
    if (auto& job = all_.at(id).job) caf::anon_send(job, engine::cancel_message{});
  }

  const actors::job_monitor& monitor(system_id id) const { return *all_.at(id).monitor; }

  std::vector<std::string> subtask_names(system_id id) const {
    std::vector<std::string> names;
    const auto& tasks = all_.at(id).blueprint->plan.tasks;
    for (std::size_t task = 0; task < tasks.size(); ++task) {
      for (std::uint32_t s = 0; s < tasks[task].parallelism; ++s) {
        names.push_back("subtask " + std::to_string(task) + "/" + std::to_string(s));
      }
    }
    return names;
  }

 private:
  struct process {
    std::shared_ptr<const engine::job_blueprint> blueprint;  // shared with the actors
    std::shared_ptr<actors::job_monitor> monitor;            // shared with the actors
    std::unique_ptr<gated_file_system> files;
    caf::actor job;
  };

  engine::runtime_services services_of(system_id id, process& p, log_sink* log) {
    engine::runtime_services services;
    services.time = &kernel_->clock_of(id);
    services.files = p.files.get();
    services.io = &kernel_->executor_of(id);
    services.log = log;
    services.owner = kernel_->name(id) + "-" + std::to_string(id.value);
    services.point = [this, id](std::string_view name) {
      if (options_.on_point) options_.on_point(id, name);
      kernel_->point(name);
    };
    if (options_.planted) services.mutations = options_.planted->engine;
    return services;
  }

  void on_crash(system_id id) {
    all_.at(id).job = nullptr;
    bool any_alive = false;
    for (const auto& [other, p] : all_) any_alive |= kernel_->is_alive(other);
    if (!any_alive) disk_.crash(kernel_->random());
    if (options_.on_crash) options_.on_crash(id);
  }

  job_description describe_;
  simulated_job_options options_;
  memory_file_system disk_;
  std::map<system_id, process> all_;
  std::unique_ptr<kernel> kernel_;
};

simulated_job::simulated_job(job_description describe, simulated_job_options options)
    : processes_{std::make_unique<processes>(std::move(describe), std::move(options))} {}

simulated_job::~simulated_job() = default;

kernel& simulated_job::world() { return processes_->world(); }
memory_file_system& simulated_job::disk() { return processes_->disk(); }

result<system_id> simulated_job::start_process(const std::string& name) {
  return processes_->start(name);
}

actors::job_status simulated_job::status_of(system_id process) const {
  return processes_->monitor(process).status();
}
const actors::job_monitor& simulated_job::monitor_of(system_id process) const {
  return processes_->monitor(process);
}

void simulated_job::cancel(system_id process) { processes_->cancel(process); }

void simulated_job::kill_actors(system_id process, const std::string& prefix) {
  processes_->world().kill_actors(process, prefix);
}

std::vector<std::string> simulated_job::subtask_names(system_id process) const {
  return processes_->subtask_names(process);
}

}  // namespace weir::simulation
