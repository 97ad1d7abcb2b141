// SPDX-License-Identifier: Apache-2.0
#include "weir/actors/internal/subtask.hpp"

#include <algorithm>
#include <utility>

namespace weir::actors::internal {

using dataflow::chain;
using dataflow::control;

namespace {

/// Steps of the chain in one handler, so that credit, cancel and other actors get their turn.
constexpr std::size_t steps_per_handler = 32;

gate_spec gate_of(const subtask_spec& spec) {
  gate_spec gate;
  for (const auto& input : spec.inputs) gate.ports.push_back(input.port);
  gate.credit = spec.credit;
  if (!spec.environments.empty()) gate.watermarks = spec.environments.front().watermarks;
  gate.mutations = spec.mutations.gate;
  return gate;
}

}  // namespace

subtask::subtask(subtask_spec spec, subtask_host& host)
    : spec_{std::move(spec)}, host_{host}, gate_{gate_of(spec_)}, pace_{spec_.snapshots} {
  swept_rows_.resize(operators().size());
  if (!spec_.metrics) return;
  if (!spec_.inputs.empty()) watermark_gauges_.emplace(*spec_.metrics, gate_.ports());
  in_flight_ = &spec_.metrics->add_gauge("bytes_in_flight_most");
  snapshot_held_ = &spec_.metrics->add_gauge("snapshot_bytes_held_most");
}

void subtask::exit_sender::send_data(std::uint32_t channel, dataflow::erased_batch data) {
  const auto& to = owner->spec_.outputs[exit][channel];
  owner->host_.send_element(to.subtask, {owner->spec_.attempt, to.position, sequences[channel]++,
                                         std::move(data), control::idle()});
}

void subtask::exit_sender::send_control(std::uint32_t channel, control c) {
  const auto& to = owner->spec_.outputs[exit][channel];
  owner->host_.send_element(to.subtask,
                            {owner->spec_.attempt, to.position, sequences[channel]++, {}, c});
}

status subtask::open(const std::optional<restored_subtask>& restored) {
  auto& ops = operators();
  if (restored) {
    for (auto& environment : spec_.environments) environment.restored = restored->id;
  }
  ops.seal([this](dataflow::operator_base& op, checkpoint_id id) { at_barrier(op, id); });
  for (std::size_t i = 0; i < ops.size(); ++i) {
    auto& op = ops.at(i);
    auto done = chain::guarded(op, [&] { return op.open(spec_.environments[i]); });
    if (!done) return done;
  }
  for (std::size_t i = 0; i < spec_.built.exits.size(); ++i) {
    auto sender = std::make_unique<exit_sender>();
    sender->owner = this;
    sender->exit = static_cast<std::uint32_t>(i);
    sender->sequences.resize(spec_.outputs[i].size());
    ops.at(spec_.built.exits[i].place)
        .as_channel()
        ->bind(*sender, static_cast<std::uint32_t>(spec_.outputs[i].size()));
    senders_.push_back(std::move(sender));
  }
  if (auto done = restore(restored ? *restored : restored_subtask{}); !done) return done;
  while (begun_ < ops.size()) {
    auto& op = ops.at(begun_++);
    if (auto done = chain::guarded(op, [&] { return op.start(); }); !done) return done;
  }
  return {};
}

void subtask::close() {
  failed_ = true;
  for (; begun_ > 0; --begun_) {
    auto& op = operators().at(begun_ - 1);
    auto done = chain::guarded(op, [&] {
      op.close();
      return status{};
    });
    if (done) continue;
    op.environment().log->write({log_level::warning, "subtask", "closing " + done.error_text()});
  }
}

status subtask::restore(const restored_subtask& restored) {
  auto& ops = operators();
  if (restored.id.value != 0) restored_ = restored.id;
  for (std::size_t i = 0; i < ops.size(); ++i) {
    const auto& environment = spec_.environments[i];
    static const state::restored_chunks nothing;
    const state::restored_chunks* chunks = &nothing;
    for (const auto& op : restored.operators) {
      if (op.uid == environment.uid) chunks = &op.chunks;
    }
    const auto named = [&](error cause) {
      return std::move(cause).within("operator \"" + environment.name +
                                     "\": restoring checkpoint " +
                                     std::to_string(restored.id.value));
    };
    if (restored_) {
      if (auto done = ops.at(i).restore(*chunks); !done) return named(std::move(done).failure());
    }
    if (ops.at(i).timers()) {
      auto queue = ops.at(i).make_timer_queue(*chunks);
      if (!queue) return named(std::move(queue).failure());
      timer_queues_.emplace_back(ops.at(i).timers()->operator_index(), *std::move(queue));
    }
    if (i != 0 || spec_.inputs.empty()) continue;
    if (auto done = restore_gate(*chunks); !done) return named(std::move(done).failure());
  }
  return {};
}

status subtask::restore_gate(const state::restored_chunks& chunks) {
  std::optional<gate_watermarks> floor;
  for (const auto& chunk : chunks) {
    if (chunk.section != gate_watermarks::section) continue;
    auto stored = gate_watermarks::decoded(chunk.bytes);
    if (!stored) return std::move(stored).failure();
    if (floor) {
      floor->lower_to(*stored);
    } else {
      floor = *std::move(stored);
    }
  }
  auto start = floor.value_or(gate_watermarks{});
  if (start.combined == event_time::max()) start = {};  // the ends come again, and say it again
  start.combined = operators().head().restored_watermark().value_or(start.combined);
  gate_.start_at(start);
  return {};
}

void subtask::on_command(subtask_command command) {
  if (failed_) return;
  if (std::holds_alternative<start_command>(command)) return start();
  if (const auto* trigger_it = std::get_if<trigger_command>(&command)) trigger(trigger_it->id);
  if (const auto* completed = std::get_if<completed_command>(&command)) complete(completed->id);
  if (const auto* aborted = std::get_if<aborted_command>(&command)) abort(aborted->id);
  if (auto* split = std::get_if<split_command>(&command)) take_split(std::move(*split));
  if (const auto* alignment = std::get_if<alignment_command>(&command)) {
    operators().at(alignment->source).as_source()->on_allowed(alignment->allowed);
  }
  if (started_) run();
}

void subtask::start() {
  started_ = true;
  for (const auto& input : spec_.inputs) {
    host_.send_credit(input.subtask, {spec_.attempt, input.exit, input.position, spec_.credit});
  }
  if (restored_) complete(*restored_);
  run();
}

void subtask::take_split(split_command command) {
  auto* source = operators().at(command.source).as_source();
  if (!command.split) return source->no_more_splits();
  if (auto done = source->add_split(*std::move(command.split)); !done) {
    fail(std::move(done).failure());
  }
}

void subtask::on_element(channel_message message) {
  if (failed_ || message.attempt != spec_.attempt) return;
  data_since_tick_ |= static_cast<bool>(message.data);
  if (auto done = gate_.receive(std::move(message)); !done) return fail(std::move(done).failure());
  if (started_) run();
}

void subtask::on_credit(const credit_message& message) {
  if (failed_ || message.attempt != spec_.attempt) return;
  operators()
      .at(spec_.built.exits[message.exit].place)
      .as_channel()
      ->add_credit(message.receiver, message.batches);
  if (started_) run();
}

void subtask::on_timers(dataflow::timer_actions actions) {
  if (failed_) return;
  for (auto& answer : actions.answers) {
    const auto index = answer.operator_index;
    operators().at(index).timers()->on_answer(std::move(answer));
  }
  if (actions.quiesced) {
    for (std::size_t i = 0; i < operators().size(); ++i) operators().at(i).on_timers_quiesced();
  }
  if (actions.snapshot && snapshot_ && snapshot_->id() == actions.snapshot->id) {
    for (const auto& op : actions.snapshot->operators) {
      for (const auto& chunk : op.chunks) {
        snapshot_->put(spec_.environments[op.operator_index].uid, chunk);
      }
    }
    snapshot_->part_came();
  }
  if (started_) run();
}

void subtask::on_self(self_call what) {
  if (failed_) return;
  switch (what) {
    case self_call::resume: resume_pending_ = false; break;
    case self_call::wake:
      for (std::size_t i = 0; i < operators().size(); ++i) operators().at(i).on_wake();
      break;
    case self_call::alarm: {
      alarm_ = clock_time::max();
      const auto now = spec_.time->now();
      for (std::size_t i = 0; i < operators().size(); ++i) operators().at(i).on_alarm(now);
      break;
    }
    case self_call::tick: {
      tick_pending_ = false;
      if (std::exchange(data_since_tick_, false)) break;
      auto done = operators().flush(steps_per_handler);
      if (!done) return fail(std::move(done).failure());
      break;
    }
  }
  if (started_) run();
}

void subtask::on_io(const std::function<void()>& apply) {
  if (failed_) return;
  apply();
  if (started_) run();
}

void subtask::run() {
  if (failed_) return;
  note_in_flight();
  auto more = run_chain();
  note_in_flight();
  if (watermark_gauges_) watermark_gauges_->show(gate_, spec_.inputs);
  if (!more) return fail(std::move(more).failure());
  if (failed_) return;
  report_of_sources();
  flush_messages();
  if (failed_) return;
  schedule(*more);
}

result<bool> subtask::run_chain() {
  for (std::size_t turns = 0; turns < steps_per_handler; ++turns) {
    if (!pace_.may_work()) return false;  // goes on when bytes have been written
    if (!spec_.inputs.empty()) {
      if (auto fed = gate_.feed(operators()); !fed) return std::move(fed).failure();
    } else if (barrier_pending_ && operators().no_control_inside()) {
      barrier_pending_ = false;
      operators().admit(control::barrier(snapshot_trigger_));
    }
    auto outcome = operators().run(steps_per_handler);
    if (!outcome) return std::move(outcome).failure();
    const bool more = *outcome == chain::outcome::more_to_do;
    note_progress(more || gate_.can_feed(operators()));
    if (failed_ || more) return true;
    const bool fed_again = !spec_.inputs.empty() && gate_.can_feed(operators());
    const bool barrier_next = barrier_pending_ && operators().no_control_inside();
    if (!fed_again && !barrier_next) return false;
  }
  return true;
}

void subtask::note_progress(bool busy) {
  gate_.return_credit(operators(), [this](std::size_t channel, std::uint32_t batches) {
    const auto& from = spec_.inputs[channel];
    host_.send_credit(from.subtask, {spec_.attempt, from.exit, from.position, batches});
  });
  if (snapshot_ && !snapshot_->is_cut() && operators().no_control_inside()) cut();
  if (snapshot_) continue_snapshot(busy);
  if (ended_reported_ || !operators().no_control_inside()) return;
  const bool ended = spec_.inputs.empty() ? operators().head().as_source()->ended() : gate_.ended();
  if (!ended) return;
  ended_reported_ = true;
  host_.report(subtask_ended{});
}

void subtask::note_in_flight() {
  const auto bytes = operators().bytes().most + gate_.waiting_bytes();
  if (in_flight_) in_flight_->max(static_cast<std::int64_t>(bytes));
}

void subtask::report_of_sources() {
  for (std::size_t i = 0; i < operators().size(); ++i) {
    auto* source = operators().at(i).as_source();
    if (!source) continue;
    const auto place = static_cast<std::uint32_t>(i);
    if (source->take_split_request()) host_.report(split_request{place});
    if (const auto watermark = source->take_alignment_report(spec_.time->now())) {
      host_.report(alignment_report{place, *watermark});
    }
  }
}

void subtask::flush_messages() {
  for (std::size_t i = 0; i < operators().size(); ++i) {
    if (auto* timers = operators().at(i).timers()) timers->add_to(to_timers_);
    if (!quiesce_sent_ && operators().at(i).wants_timers_quiesced()) {
      quiesce_sent_ = to_timers_.quiesce = true;
    }
  }
  if (to_timers_.empty()) return;
  host_.send_to_timers(std::exchange(to_timers_, {}));
}

void subtask::schedule(bool more) {
  set_alarm();
  if (more) {
    flush_if_lingering();
    if (!resume_pending_ && !failed_) {
      resume_pending_ = true;
      host_.call_self(self_call::resume);
    }
    return;
  }
  if (!has_partial()) {
    partial_since_ = clock_time::max();
    return;
  }
  flush_if_lingering();
  if (!tick_pending_ && !failed_) {
    tick_pending_ = true;
    host_.call_self(self_call::tick);
  }
}

void subtask::flush_if_lingering() {
  const auto now = spec_.time->now();
  if (partial_since_ == clock_time::max()) partial_since_ = now;
  if (now < partial_since_ + spec_.max_linger) return;
  partial_since_ = now;
  auto done = operators().flush(steps_per_handler);
  if (!done) return fail(std::move(done).failure());
  flush_messages();
}

bool subtask::has_partial() {
  for (std::size_t i = 0; i < operators().size(); ++i) {
    if (operators().at(i).has_partial()) return true;
  }
  return false;
}

void subtask::set_alarm() {
  auto next = clock_time::max();
  for (std::size_t i = 0; i < operators().size(); ++i) {
    next = std::min(next, operators().at(i).next_alarm());
  }
  if (next >= alarm_) return;
  alarm_ = next;
  host_.call_self_at(next);
}

void subtask::fail(error cause) {
  if (failed_) return;
  failed_ = true;
  host_.report(subtask_failed{std::move(cause)});
}

}  // namespace weir::actors::internal
