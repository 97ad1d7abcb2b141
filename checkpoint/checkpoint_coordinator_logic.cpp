// SPDX-License-Identifier: Apache-2.0
#include "weir/checkpoint/checkpoint_coordinator_logic.hpp"

#include <algorithm>
#include <utility>

namespace weir::checkpoint {

namespace {

/// After a final checkpoint that failed, of a job without periodic ones.
constexpr duration final_retry = std::chrono::seconds{1};

std::string describe(checkpoint_id id) { return "checkpoint " + std::to_string(id.value); }

std::string describe(subtask_id id) {
  return "subtask " + std::to_string(id.index.value) + " of task " + std::to_string(id.task);
}

}  // namespace

coordinator_actions checkpoint_coordinator_logic::start(checkpointed_job job,
                                                        checkpoint_id last_used, clock_time now) {
  auto actions = stop();
  job_ = std::move(job);
  std::sort(job_.subtasks.begin(), job_.subtasks.end());
  running_ = true;
  finished_.clear();
  last_used_ = std::max(last_used_, last_used);
  failures_ = 0;
  next_begin_.reset();
  if (config_.interval) next_begin_ = now + std::max(*config_.interval, config_.min_pause);
  return actions;
}

coordinator_actions checkpoint_coordinator_logic::stop() {
  coordinator_actions actions;
  running_ = false;
  next_begin_.reset();
  if (phase_ == phase::collecting) actions.emplace_back(discard_files{last_used_});
  if (phase_ != phase::publishing) {
    phase_ = phase::idle;
    parts_.clear();
  }
  return actions;
}

coordinator_actions checkpoint_coordinator_logic::tick(clock_time now) {
  coordinator_actions actions;
  if (phase_ == phase::collecting && now >= expires_) {
    fail("it was not complete " + std::to_string(config_.timeout.count()) +
             " ms after its start: " + std::to_string(parts_.size()) + " of " +
             std::to_string(job_.subtasks.size()) + " subtasks had acknowledged",
         now, actions);
  }
  begin_if_due(now, actions);
  return actions;
}

coordinator_actions checkpoint_coordinator_logic::id_recorded(checkpoint_id id, clock_time now) {
  coordinator_actions actions;
  if (phase_ != phase::recording || id != last_used_) return actions;
  phase_ = phase::collecting;
  expires_ = now + config_.timeout;
  actions.emplace_back(trigger_checkpoint{id, job_.targets});
  return actions;
}

coordinator_actions checkpoint_coordinator_logic::id_record_failed(checkpoint_id id,
                                                                   const error& failure,
                                                                   clock_time now) {
  coordinator_actions actions;
  if (failure.code() == errc::fenced) {
    stop();
    actions.emplace_back(withdraw{failure.message()});
    return actions;
  }
  if (phase_ != phase::recording || id != last_used_) return actions;
  fail("its id cannot be recorded: " + failure.message(), now, actions);
  begin_if_due(now, actions);
  return actions;
}

coordinator_actions checkpoint_coordinator_logic::acknowledged(acknowledgement part,
                                                               clock_time now) {
  coordinator_actions actions;
  const bool current = part.id == last_used_;
  const bool duplicate = part.id == last_complete_ || (current && phase_ == phase::publishing);
  if (duplicate) return actions;
  if (!current || phase_ != phase::collecting) {
    // The checkpoint is over without it: nobody names its files.
    actions.emplace_back(discard_files{part.id});
    return actions;
  }
  if (!is_ours(part.subtask)) return actions;
  if (auto known = check_operators(part); !known) {
    return declined(part.id, part.subtask, known.failure().message(), now);
  }
  parts_.try_emplace(part.subtask, std::move(part));
  if (parts_.size() < job_.subtasks.size()) return actions;
  phase_ = phase::publishing;
  auto content = make_manifest(now);
  marked_finished_ = content.finished;
  actions.emplace_back(publish_manifest{std::move(content)});
  return actions;
}

coordinator_actions checkpoint_coordinator_logic::declined(checkpoint_id id, subtask_id subtask,
                                                           const std::string& reason,
                                                           clock_time now) {
  coordinator_actions actions;
  if (phase_ != phase::collecting || id != last_used_) {
    // What the subtask wrote before it gave up may have come after the first discard.
    if (id != last_used_ || phase_ != phase::publishing) actions.emplace_back(discard_files{id});
    return actions;
  }
  fail(describe(subtask) + " declined it: " + reason, now, actions);
  begin_if_due(now, actions);
  return actions;
}

coordinator_actions checkpoint_coordinator_logic::published(checkpoint_id id, clock_time now) {
  coordinator_actions actions;
  if (phase_ != phase::publishing || id != last_used_) return actions;
  close(now);
  failures_ = 0;
  last_complete_ = id;
  if (running_) actions.emplace_back(notify_complete{id});
  actions.emplace_back(retain_checkpoints{config_.retained});
  if (running_ && marked_finished_) {
    running_ = false;
    next_begin_.reset();
    actions.emplace_back(end_job{id});
  }
  begin_if_due(now, actions);
  return actions;
}

coordinator_actions checkpoint_coordinator_logic::publish_failed(checkpoint_id id,
                                                                 const error& failure,
                                                                 clock_time now) {
  coordinator_actions actions;
  if (phase_ != phase::publishing || id != last_used_) return actions;
  if (failure.code() == errc::fenced) {
    // The record may be there after all, and whoever finds it needs the files.
    phase_ = phase::idle;
    stop();
    actions.emplace_back(withdraw{failure.message()});
    return actions;
  }
  if (running_) {
    fail("its manifest cannot be published: " + failure.message(), now, actions);
  } else {
    close(now);
    actions.emplace_back(discard_files{id});
  }
  begin_if_due(now, actions);
  return actions;
}

coordinator_actions checkpoint_coordinator_logic::subtask_finished(subtask_id subtask,
                                                                   clock_time now) {
  coordinator_actions actions;
  if (!running_ || !is_ours(subtask) || !finished_.insert(subtask).second) return actions;
  // At once, and not when the interval is over. One that is being made comes first: it may turn
  // out to have been cut after the end itself.
  if (all_finished()) next_begin_ = now;
  begin_if_due(now, actions);
  return actions;
}

std::optional<clock_time> checkpoint_coordinator_logic::next_tick() const {
  if (phase_ == phase::collecting) return expires_;
  return phase_ == phase::idle ? next_begin_ : std::nullopt;
}

void checkpoint_coordinator_logic::begin_if_due(clock_time now, coordinator_actions& actions) {
  if (running_ && phase_ == phase::idle && next_begin_ && now >= *next_begin_) begin(now, actions);
}

void checkpoint_coordinator_logic::begin(clock_time now, coordinator_actions& actions) {
  ++last_used_.value;
  phase_ = phase::recording;
  after_end_ = all_finished();
  parts_.clear();
  next_begin_.reset();
  if (config_.interval) next_begin_ = now + *config_.interval;
  actions.emplace_back(record_id{last_used_});
}

void checkpoint_coordinator_logic::fail(const std::string& reason, clock_time now,
                                        coordinator_actions& actions) {
  const auto id = last_used_;
  const bool triggered = phase_ != phase::recording;
  const bool was_after_end = after_end_;
  close(now);
  if (was_after_end) {
    next_begin_ = now + std::max(config_.interval.value_or(final_retry), config_.min_pause);
  }
  if (triggered) {
    actions.emplace_back(notify_aborted{id, describe(id) + ": " + reason});
    actions.emplace_back(discard_files{id});
  }
  if (++failures_ <= config_.tolerable_failures) return;
  failures_ = 0;
  running_ = false;
  next_begin_.reset();
  actions.emplace_back(fail_job{describe(id) + ": " + reason});
}

void checkpoint_coordinator_logic::close(clock_time now) {
  phase_ = phase::idle;
  parts_.clear();
  if (!running_) return;
  if (all_finished() && !after_end_) {
    next_begin_ = now;
  } else if (next_begin_) {
    next_begin_ = std::max(*next_begin_, now + config_.min_pause);
  }
}

bool checkpoint_coordinator_logic::is_ours(subtask_id subtask) const {
  return std::binary_search(job_.subtasks.begin(), job_.subtasks.end(), subtask);
}

status checkpoint_coordinator_logic::check_operators(const acknowledgement& part) const {
  for (const auto& entry : part.operators) {
    const auto known =
        std::find_if(job_.operators.begin(), job_.operators.end(),
                     [&entry](const auto& layout) { return layout.uid == entry.uid; });
    if (known == job_.operators.end() || part.subtask.index.value >= known->parallelism) {
      return error{errc::invalid_argument,
                   "it has state of operator '" + entry.uid + "', which it does not run"};
    }
  }
  return {};
}

manifest checkpoint_coordinator_logic::make_manifest(clock_time now) const {
  manifest content{
      .job_name = job_.job_name,
      .graph_fingerprint = job_.graph_fingerprint,
      .id = last_used_,
      .epoch = job_.epoch,
      .attempt = job_.attempt,
      .finished = after_end_ || std::all_of(parts_.begin(), parts_.end(),
                                            [](const auto& part) { return part.second.finished; }),
      .created = now};
  std::map<std::string, std::size_t> positions;
  for (const auto& layout : job_.operators) {
    positions[layout.uid] = content.operators.size();
    operator_state stored{.uid = layout.uid,
                          .parallelism = layout.parallelism,
                          .max_parallelism = layout.max_parallelism};
    for (std::uint32_t index = 0; index < layout.parallelism; ++index) {
      stored.subtasks.push_back({.subtask = {index}});
    }
    content.operators.push_back(std::move(stored));
  }
  for (const auto& [subtask, part] : parts_) {
    for (const auto& entry : part.operators) {
      auto& files = content.operators[positions.at(entry.uid)].subtasks[subtask.index.value].files;
      files.insert(files.end(), entry.files.begin(), entry.files.end());
    }
  }
  return content;
}

}  // namespace weir::checkpoint
