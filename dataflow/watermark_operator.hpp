// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <functional>
#include <type_traits>
#include <utility>

#include "weir/core/codec.hpp"
#include "weir/dataflow/collector.hpp"
#include "weir/dataflow/idleness_timer.hpp"
#include "weir/dataflow/one_input_operator.hpp"
#include "weir/dataflow/watermark_track.hpp"

namespace weir::dataflow {

/// Gives records their event times and makes watermarks of them. Watermarks and statuses that come
/// in end here, but for the last. The newest time of a bounded generator and the watermark are in
/// the snapshot; after a restore every subtask goes on from the smallest of the former ones, since
/// what is left of a source may then be read by any of them.
template <class T, class Extract, class Generator = bounded_watermarks>
class watermark_operator final : public one_input_operator<T> {
  using track = watermark_track<T, Extract, Generator>;

 public:
  explicit watermark_operator(watermark_strategy<Extract, Generator> strategy)
      : strategy_{std::move(strategy)}, track_{strategy_} {
    this->add_output(out_);
  }

  event_time record_time() const override { return time_; }

  status open(const operator_environment& environment) override {
    if (auto done = one_input_operator<T>::open(environment); !done) return done;
    if (environment.metrics) {
      made_ = &environment.metrics->add_gauge("watermark_made");
      made_->set(event_time::min().ms);
    }
    if (!environment.time) return {};
    const auto now = environment.time->now();
    quiet_ = idleness_timer{options().idle_after, now};
    if (track::ticks) next_emission_ = now + options().interval;
    return {};
  }

  status restore(const state::restored_chunks& chunks) override {
    bool any = false;
    auto newest = event_time::min();
    for (const auto& chunk : chunks) {
      if (chunk.section != "watermark") continue;
      auto stored = decode<std::pair<event_time, event_time>>(chunk.bytes);
      if (!stored) return std::move(stored).failure().within("restoring a watermark");
      newest = any ? std::min(newest, stored->first) : stored->first;
      emitted_ = any ? std::min(emitted_, stored->second) : stored->second;
      any = true;
    }
    if constexpr (bounded) track_.generator().restore(newest);
    return {};
  }

  void begin_snapshot(snapshot_context& context) override {
    auto newest = event_time::min();
    if constexpr (bounded) newest = track_.generator().snapshot();
    context.stream().put({"watermark", std::nullopt, encode(std::pair{newest, emitted_}), {}});
  }

  bool has_work() const override {
    return may_emit() || blocked_ || one_input_operator<T>::has_work();
  }

  status step() override {
    if (blocked_) quiet_.resume(now());
    blocked_ = false;
    if (may_emit()) {
      emit_for_interval(now());
    } else if (!this->in().empty()) {
      if (auto done = one_input_operator<T>::step(); !done) return done;
    }
    note_room();
    return {};
  }

  bool flush() override {
    const bool any = one_input_operator<T>::flush();
    if (any) note_room();
    return any;
  }

  clock_time next_alarm() const override {
    if (due_ || ended_) return clock_time::max();
    auto next = waiting_ || track::ticks ? next_emission_ : clock_time::max();
    if (!idle_) next = std::min(next, quiet_.due());
    return next;
  }
  void on_alarm(clock_time now) override { due_ |= now >= next_alarm(); }

 private:
  static constexpr bool bounded = std::is_same_v<Generator, bounded_watermarks>;

  void note_room() {
    if (!options().idle_after || this->outputs_have_room()) return;
    blocked_ = true;
    quiet_.pause(now());
  }

  status on_batch() override {
    if (options().idle_after) note_activity(now());
    if (track::one_by_one(strategy_)) return record_by_record();
    auto data = this->in().pop_data();
    if constexpr (track::extracts) data = writable(std::move(data));
    track_.take(data->values(), data->times(), data->rows());
    out_.pass(std::move(data));
    if (const auto now = this->now(); now >= next_emission_) {
      emit_for_interval(now);
    } else {
      waiting_ = track_.watermark() > emitted_;
    }
    return {};
  }

  /// Not between a barrier and the cut: operators further on have their snapshots already, and
  /// their timer service has not.
  bool may_emit() const { return due_ && !this->tracker().barrier_inside; }

  /// What the clock asks for: the watermark of the interval, and whether the stream is idle.
  void emit_for_interval(clock_time now) {
    due_ = false;
    if (now >= next_emission_) {
      waiting_ = false;
      next_emission_ = now + options().interval;
      track_.on_interval();
      emit();
    }
    if (idle_ || !this->in().empty() || !quiet_.idle(now)) return;
    emit();
    idle_ = true;
    this->originate(control::idle());
  }

  void note_activity(clock_time now) {
    quiet_.on_event(now);
    become_active();
  }
  void become_active() {
    if (!idle_) return;
    idle_ = false;
    this->originate(control::active());
  }

  status record_by_record() {
    auto& front = this->in().front().data;
    if (cursor_ == 0) front = writable(std::move(front));
    while (cursor_ < front->rows()) {
      const std::size_t i = cursor_++;
      time_ = front->times()[i];
      track_.take_one(front->values()[i], time_);
      out_.collect(front->values()[i], time_);
      emit();
      if (!this->outputs_have_room()) break;
    }
    if (cursor_ == front->rows()) {
      cursor_ = 0;
      this->in().pop_data();
    }
    return {};
  }

  using handled = typename one_input_operator<T>::handled;

  result<handled> on_control(control c) override {
    switch (c.kind()) {
      case control_kind::watermark:
        if (c.time() != event_time::max()) return handled::ends_here;
        due_ = false;
        ended_ = true;
        if (made_) made_->set(event_time::max().ms);
        become_active();
        return handled::pass_on;
      case control_kind::idle:
      case control_kind::active: return handled::ends_here;
      case control_kind::barrier:
      case control_kind::end_of_input:
      case control_kind::input_ended:
      case control_kind::custom: break;
    }
    return handled::pass_on;
  }

  void emit() {
    const auto w = track_.watermark();
    if (w <= emitted_ || idle_) return;
    emitted_ = w;
    if (made_) made_->set(w.ms);
    this->originate(control::watermark(w));
  }

  const watermark_options& options() const { return strategy_.options(); }
  clock_time now() const { return this->environment().time->now(); }

  watermark_strategy<Extract, Generator> strategy_;
  track track_;
  idleness_timer quiet_{std::nullopt, clock_time{}};
  std::size_t cursor_ = 0;
  event_time emitted_ = event_time::min();
  event_time time_ = event_time::min();
  clock_time next_emission_ = clock_time::min();
  bool waiting_ = false;  ///< for the interval to pass
  bool due_ = false;
  bool blocked_ = false;  ///< the outputs had no room, and the stream may become idle
  bool idle_ = false;
  bool ended_ = false;
  gauge* made_ = nullptr;
  collector<T> out_;
};

}  // namespace weir::dataflow
