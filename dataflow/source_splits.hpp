// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <string>
#include <utility>

#include "weir/dataflow/snapshot_context.hpp"
#include "weir/dataflow/split_progress.hpp"
#include "weir/dataflow/split_reader.hpp"

namespace weir::dataflow {

/// The splits of one subtask of a source: those that it reads, each with its reader, those that
/// wait, and what was read. Owned and used by one subtask.
template <source S>
class source_splits {
 public:
  using split = split_reader<S>;

  void open(const S& definition, const operator_environment& environment) {
    readers_.clear();
    std::size_t count = 1;
    if constexpr (parallel_source<S>) {
      count = std::max<std::size_t>(1, definition.splits_at_once());
    }
    while (readers_.size() < count) readers_.emplace_back(definition, environment);
  }

  /// The coordinator hands out what is left, to whoever asks. What was read before has to be in the
  /// next snapshots, too: the first subtask keeps it.
  status restore(const state::restored_chunks& chunks, bool first_subtask) {
    for (auto& r : readers_) {
      if (auto done = r.life().restore(chunks); !done) return done;
    }
    if (!first_subtask) return {};
    auto earlier = split_progress::restore(chunks);
    if (!earlier) return std::move(earlier).failure();
    earlier_ = *std::move(earlier);
    return {};
  }

  void initialize() {
    for (auto& r : readers_) r.life().initialize();
  }
  void close() {
    for (auto& r : readers_) r.life().close();
  }
  void complete(checkpoint_id id) {
    for (auto& r : readers_) r.life().complete(id);
  }
  void aborted(checkpoint_id id) {
    for (auto& r : readers_) r.life().aborted(id);
  }
  void on_wake() {
    for (auto& r : readers_) r.on_wake();
  }

  /// `watermark_of(number)`: what is kept of a split that is being read, beside its position.
  template <class WatermarkOf>
  void begin_snapshot(snapshot_context& context, const WatermarkOf& watermark_of) {
    split_progress progress = progress_;
    for (auto& r : readers_) {
      r.life().begin_snapshot(context);
      if (r.reading()) progress.start(r.split(), r.position(), watermark_of(r.split()));
    }
    for (const auto& waiting : assigned_) {
      progress.start(waiting.number, waiting.position, waiting.watermark);
    }
    context.stream().put({split_progress::section, std::nullopt, progress.encode(), {}});
    if (earlier_.empty()) return;
    context.stream().put({split_progress::earlier_section, std::nullopt, earlier_.encode(), {}});
  }
  bool snapshot_running() const {
    return std::any_of(readers_.begin(), readers_.end(),
                       [](const auto& r) { return r.life().snapshot_running(); });
  }

  void sweep_snapshot(std::size_t slots) {
    for (auto& r : readers_) r.life().sweep_snapshot(slots);
  }
  void abort_snapshot() {
    for (auto& r : readers_) r.life().abort_snapshot();
  }

  /// All readers, whether they read or not.
  std::deque<split>& readers() { return readers_; }
  const std::deque<split>& readers() const { return readers_; }

  bool take_request() {
    if (requested_ || no_more_ || !assigned_.empty()) return false;
    return requested_ = true;
  }
  void add(encoded_split next) {
    requested_ = false;
    assigned_.push_back(std::move(next));
  }
  void no_more() {
    requested_ = false;
    no_more_ = true;
  }

  /// Whether there is no reader for which a split may still come.
  bool filled() const { return no_more_ || free_reader() == readers_.size(); }

  /// Whether a split waits, and a reader is free for it.
  bool can_open() const { return !assigned_.empty() && free_reader() < readers_.size(); }
  /// @pre can_open()
  const encoded_split& next() const { return assigned_.front(); }
  status open_next() {
    auto next = std::move(assigned_.front());
    assigned_.pop_front();
    return readers_[free_reader()].open(std::move(next));
  }

  /// The next reader that has something, as far as is known, and whose split `may_read`; in turn.
  /// Null: none.
  template <class MayRead>
  split* next_readable(const MayRead& may_read) {
    const auto i = readable(may_read);
    if (i == readers_.size()) return nullptr;
    next_ = (i + 1) % readers_.size();
    return &readers_[i];
  }
  template <class MayRead>
  bool any_readable(const MayRead& may_read) const {
    return readable(may_read) < readers_.size();
  }

  void finish(std::uint64_t number) { progress_.finish(number); }

  /// Whether all splits that the subtask will get are read.
  bool all_read() const {
    return no_more_ && assigned_.empty() &&
           std::none_of(readers_.begin(), readers_.end(),
                        [](const auto& r) { return r.reading(); });
  }

 private:
  std::size_t free_reader() const {
    std::size_t i = 0;
    while (i < readers_.size() && readers_[i].reading()) ++i;
    return i;
  }
  template <class MayRead>
  std::size_t readable(const MayRead& may_read) const {
    for (std::size_t tried = 0; tried < readers_.size(); ++tried) {
      const auto i = (next_ + tried) % readers_.size();
      if (readers_[i].reading() && !readers_[i].resting() && may_read(readers_[i].split())) {
        return i;
      }
    }
    return readers_.size();
  }

  std::deque<split> readers_;  // never moved
  std::deque<encoded_split> assigned_;
  split_progress progress_;  ///< since the attempt started
  split_progress earlier_;   ///< of all subtasks before
  std::size_t next_ = 0;     ///< reader
  bool requested_ = false;
  bool no_more_ = false;
};

}  // namespace weir::dataflow
