// SPDX-License-Identifier: Apache-2.0
#include "weir/actors/internal/job_actor.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

#include "weir/actors/internal/caf_error.hpp"
#include "weir/actors/internal/delay.hpp"
#include "weir/actors/internal/job_opening.hpp"
#include "weir/actors/internal/subtask_actor.hpp"
#include "weir/actors/internal/wiring.hpp"

namespace weir::actors::internal {
namespace {

constexpr std::uint64_t job_lane = 2;
constexpr std::uint64_t first_subtask_lane = 16;

checkpoint::restart_policy restarts_of(const dataflow::job_options& options) {
  auto policy =
      checkpoint::restart_policy::fixed_delay(options.restart_attempts, options.restart_delay);
  return policy ? *policy : checkpoint::restart_policy::none();
}

std::string name_of(subtask_id id) {
  return std::to_string(id.task) + "/" + std::to_string(id.index.value);
}

}  // namespace

job_actor::job_actor(caf::actor_config& config, std::shared_ptr<job_setup> setup)
    : actor_base{config, "job"},
      setup_{std::move(*setup)},
      restarts_{restarts_of(setup_.job->options)} {}

caf::behavior job_actor::make_behavior() {
  open_job();
  return {
      [](const io_done& done) { done.apply(); },
      [this](report_message& message) { on_report(std::move(message)); },
      [this](const attempt_failed& message) { attempt_is_over(message.cause, message.final); },
      [this](attempt_settled& message) {
        settled_ = std::move(message);
        settle_if_stopped();
      },
      [this](job_completed) {
        completed_ = true;
        attempt_is_over(error{errc::cancelled, "the job is complete"}, true);
      },
      [this](cancel_message) {
        cancelled_ = true;
        attempt_is_over(error{errc::cancelled, "the job was cancelled"}, true);
      },
      [this](restart_message message) {
        if (message.after == attempt_ && !cancelled_) prepare_attempt(settled_->newest);
      },
  };
}

void job_actor::on_exit() {
  if (subtasks_) {
    for (const auto& [id, actor] : *subtasks_) kill(this, actor);
  }
  if (checkpoints_) kill(this, checkpoints_);
  subtasks_ = nullptr;
  checkpoints_ = nullptr;
}

void job_actor::open_job() {
  run_io([this, job = setup_.job, services = setup_.services] {
    auto opening = open_job_folder(job, services);
    return [this, opening = std::move(opening)] { opened(opening); };
  });
}

void job_actor::opened(result<job_opening> opening) {
  if (cancelled_) return;
  if (!opening) return finish(job_state::failed, std::move(opening).failure());
  for (const auto& warning : opening->warnings) log(log_level::warning, warning);
  setup_.monitor->update([&](job_status& s) { s.warnings = opening->warnings; });
  if (opening->kind == checkpoint::start_kind::finished) {
    setup_.monitor->update([&](job_status& s) {
      s.already_finished = true;
      s.last_checkpoint = opening->restored->id;
    });
    return finish(job_state::finished, std::nullopt);
  }
  setup_.job = opening->job;
  splits_ = std::move(opening->splits);
  auto setup = std::make_shared<checkpoint_setup>();
  setup->job = setup_.job;
  setup->services = setup_.services;
  setup->monitor = setup_.monitor;
  setup->store = opening->store;
  setup->restored = opening->restored;
  setup->splits = splits_;
  setup->coordinator = caf::actor_cast<caf::actor>(this);
  checkpoints_ = spawn<checkpoint_actor>(setup);
  monitor(checkpoints_);
  epoch_ = opening->store ? opening->store->epoch() : epoch_id{1};
  prepare_attempt(opening->restored);
}

void job_actor::prepare_attempt(std::optional<checkpoint::manifest> from) {
  ++attempt_.value;
  failure_.reset();
  settled_.reset();
  restored_ = from ? from->id : checkpoint_id{};
  run_io([this, job = setup_.job, services = setup_.services,
          current = dataflow::incarnation{epoch_, attempt_}, from = std::move(from)] {
    auto basis = read_attempt_basis(*job, services, current, from);
    return [this, basis = std::move(basis)] { deploy(basis); };
  });
}

void job_actor::deploy(const result<attempt_basis>& basis) {
  if (cancelled_ || failure_) return;
  if (!basis) return attempt_is_over(basis.failure(), basis.failure().code() != errc::io_error);
  pools_.clear();
  alignment_ = aligned_sources();
  for (const auto& [uid, list] : splits_) {
    const auto progress = basis->progress.find(uid);
    pools_.emplace(uid,
                   split_pool{list, progress == basis->progress.end() ? dataflow::split_progress{}
                                                                      : progress->second});
  }
  auto table = std::make_shared<subtask_actors>();
  const auto& tasks = setup_.job->plan.tasks;
  for (std::uint32_t task = 0; task < tasks.size(); ++task) {
    for (std::uint32_t s = 0; s < tasks[task].parallelism; ++s) {
      const subtask_id id{task, {s}};
      auto actor = spawn_subtask(id, *basis);
      if (!actor) {                    // the job has failed
        subtasks_ = std::move(table);  // to be ended with it
        return;
      }
      monitor(actor);
      alive_.insert(actor.address());
      not_ready_.insert(id);
      table->emplace(id, std::move(actor));
    }
  }
  subtasks_ = std::move(table);
  for (const auto& [id, actor] : *subtasks_) send(actor, peers_message{subtasks_});
}

caf::actor job_actor::spawn_subtask(subtask_id id, const attempt_basis& basis) {
  const auto& job = *setup_.job;
  auto built = dataflow::build_chain(job.graph, job.plan, id.task);
  if (!built) {
    finish(job_state::failed, std::move(built).failure());
    return {};
  }
  auto setup = std::make_shared<subtask_setup>();
  auto wiring = wire(job.plan, id);
  auto& spec = setup->spec;
  spec.self = id;
  spec.attempt = attempt_;
  spec.credit = credit_per_channel(job.options.channel_credit, job.options.subtask_credit,
                                   wiring.inputs.size());
  spec.inputs = std::move(wiring.inputs);
  spec.outputs = std::move(wiring.outputs);
  spec.max_linger = job.options.max_linger;
  spec.snapshots.time = job.options.checkpoint_timeout / 2;
  spec.time = setup_.services.time;
  spec.mutations = setup_.services.mutations.subtask;
  spec.metrics = &setup_.monitor->metrics_of(name_of(id));
  spec.built = *std::move(built);
  for (std::size_t place = 0; place < spec.built.operators->size(); ++place) {
    spec.environments.push_back(environment_of(id, place, spec.built));
  }
  if (!job.options.checkpoint_folder.empty()) {
    spec.folder.emplace(*setup_.services.files, job.options.checkpoint_folder, epoch_, attempt_);
  }
  setup->job = caf::actor_cast<caf::actor>(this);
  setup->checkpoints = checkpoints_;
  setup->services = setup_.services;
  setup->io_lane = first_subtask_lane + (std::uint64_t{attempt_.value} << 40) +
                   (std::uint64_t{id.task} << 20) + id.index.value;
  setup->restored = basis.restored;
  return spawn<subtask_actor>("subtask " + name_of(id), setup);
}

dataflow::operator_environment job_actor::environment_of(subtask_id id, std::size_t place,
                                                         const dataflow::built_chain& built) {
  const auto& job = *setup_.job;
  dataflow::operator_environment environment;
  environment.job = job.name;
  environment.subtask = id.index;
  environment.parallelism = job.plan.tasks[id.task].parallelism;
  environment.current = {epoch_, attempt_};
  environment.limits = job.options.limits;
  environment.watermarks = job.graph.watermarks();
  environment.time = setup_.services.time;
  environment.files = setup_.services.files;
  environment.metrics = &setup_.monitor->metrics_of(name_of(id));
  environment.log = setup_.services.log;
  environment.place = static_cast<std::uint32_t>(place);
  if (place >= built.nodes.size()) {
    environment.name = "channel";
    return environment;
  }
  const auto& node = job.graph.at(built.nodes[place]);
  environment.uid = node.uid;
  environment.name = node.name;
  environment.max_parallelism = node.max_parallelism;
  environment.groups = range_of(id.index, environment.parallelism, node.max_parallelism);
  return environment;
}

void job_actor::on_report(report_message message) {
  if (message.attempt != attempt_ || failure_) return;
  if (std::holds_alternative<subtask_ready>(message.what)) return on_ready(message.from);
  if (const auto* failed = std::get_if<subtask_failed>(&message.what)) {
    return attempt_is_over(failed->cause, false);
  }
  if (const auto* request = std::get_if<split_request>(&message.what)) {
    return on_split_request(message.from, request->source);
  }
  if (const auto* report = std::get_if<alignment_report>(&message.what)) {
    on_alignment_report(message.from, *report);
  }
}

void job_actor::on_ready(subtask_id from) {
  not_ready_.erase(from);
  if (!not_ready_.empty()) return;
  send(checkpoints_, attempt_started{attempt_, subtasks_});
  for (const auto& [id, actor] : *subtasks_) send(actor, subtask_command{start_command{}});
  setup_.monitor->update([&](job_status& s) {
    s.state = job_state::running;
    s.attempt = attempt_.value;
    s.restored_checkpoint = restored_;
  });
  log(log_level::info,
      "attempt " + std::to_string(attempt_.value) + " runs" +
          (restored_.value == 0 ? std::string{}
                                : ", restored from checkpoint " + std::to_string(restored_.value)));
}

void job_actor::on_split_request(subtask_id from, std::uint32_t source) {
  auto& pool = pools_.at(source_of(from, source).uid);
  send(subtasks_->at(from), subtask_command{split_command{source, pool.take()}});
}

void job_actor::on_alignment_report(subtask_id from, const alignment_report& report) {
  const dataflow::aligned_subtask reporter{from.task, report.source, from.index.value};
  for (const auto& [to, allowed] : alignment_.on_report(reporter, report.watermark)) {
    send(subtasks_->at({to.task, {to.subtask}}),
         subtask_command{alignment_command{to.place, allowed}});
  }
}

dataflow::alignment_groups job_actor::aligned_sources() const {
  dataflow::alignment_groups groups;
  const auto& tasks = setup_.job->plan.tasks;
  for (std::uint32_t task = 0; task < tasks.size(); ++task) {
    for (std::uint32_t place = 0; place < tasks[task].nodes.size(); ++place) {
      const auto& alignment = source_of({task, {}}, place).alignment;
      if (!alignment) continue;
      for (std::uint32_t subtask = 0; subtask < tasks[task].parallelism; ++subtask) {
        groups.add({task, place, subtask}, alignment->group, alignment->max_drift);
      }
    }
  }
  return groups;
}

const dataflow::graph_node& job_actor::source_of(subtask_id id, std::uint32_t place) const {
  return setup_.job->graph.at(setup_.job->plan.tasks[id.task].nodes[place]);
}

void job_actor::on_down(const caf::down_msg& down) {
  if (alive_.erase(down.source) > 0) {
    if (!failure_) {
      auto reason = from_caf(down.reason);
      attempt_is_over(reason ? error{errc::cancelled, "a subtask ended"} : reason.failure(), false);
    }
    return settle_if_stopped();
  }
  if (checkpoints_ && down.source == checkpoints_.address()) {
    checkpoints_ = nullptr;
    finish(job_state::failed, error{errc::cancelled, "the checkpoint coordinator ended"});
  }
}

void job_actor::attempt_is_over(const error& cause, bool final) {
  final_failure_ |= final;
  if (failure_) return settle_if_stopped();
  failure_ = cause;
  not_ready_.clear();
  if (subtasks_) {
    for (const auto& [id, actor] : *subtasks_) kill(this, actor);
  }
  if (checkpoints_) {
    send(checkpoints_, attempt_ended{});
  } else {
    settled_.emplace();
  }
  settle_if_stopped();
}

void job_actor::settle_if_stopped() {
  if (!failure_ || !alive_.empty() || !settled_) return;
  subtasks_ = nullptr;
  const bool all_done = settled_->newest && settled_->newest->finished;
  if (completed_ || all_done) return finish(job_state::finished, std::nullopt);
  if (cancelled_) return finish(job_state::cancelled, failure_);
  if (final_failure_) return finish(job_state::failed, failure_);
  log(log_level::error,
      "attempt " + std::to_string(attempt_.value) + " failed: " + failure_->message());
  const auto at = restarts_.on_failure(now());
  if (!at) return finish(job_state::failed, failure_);
  setup_.monitor->update([&](job_status& s) {
    s.state = job_state::restarting;
    s.cause = failure_;
  });
  delayed_send(this, delay_until(*at, now()), restart_message{attempt_});
}

void job_actor::finish(job_state state, std::optional<error> cause) {
  setup_.monitor->update([&](job_status& s) {
    s.state = state;
    s.cause = std::move(cause);
  });
  quit();
}

void job_actor::run_io(std::function<std::function<void()>()> work) {
  run_on(*setup_.services.io, job_lane, std::move(work));
}

void job_actor::log(log_level level, std::string text) {
  setup_.services.log->write({level, "job " + setup_.job->name, std::move(text)});
}

}  // namespace weir::actors::internal
