// SPDX-License-Identifier: Apache-2.0
// What a subtask does for checkpoints; the rest is in subtask.cpp.
#include <utility>

#include "weir/actors/internal/subtask.hpp"

namespace weir::actors::internal {
namespace {

std::uint64_t rows_finished_by(dataflow::operator_base& op) {
  std::uint64_t rows = 0;
  for (std::size_t port = 0; port < op.inputs(); ++port) rows += op.input(port).finished_rows();
  return rows;
}

std::string name_of(checkpoint_id id) { return "checkpoint " + std::to_string(id.value); }

}  // namespace

std::string subtask::place_of(const std::string& uid) const {
  for (const auto& environment : spec_.environments) {
    if (environment.uid != uid) continue;
    return "operator \"" + environment.name + "\", subtask " +
           std::to_string(environment.subtask.value + 1) + "/" +
           std::to_string(environment.parallelism);
  }
  return "a channel";
}

void subtask::trigger(checkpoint_id id) {
  if (!spec_.inputs.empty()) return;  // barriers come through the channels
  barrier_pending_ = true;
  snapshot_trigger_ = id;
  operators().head().as_source()->hold(true);  // so that the chain comes to rest
}

void subtask::at_barrier(dataflow::operator_base& op, checkpoint_id id) {
  if (!snapshot_ || snapshot_->id() != id) {
    drop_snapshot();
    snapshot_ = std::make_unique<running_snapshot>(id);
  }
  op.begin_snapshot(snapshot_->context_of(op.environment().uid));
}

void subtask::cut() {
  operators().barrier_done();
  if (auto* source = operators().head().as_source()) source->hold(barrier_pending_);
  snapshot_->cut(ended_reported_);
  pace_.begin(spec_.time->now());
  if (!spec_.inputs.empty()) {
    snapshot_->put(spec_.environments.front().uid,
                   {gate_watermarks::section, std::nullopt, gate_.watermarks().encoded(), {}});
  }
  bool timers = false;
  for (std::size_t i = 0; i < operators().size(); ++i) {
    timers |= operators().at(i).timers() != nullptr;
    swept_rows_[i] = rows_finished_by(operators().at(i));
  }
  if (timers) {
    to_timers_.snapshot = snapshot_->id();
    snapshot_->expect_part();
  }
  flush_messages();  // the service's cut is the subtask's cut
  run_deferred();
}

void subtask::run_deferred() {
  for (auto& deferred : snapshot_->take_deferred()) {
    snapshot_->expect_part();
    host_.run_io([this, id = snapshot_->id(), uid = std::move(deferred.uid),
                  work = std::move(deferred.work)] {
      auto chunks = work();
      return [this, id, uid, chunks = std::move(chunks)] {
        if (!chunks) {
          return fail(chunks.failure().within(name_of(id)).within(place_of(uid)));
        }
        if (!snapshot_ || snapshot_->id() != id) return;
        for (const auto& chunk : *chunks) snapshot_->put(uid, chunk);
        snapshot_->part_came();
      };
    });
  }
}

void subtask::continue_snapshot(bool busy) {
  if (!snapshot_->is_cut()) return;
  const bool running = sweep(busy);
  const auto waiting = snapshot_->writer().waiting();
  if (snapshot_held_) snapshot_held_->max(static_cast<std::int64_t>(waiting + pace_.in_flight()));
  if (waiting >= spec_.snapshots.write_size) append_snapshot();
  if (!running && snapshot_->parts_complete()) return finish_snapshot();
  if (running && pace_.may_sweep() && !resume_pending_) {
    resume_pending_ = true;
    host_.call_self(self_call::resume);
  }
}

/// Sweeps a slice of each operator. Whether there is more to sweep.
bool subtask::sweep(bool busy) {
  bool running = false;
  const auto now = spec_.time->now();
  for (std::size_t i = 0; i < operators().size(); ++i) {
    auto& op = operators().at(i);
    if (!op.snapshot_running()) continue;
    const auto rows = rows_finished_by(op);
    if (const auto slots = pace_.slots(rows - swept_rows_[i], busy, now); slots > 0) {
      const auto before = snapshot_->writer().waiting();
      op.sweep_snapshot(slots);
      swept_rows_[i] = rows;
      pace_.swept(slots, snapshot_->writer().waiting() - before);
    }
    running |= op.snapshot_running();
  }
  return running;
}

void subtask::append_snapshot() {
  const auto bytes = snapshot_->writer().waiting();
  auto pieces = snapshot_->writer().take_pieces();
  if (!spec_.folder) return;
  pace_.hand_over(bytes);
  host_.run_io([this, bytes, file = snapshot_->output(), folder = *spec_.folder,
                id = snapshot_->id(), name = checkpoint::state_file_name(spec_.self),
                pieces = std::move(pieces)]() mutable {
    if (file->written && !file->output) {
      auto made = folder.create(id, name);
      if (made) {
        file->output = *std::move(made);
      } else {
        file->written = std::move(made).failure();
      }
    }
    if (file->written) file->written = file->output->append(pieces);
    pieces.clear();
    return [this, bytes] { pace_.written(bytes); };
  });
}

void subtask::finish_snapshot() {
  auto& writer = snapshot_->writer();
  const auto id = snapshot_->id();
  const bool finished = snapshot_->finished();
  if (!spec_.folder || writer.contents().empty()) {
    auto digests = snapshot_->digests();
    snapshot_.reset();
    host_.report(snapshot_written{id, finished, {}, std::move(digests)});
    if (spec_.mutations.commit_before_manifest) complete(id);
    return;
  }
  writer.finish();
  append_snapshot();
  host_.run_io([this, id, finished, file = snapshot_->output(), contents = writer.contents(),
                digests = snapshot_->digests()] {
    result<checkpoint::state_file> closed = checkpoint::state_file{};
    if (file->written) {
      closed = file->output->close();
    } else {
      closed = file->written.failure();
    }
    return [this, id, finished, contents, digests, closed = std::move(closed)] {
      if (!closed) {
        host_.report(snapshot_failed{id, closed.error_text()});
        return;
      }
      host_.report(
          snapshot_written{id, finished, checkpoint::name_contents(contents, *closed), digests});
      host_.point("subtask.acknowledged");
      if (spec_.mutations.commit_before_manifest) complete(id);
    };
  });
  snapshot_.reset();
}

void subtask::drop_snapshot() {
  if (!snapshot_) return;
  for (std::size_t i = 0; i < operators().size(); ++i) operators().at(i).abort_snapshot();
  snapshot_.reset();
}

void subtask::abort(checkpoint_id id) {
  if (!spec_.inputs.empty()) {
    gate_.abort(id);
  } else if (barrier_pending_ && snapshot_trigger_ == id) {
    barrier_pending_ = false;
    operators().head().as_source()->hold(false);
  }
  // While the barrier is still inside, the operators behind it freeze for nothing; then it ends.
  if (snapshot_ && snapshot_->id() == id && snapshot_->is_cut()) drop_snapshot();
  for (std::size_t i = 0; i < operators().size(); ++i) {
    auto& op = operators().at(i);
    auto told = dataflow::chain::guarded(op, [&] {
      op.on_checkpoint_aborted(id);
      return status{};
    });
    if (!told) return fail(told.failure().within(name_of(id) + " was aborted"));
  }
}

void subtask::complete(checkpoint_id id) {
  completing_ = id;
  for (std::size_t i = 0; i < operators().size(); ++i) {
    std::function<status()> work;
    auto& op = operators().at(i);
    auto told = dataflow::chain::guarded(op, [&] {
      work = op.on_checkpoint_complete(id);
      return status{};
    });
    if (!told) return fail(told.failure().within(name_of(id) + " is complete"));
    if (!work) continue;
    ++commits_running_;
    host_.run_io([this, i, id, work = std::move(work)] {
      auto done = work();
      return [this, i, id, done = std::move(done)] {
        --commits_running_;
        if (!done)
          return fail(
              done.failure().within("committing").within(place_of(spec_.environments[i].uid)));
        operators().at(i).on_committed(id);
        if (commits_running_ == 0) host_.report(commits_done{*completing_});
      };
    });
  }
  if (commits_running_ == 0) host_.report(commits_done{id});
}

}  // namespace weir::actors::internal
