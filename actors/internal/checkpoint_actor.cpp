// SPDX-License-Identifier: Apache-2.0
#include "weir/actors/internal/checkpoint_actor.hpp"

#include <algorithm>
#include <chrono>
#include <utility>
#include <variant>

#include "weir/actors/internal/delay.hpp"
#include "weir/core/codec.hpp"

namespace weir::actors::internal {
namespace {

/// The store's works follow one another: lane 1 of the executor is theirs.
constexpr std::uint64_t store_lane = 1;

checkpoint::checkpoint_config config_of(const dataflow::job_options& options) {
  checkpoint::checkpoint_config config;
  if (options.checkpoint_interval > duration::zero()) config.interval = options.checkpoint_interval;
  config.timeout = options.checkpoint_timeout;
  config.tolerable_failures = options.tolerable_failed_checkpoints;
  config.retained = options.retained_checkpoints;
  return config;
}

}  // namespace

checkpoint_actor::checkpoint_actor(caf::actor_config& config,
                                   std::shared_ptr<checkpoint_setup> setup)
    : actor_base{config, "checkpoints"},
      setup_{std::move(*setup)},
      logic_{config_of(setup_.job->options)},
      newest_{setup_.restored} {
  // Read here: from now on the store is used on its lane of the executor only.
  if (setup_.store) last_id_ = setup_.store->last_id();
  if (!newest_) return;
  for (const auto& op : newest_->operators) {
    if (op.uid != split_lists_uid) continue;
    for (const auto& part : op.subtasks) {
      if (!part.files.empty()) split_file_ = part.files.front();
    }
  }
}

caf::behavior checkpoint_actor::make_behavior() {
  return {
      [this](attempt_started& started) { start_attempt(std::move(started)); },
      [this](attempt_ended) {
        carry_out(logic_.stop());
        subtasks_ = nullptr;
        settling_ = true;
        settle_if_asked();
      },
      [this](report_message& message) { on_report(std::move(message)); },
      [this](const io_done& done) {
        done.apply();
        settle_if_asked();
      },
      [this](tick_message) {
        tick_at_ = clock_time::max();
        carry_out(logic_.tick(now()));
      },
  };
}

void checkpoint_actor::on_exit() {
  subtasks_ = nullptr;
  setup_.coordinator = nullptr;
}

void checkpoint_actor::start_attempt(attempt_started started) {
  const auto& job = *setup_.job;
  attempt_ = started.attempt;
  subtasks_ = std::move(started.subtasks);
  checkpoint::checkpointed_job attempt{
      job.name, job.plan.fingerprint, {1}, attempt_, job.layouts(), {}, {}};
  if (setup_.store) attempt.epoch = setup_.store->epoch();
  for (const auto& [id, actor] : *subtasks_) {
    attempt.subtasks.push_back(id);
    if (job.graph.at(job.plan.tasks[id.task].nodes.front()).inputs.empty()) {
      attempt.targets.push_back(id);
    }
  }
  attempt.subtasks.push_back(job.split_keeper());
  ending_.reset();
  copies_ = {};
  carry_out(logic_.start(std::move(attempt), last_id_, now()));
  carry_out(logic_.subtask_finished(job.split_keeper(), now()));
}

void checkpoint_actor::on_report(report_message message) {
  if (!subtasks_ || message.attempt != attempt_) return;
  if (auto* written = std::get_if<snapshot_written>(&message.what)) {
    setup_.services.point("coordinator.acknowledgement");
    copies_.add(written->id, message.from.index, written->digests);
    carry_out(logic_.acknowledged(
        {written->id, message.from, written->finished, std::move(written->operators)}, now()));
  } else if (const auto* failed = std::get_if<snapshot_failed>(&message.what)) {
    carry_out(logic_.declined(failed->id, message.from, failed->reason, now()));
  } else if (std::holds_alternative<subtask_ended>(message.what)) {
    carry_out(logic_.subtask_finished(message.from, now()));
  } else if (const auto* done = std::get_if<commits_done>(&message.what)) {
    on_commits_done(message.from, done->id);
  }
}

void checkpoint_actor::on_commits_done(subtask_id from, checkpoint_id id) {
  if (!ending_ || id < *ending_) return;
  not_committed_.erase(from);
  if (not_committed_.empty()) publish_end();
}

/// Only what says `finished` keeps a start from doing anything: by then all must be committed.
void checkpoint_actor::publish_end() {
  ending_.reset();
  publishing_end_ = true;
  auto content = *newest_end_;
  last_id_ = {content.id.value + 1};  // no other checkpoint comes behind that of the end
  content.id = last_id_;
  content.finished = true;
  content.created = now();
  run_io([this, store = setup_.store, content = std::move(content),
          retained = setup_.job->options.retained_checkpoints] {
    status done;
    if (store) done = store->record_last_id(content.id);
    if (store && done) done = store->publish(content);
    if (store && done) {
      // What stays behind is of no harm.
      const auto ignored = store->retain(retained);
      static_cast<void>(ignored);
    }
    return [this, content, done = std::move(done)] { end_published(content, done); };
  });
}

void checkpoint_actor::end_published(const checkpoint::manifest& content, const status& done) {
  publishing_end_ = false;
  if (!done) {
    const bool fenced = done.failure().code() == errc::fenced;
    return send(setup_.coordinator, attempt_failed{done.failure(), fenced});
  }
  note_complete(content);
  send(setup_.coordinator, job_completed{});
}

void checkpoint_actor::note_complete(const checkpoint::manifest& content) {
  if (setup_.store) newest_ = content;
  setup_.monitor->update([&](job_status& s) {
    ++s.completed_checkpoints;
    s.last_checkpoint = content.id;
  });
}

void checkpoint_actor::carry_out(checkpoint::coordinator_actions actions) {
  for (const auto& action : actions) {
    std::visit([this](const auto& a) { carry_out(a); }, action);
  }
  set_tick();
}

void checkpoint_actor::carry_out(const checkpoint::record_id& action) {
  if (!setup_.store) {
    return run_io([this, id = action.id] {
      return [this, id] { carry_out(logic_.id_recorded(id, now())); };
    });
  }
  run_io([this, id = action.id, store = setup_.store] {
    auto done = store->record_last_id(id);
    return [this, id, done = std::move(done)] {
      carry_out(done ? logic_.id_recorded(id, now())
                     : logic_.id_record_failed(id, done.failure(), now()));
    };
  });
}

void checkpoint_actor::carry_out(const checkpoint::trigger_checkpoint& action) {
  for (const auto target : action.targets) {
    send(subtasks_->at(target), subtask_command{trigger_command{action.id}});
  }
  acknowledge_splits(action.id);
}

void checkpoint_actor::acknowledge_splits(checkpoint_id id) {
  if (!setup_.store || split_file_ || setup_.splits.empty()) {
    return splits_written(id, split_file_.value_or(checkpoint::state_file{}));
  }
  const checkpoint::state_folder folder{*setup_.services.files,
                                        setup_.job->options.checkpoint_folder,
                                        setup_.store->epoch(), attempt_};
  run_io([this, id, folder, splits = setup_.splits] {
    checkpoint::state_file_writer writer;
    for (const auto& [uid, list] : splits) {
      writer.put(split_lists_uid, {uid, std::nullopt, encode(list), {}});
    }
    writer.finish();
    result<checkpoint::state_file> written = checkpoint::state_file{};
    auto file = folder.create(id, "splits.state");
    if (!file) {
      written = std::move(file).failure();
    } else if (auto done = (*file)->append(writer.take()); !done) {
      written = std::move(done).failure();
    } else {
      written = (*file)->close();
    }
    return [this, id, written = std::move(written)] { splits_written(id, written); };
  });
}

void checkpoint_actor::splits_written(checkpoint_id id,
                                      const result<checkpoint::state_file>& written) {
  if (!subtasks_) return;
  const auto keeper = setup_.job->split_keeper();
  if (!written) {
    return carry_out(logic_.declined(id, keeper, written.error_text(), now()));
  }
  checkpoint::acknowledgement part{id, keeper, true, {}};
  if (!written->path.empty()) {
    new_split_file_ = *written;
    new_split_file_->unkeyed = true;
    part.operators.push_back({split_lists_uid, {*new_split_file_}});
  }
  carry_out(logic_.acknowledged(std::move(part), now()));
}

void checkpoint_actor::carry_out(const checkpoint::publish_manifest& action) {
  setup_.services.point("coordinator.publish");
  auto content = action.content;
  if (std::exchange(content.finished, false)) newest_end_ = content;
  run_io([this, store = setup_.store, content = std::move(content)] {
    status done;
    if (store) done = store->publish(content);
    return [this, content, done = std::move(done)] { published(content, done); };
  });
}

void checkpoint_actor::published(const checkpoint::manifest& content, const status& done) {
  if (!done) return carry_out(logic_.publish_failed(content.id, done.failure(), now()));
  setup_.services.point("coordinator.published");
  note_complete(content);
  for (auto& warning : copies_.take_warnings(content.id, setup_.job->graph)) {
    setup_.services.log->write({log_level::warning, "checkpoints", std::move(warning)});
  }
  if (new_split_file_) split_file_ = new_split_file_;
  carry_out(logic_.published(content.id, now()));
}

void checkpoint_actor::carry_out(const checkpoint::notify_complete& action) {
  tell_all(completed_command{action.id});
}

void checkpoint_actor::carry_out(const checkpoint::notify_aborted& action) {
  setup_.services.log->write(
      {log_level::warning, "checkpoints",
       "checkpoint " + std::to_string(action.id.value) + " was aborted: " + action.reason});
  setup_.services.point("coordinator.aborted");
  tell_all(aborted_command{action.id});
}

void checkpoint_actor::carry_out(const checkpoint::discard_files& action) {
  if (!setup_.store) return;
  run_io([store = setup_.store, id = action.id] {
    // What stays behind is removed by the next retention, or by the next start.
    const auto ignored = store->discard(id);
    static_cast<void>(ignored);
    return [] {};
  });
}

void checkpoint_actor::carry_out(const checkpoint::retain_checkpoints& action) {
  if (!setup_.store) return;
  run_io([this, store = setup_.store, count = action.count] {
    auto done = store->retain(count);
    return [this, done = std::move(done)] {
      if (done) return;
      setup_.services.log->write({log_level::warning, "checkpoints",
                                  "old checkpoints stay for now: " + done.error_text()});
    };
  });
}

void checkpoint_actor::carry_out(const checkpoint::fail_job& action) {
  send(setup_.coordinator, attempt_failed{error{errc::io_error, action.reason}, false});
}

void checkpoint_actor::carry_out(const checkpoint::withdraw& action) {
  send(setup_.coordinator, attempt_failed{error{errc::fenced, action.reason}, true});
}

void checkpoint_actor::carry_out(const checkpoint::end_job& action) {
  ending_ = action.id;
  not_committed_.clear();
  for (const auto& [id, actor] : *subtasks_) not_committed_.insert(id);
}

void checkpoint_actor::settle_if_asked() {
  if (!settling_ || logic_.publishing() || publishing_end_) return;
  settling_ = false;
  send(setup_.coordinator, attempt_settled{newest_});
}

void checkpoint_actor::run_io(std::function<std::function<void()>()> work) {
  run_on(*setup_.services.io, store_lane, std::move(work));
}

void checkpoint_actor::tell_all(const subtask_command& command) {
  if (!subtasks_) return;
  for (const auto& [id, actor] : *subtasks_) send(actor, command);
}

void checkpoint_actor::set_tick() {
  const auto next = logic_.next_tick().value_or(clock_time::max());
  if (next >= tick_at_) return;
  tick_at_ = next;
  delayed_send(this, delay_until(next, now()), tick_message{});
}

}  // namespace weir::actors::internal
