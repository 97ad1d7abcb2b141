// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "weir/dataflow/idleness_timer.hpp"
#include "weir/dataflow/operator_environment.hpp"
#include "weir/dataflow/split_watermarks.hpp"
#include "weir/dataflow/watermark_alignment.hpp"
#include "weir/dataflow/watermark_track.hpp"
#include "weir/state/snapshot_stream.hpp"

namespace weir::dataflow {

/// For a source that makes no watermarks.
struct no_source_watermarks {};

/// The watermarks that a source makes: a generator for each split that it reads, whose watermark
/// stays with the split through restores; idleness of each; how far each may read. What they come
/// to is put out at most once per interval, but changes of the status at once.
/// Owned and used by one subtask.
template <class T, class Extract, class Generator>
class source_watermarks {
 public:
  using track = watermark_track<T, Extract, Generator>;
  using strategy = watermark_strategy<Extract, Generator>;

  static constexpr const char* section = "watermark";

  explicit source_watermarks(strategy s) : strategy_{std::move(s)} {
    if (options().alignment) aligned_.emplace(*options().alignment);
  }
  source_watermarks(const source_watermarks&) = delete;
  source_watermarks& operator=(const source_watermarks&) = delete;

  /// Whether records are to be given one by one, with what is to be put out between them.
  bool one_by_one() const { return track::one_by_one(strategy_); }

  void open(const operator_environment& environment) {
    if (track::ticks) next_emission_ = environment.time->now() + options().interval;
    if (!environment.metrics) return;
    auto& metrics = *environment.metrics;
    newest_ = &metrics.add_gauge("watermark_made");
    newest_->set(event_time::min().ms);
    held_by_ = &metrics.add_gauge("watermark_held_by_split");
    if (!aligned_) return;
    waiting_splits_ = &metrics.add_gauge("splits_waiting");
    drift_ = &metrics.add_gauge("watermark_drift");
  }

  /// Every subtask goes on from the smallest watermark that a former one had put out.
  status restore(const state::restored_chunks& chunks) {
    std::optional<event_time> floor;
    for (const auto& chunk : chunks) {
      if (chunk.section != section) continue;
      auto stored = decode<event_time>(chunk.bytes);
      if (!stored) return std::move(stored).failure().within("restoring a watermark");
      floor = std::min(floor.value_or(event_time::max()), *stored);
    }
    if (floor) splits_ = split_watermarks{*floor};
    return {};
  }
  void snapshot(state::snapshot_stream& out) const {
    out.put({section, std::nullopt, encode(splits_.last()), {}});
  }
  std::string snapshot_of(std::uint64_t split) const { return open_.at(split).at.snapshot(); }

  /// A split that is read from now on; `stored`: what `snapshot_of` gave, or empty.
  status add(std::uint64_t split, const std::string& stored, clock_time now) {
    auto& added = open_.try_emplace(split, strategy_, options().idle_after, now).first->second;
    if (!stored.empty()) {
      if (auto done = added.at.restore(stored); !done) return done;
    }
    splits_.open(split, added.at.watermark());
    settle(now);
    return {};
  }
  /// Whether the source has as many splits as it can read at once, or there are no more. Before
  /// that nothing is put out: a split that is still to come may be behind.
  void filled(bool enough, clock_time now) {
    if (filled_ || !enough) return;
    filled_ = true;
    combine();
    settle(now);
  }
  /// A split that was read to its end.
  void remove(std::uint64_t split, clock_time now) {
    splits_.close(split);
    open_.erase(split);
    selected_ = nullptr;
    if (open_.empty()) combine();  // it may have been idle
    settle(now);
  }

  /// The split that the next records are of.
  void select(std::uint64_t split) {
    selected_ = &open_.at(split);
    selected_split_ = split;
  }
  void take(const T* records, event_time* times, std::size_t count) {
    selected_->at.take(records, times, count);
  }
  /// @pre one_by_one()
  void take_one(const T& record, event_time& time) {
    selected_->at.take_one(record, time);
    splits_.set(selected_split_, selected_->at.watermark());
    combine();
  }

  /// The selected split was asked; whether it gave records, and these were taken.
  void polled(bool records, clock_time now) {
    if (records) {
      selected_->quiet.on_event(now);
      splits_.set(selected_split_, selected_->at.watermark());
      combine();
    } else {
      check_idle(selected_split_, now);
    }
    settle(now);
  }

  /// Of a split that could have given something if it had it.
  void check_idle(std::uint64_t split, clock_time now) {
    if (splits_.idle(split) || !open_.at(split).quiet.idle(now)) return;
    splits_.set_idle(split, true);
    combine();
    settle(now);
  }
  clock_time idle_due(std::uint64_t split) const {
    return splits_.idle(split) ? clock_time::max() : open_.at(split).quiet.due();
  }

  /// Whether the source as a whole cannot read; that does not make splits idle.
  void stop(bool stopped, clock_time now) {
    stopped_ = stopped;
    pause(now);
  }

  /// Whether the split has to wait for other sources.
  bool ahead(std::uint64_t split) const {
    return aligned_ && !splits_.idle(split) && aligned_->ahead(open_.at(split).at.watermark());
  }
  std::optional<event_time> take_report(clock_time now) {
    return aligned_ ? aligned_->take_report(now) : std::nullopt;
  }
  void on_allowed(event_time allowed, clock_time now) {
    if (aligned_) aligned_->on_allowed(allowed);
    settle(now);
  }
  /// The source has ended: the last that is put out but for the end of time.
  const std::vector<control>& end() {
    ended_ = true;
    if (aligned_) aligned_->on_end();
    if (newest_) newest_->set(event_time::max().ms);
    return splits_.take_output();
  }

  /// When the clock is waited for; not for splits that become idle.
  clock_time next_alarm() const {
    auto next = splits_.has_output() || track::ticks ? next_emission_ : clock_time::max();
    return aligned_ ? std::min(next, aligned_->next_report()) : next;
  }

  /// What is to be put out now, if anything. Valid until the next call.
  const std::vector<control>& output(clock_time now) {
    static const std::vector<control> nothing;
    const bool interval_over = now >= next_emission_;
    if (interval_over) tick(now);
    if (!splits_.status_changed() && !(interval_over && splits_.has_output())) {
      if (interval_over && track::ticks) next_emission_ = now + options().interval;
      return nothing;
    }
    next_emission_ = now + options().interval;
    return splits_.take_output();
  }
  /// Behind a record that was taken alone. Valid until the next call.
  const std::vector<control>& output_behind_one() { return splits_.take_output(); }

 private:
  struct open_split {
    open_split(const strategy& s, std::optional<duration> timeout, clock_time now)
        : at{s}, quiet{timeout, now} {}
    track at;
    idleness_timer quiet;
  };

  const watermark_options& options() const { return strategy_.options(); }

  void combine() {
    if (filled_) splits_.combine();
  }

  void tick(clock_time now) {
    if constexpr (track::ticks) {
      for (auto& [split, it] : open_) {
        if (splits_.idle(split)) continue;
        it.at.on_interval();
        splits_.set(split, it.at.watermark());
      }
      combine();
      settle(now);
    }
  }

  /// What follows from changed watermarks.
  void settle(clock_time now) {
    if (ended_) return;
    if (aligned_ && !open_.empty()) {
      const auto slowest = splits_.smallest();
      aligned_->on_progress(slowest.value_or(splits_.current()), !slowest);
      pause(now);
    }
    if (!newest_) return;
    newest_->set(splits_.current().ms);
    const auto holding = splits_.holding_back();
    held_by_->set(holding ? static_cast<std::int64_t>(*holding) : -1);
  }

  void pause(clock_time now) {
    std::int64_t waiting = 0;
    for (auto& [split, it] : open_) {
      const bool waits = ahead(split);
      waiting += waits;
      if (waits || stopped_) {
        it.quiet.pause(now);
      } else {
        it.quiet.resume(now);
      }
    }
    if (!waiting_splits_) return;
    waiting_splits_->set(waiting);
    drift_->set(aligned_->drift());
  }

  strategy strategy_;
  split_watermarks splits_;
  std::map<std::uint64_t, open_split> open_;
  std::optional<aligned_reader> aligned_;
  open_split* selected_ = nullptr;
  std::uint64_t selected_split_ = 0;
  clock_time next_emission_ = clock_time::min();
  bool stopped_ = false;
  bool filled_ = false;
  bool ended_ = false;
  gauge* newest_ = nullptr;
  gauge* held_by_ = nullptr;
  gauge* waiting_splits_ = nullptr;
  gauge* drift_ = nullptr;
};

}  // namespace weir::dataflow
