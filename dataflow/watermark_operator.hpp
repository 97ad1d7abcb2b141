// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <functional>
#include <type_traits>
#include <utility>

#include "weir/core/codec.hpp"
#include "weir/dataflow/collector.hpp"
#include "weir/dataflow/one_input_operator.hpp"
#include "weir/dataflow/watermark_strategy.hpp"

namespace weir::dataflow {

/// Gives records their event times and makes watermarks of them. Watermarks and statuses that come
/// in end here, but for the last. The newest time and the watermark are in the snapshot; after a
/// restore every subtask goes on from the smallest of the former ones, since what is left of a
/// source may then be read by any of them.
template <class T, class Extract>
class watermark_operator final : public one_input_operator<T> {
 public:
  explicit watermark_operator(watermark_strategy<Extract> strategy)
      : strategy_{std::move(strategy)} {
    this->add_output(out_);
  }

  event_time record_time() const override { return time_; }

  status restore(const state::restored_chunks& chunks) override {
    bool any = false;
    for (const auto& chunk : chunks) {
      if (chunk.section != "watermark") continue;
      auto stored = decode<std::pair<event_time, event_time>>(chunk.bytes);
      if (!stored) return std::move(stored).failure().within("restoring a watermark");
      newest_ = any ? std::min(newest_, stored->first) : stored->first;
      emitted_ = any ? std::min(emitted_, stored->second) : stored->second;
      any = true;
    }
    return {};
  }

  void begin_snapshot(snapshot_context& context) override {
    context.stream().put({"watermark", std::nullopt, encode(std::pair{newest_, emitted_}), {}});
  }

  bool has_work() const override { return may_emit() || one_input_operator<T>::has_work(); }

  status step() override {
    if (!may_emit()) return one_input_operator<T>::step();
    emit_for_interval(this->environment().time->now());
    return {};
  }

  clock_time next_alarm() const override {
    return waiting_ && !due_ ? next_emission_ : clock_time::max();
  }
  void on_alarm(clock_time now) override {
    if (waiting_ && now >= next_emission_) due_ = true;
  }

 private:
  status on_batch() override {
    if (strategy_.emission() == watermark_emission::per_record) return record_by_record();
    auto data = this->in().pop_data();
    if constexpr (extracts) {
      data = writable(std::move(data));
      for (std::size_t i = 0; i < data->rows(); ++i) take_time(*data, i);
    } else {
      take_times(*data);
    }
    out_.pass(std::move(data));
    const auto now = this->environment().time->now();
    if (now >= next_emission_) {
      emit_for_interval(now);
    } else {
      waiting_ = watermark() > emitted_;
    }
    return {};
  }

  /// Not between a barrier and the cut: operators further on have their snapshots already, and
  /// their timer service has not.
  bool may_emit() const { return due_ && !this->tracker().barrier_inside; }

  void emit_for_interval(clock_time now) {
    due_ = waiting_ = false;
    next_emission_ = now + strategy_.interval();
    emit();
  }

  status record_by_record() {
    auto& front = this->in().front().data;
    if (cursor_ == 0) front = writable(std::move(front));
    while (cursor_ < front->rows()) {
      const std::size_t i = cursor_++;
      take_time(*front, i);
      out_.collect(front->values()[i], front->times()[i]);
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
        due_ = waiting_ = false;
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

  static constexpr bool extracts = !std::is_same_v<Extract, std::nullptr_t>;

  void take_time(batch<T>& data, std::size_t i) {
    if constexpr (extracts) {
      data.times()[i] = std::invoke(strategy_.extract(), std::as_const(data.values()[i]));
    }
    time_ = data.times()[i];
    newest_ = std::max(newest_, time_);
  }

  /// The same for a whole batch, in a loop that the compiler can turn into vector instructions.
  void take_times(const batch<T>& data) {
    std::int64_t newest = newest_.ms;
    for (std::size_t i = 0; i < data.rows(); ++i) newest = std::max(newest, data.times()[i].ms);
    newest_ = event_time{newest};
  }

  event_time watermark() const {
    if (newest_ == event_time::min()) return newest_;
    return newest_ + duration{-strategy_.bound().count()} + duration{-1};
  }

  void emit() {
    const auto w = watermark();
    if (w <= emitted_) return;
    emitted_ = w;
    this->originate(control::watermark(w));
  }

  watermark_strategy<Extract> strategy_;
  std::size_t cursor_ = 0;
  event_time newest_ = event_time::min();
  event_time emitted_ = event_time::min();
  event_time time_ = event_time::min();
  clock_time next_emission_ = clock_time::min();
  bool waiting_ = false;
  bool due_ = false;
  collector<T> out_;
};

}  // namespace weir::dataflow
