// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "weir/dataflow/operator_base.hpp"
#include "weir/dataflow/source.hpp"
#include "weir/dataflow/source_splits.hpp"
#include "weir/dataflow/source_watermarks.hpp"

namespace weir::dataflow {

/// The head of a chain that reads a source: polls its splits in turn when the chain is idle, and
/// asks for the next split while it reads the last that it has. Its state is which splits it has
/// read, and how far. `Watermarks` is a `source_watermarks`, or none.
template <source S, class Watermarks = no_source_watermarks>
class source_operator final : public operator_base, public source_port {
  static constexpr bool makes_watermarks = !std::is_same_v<Watermarks, no_source_watermarks>;

 public:
  using record = typename S::value_type;

  template <class... Strategy>
  explicit source_operator(S definition, Strategy... strategy)
      : definition_{std::move(definition)}, watermarks_{std::move(strategy)...} {
    add_output(out_);
    raw_.connect(raw_in_);
    if constexpr (makes_watermarks) {
      if (one_by_one()) return;
      out_.set_observer([this](const record* records, event_time* times, std::size_t count) {
        watermarks_.take(records, times, count);
      });
    }
  }

  std::size_t inputs() const override { return 0; }
  element_queue_base& input(std::size_t) override { return none_; }
  void push_control(control c) override { controls_.push_back(c); }

  status open(const operator_environment& environment) override {
    if (auto done = operator_base::open(environment); !done) return done;
    raw_.set_limits(environment.limits);
    splits_.open(definition_, this->environment());
    if constexpr (makes_watermarks) watermarks_.open(environment);
    if (environment.metrics) records_ = &environment.metrics->add_counter("source_records");
    return {};
  }

  status restore(const state::restored_chunks& chunks) override {
    if constexpr (makes_watermarks) {
      if (auto done = watermarks_.restore(chunks); !done) return done;
    }
    return splits_.restore(chunks, environment().subtask.value == 0);
  }

  status start() override {
    splits_.initialize();
    return {};
  }
  void close() override { splits_.close(); }

  bool has_work() const override {
    if (!controls_.empty() || !raw_in_.empty()) return true;
    if (held_ || ended_) return false;
    return clock_due_ || blocked_ || splits_.can_open() || splits_.any_readable(may_read()) ||
           splits_.all_read();
  }

  clock_time next_alarm() const override {
    if (clock_due_ || ended_) return clock_time::max();
    auto next = clock_time::max();
    for (const auto& r : splits_.readers()) {
      next = std::min(next, r.next_poll());
      if constexpr (makes_watermarks) {
        if (r.reading() && r.resting()) next = std::min(next, watermarks_.idle_due(r.split()));
      }
    }
    if constexpr (makes_watermarks) next = std::min(next, watermarks_.next_alarm());
    return next;
  }
  void on_alarm(clock_time now) override {
    if constexpr (makes_watermarks) clock_due_ |= now >= next_alarm();
    for (auto& r : splits_.readers()) r.on_alarm(now);
  }
  void on_wake() override { splits_.on_wake(); }

  status step() override {
    if constexpr (makes_watermarks) return watched_step();
    return work();
  }

  bool flush() override {
    const bool any = operator_base::flush();
    if constexpr (makes_watermarks) {
      if (any) note_room();
    }
    return any;
  }

  void begin_snapshot(snapshot_context& context) override {
    splits_.begin_snapshot(context, [this]([[maybe_unused]] std::uint64_t split) {
      if constexpr (makes_watermarks) return watermarks_.snapshot_of(split);
      return std::string{};
    });
    if constexpr (makes_watermarks) watermarks_.snapshot(context.stream());
  }

  bool snapshot_running() const override { return splits_.snapshot_running(); }
  void sweep_snapshot(std::size_t slots) override { splits_.sweep_snapshot(slots); }
  void abort_snapshot() override { splits_.abort_snapshot(); }
  std::function<status()> on_checkpoint_complete(checkpoint_id id) override {
    splits_.complete(id);
    return {};
  }
  void on_checkpoint_aborted(checkpoint_id id) override { splits_.aborted(id); }

  source_port* as_source() override { return this; }

  bool take_split_request() override { return splits_.take_request(); }
  status add_split(encoded_split split) override {
    splits_.add(std::move(split));
    return {};
  }
  void no_more_splits() override {
    splits_.no_more();
    note_filled();
  }
  void hold(bool held) override {
    held_ = held;
    note_stop();
  }
  bool ended() const override { return ended_; }

  std::optional<event_time> take_alignment_report(clock_time now) override {
    if constexpr (makes_watermarks) return watermarks_.take_report(now);
    return std::nullopt;
  }
  void on_allowed(event_time allowed) override {
    if constexpr (makes_watermarks) watermarks_.on_allowed(allowed, now());
  }

 private:
  clock_time now() const { return environment().time->now(); }

  bool one_by_one() const {
    if constexpr (makes_watermarks) return watermarks_.one_by_one();
    return false;
  }

  auto may_read() const {
    return [this]([[maybe_unused]] std::uint64_t split) {
      if constexpr (makes_watermarks) return !watermarks_.ahead(split);
      return true;
    };
  }

  /// What is in hand first, so that all that the readers gave is in front of a barrier.
  status work() {
    if (!raw_in_.empty()) return pass_one_by_one();
    if (!controls_.empty()) {
      const control c = controls_.front();
      controls_.pop_front();
      forward(c);
      return {};
    }
    if (held_ || ended_) return {};
    if (splits_.can_open()) return open_next();
    if (auto* r = splits_.next_readable(may_read())) return poll(*r);
    if (splits_.all_read()) end();
    return {};
  }

  /// Keeps count of the time during which nothing can be emitted, and does what the clock asks for.
  status watched_step() {
    if (std::exchange(blocked_, false)) note_stop();
    if (clock_due_ && !held_ && raw_in_.empty() && controls_.empty()) {
      clock_due_ = false;
      on_clock();
    } else if (auto done = work(); !done) {
      return done;
    }
    note_room();
    return {};
  }

  void note_room() {
    blocked_ = !outputs_have_room();
    if (blocked_) note_stop();
  }

  void note_stop() {
    if constexpr (makes_watermarks) watermarks_.stop(held_ || blocked_, now());
  }

  void on_clock() {
    if constexpr (makes_watermarks) {
      const auto time = now();
      for (const auto& r : splits_.readers()) {
        if (r.reading() && r.resting()) watermarks_.check_idle(r.split(), time);
      }
      originate_all(watermarks_.output(time));
    }
  }
  void originate_all(const std::vector<control>& controls) {
    for (const auto& c : controls) originate(c);
  }

  void end() {
    ended_ = true;
    if constexpr (makes_watermarks) originate_all(watermarks_.end());
    originate(control::watermark(event_time::max()));
    originate(control::end_of_input());
  }

  status open_next() {
    if constexpr (makes_watermarks) {
      const auto& next = splits_.next();
      if (auto done = watermarks_.add(next.number, next.watermark, now()); !done) return done;
    }
    auto done = splits_.open_next();
    note_filled();
    return done;
  }
  void note_filled() {
    if constexpr (makes_watermarks) watermarks_.filled(splits_.filled(), now());
  }

  status poll(split_reader<S>& r) {
    auto& out = one_by_one() ? raw_ : out_;
    if constexpr (makes_watermarks) watermarks_.select(r.split());
    const auto before = out.collected();
    auto outcome = r.poll(out, environment().limits.rows, watermark_manager{*this});
    if (!outcome) return std::move(outcome).failure();
    const auto count = out.collected() - before;
    if (records_) records_->increment(count);
    if (!r.reading()) splits_.finish(r.split());
    if constexpr (makes_watermarks) {
      if (!r.reading()) read_to_end_ = r.split();
      if (!one_by_one()) out_.show_emitted();
      raw_.flush();
      if (one_by_one() && count > 0) return {};  // goes on when these have been passed on
      after_poll(count > 0);
    }
    return {};
  }

  /// The records of the last poll have been taken.
  void after_poll(bool records) {
    if constexpr (makes_watermarks) {
      const auto time = now();
      watermarks_.polled(records, time);
      if (const auto split = std::exchange(read_to_end_, std::nullopt)) {
        watermarks_.remove(*split, time);
      }
      if (!held_) originate_all(watermarks_.output(time));
    }
  }

  status pass_one_by_one() {
    if constexpr (makes_watermarks) {
      auto& front = raw_in_.front().data;
      while (cursor_ < front->rows()) {
        auto& value = front->values()[cursor_];
        auto& time = front->times()[cursor_++];
        watermarks_.take_one(value, time);
        out_.collect(std::move(value), time);
        originate_all(watermarks_.output_behind_one());
        if (!outputs_have_room()) return {};
      }
      cursor_ = 0;
      raw_in_.pop_data();
      if (raw_in_.empty()) after_poll(true);
    }
    return {};
  }

  S definition_;
  Watermarks watermarks_;
  source_splits<S> splits_;
  std::deque<control> controls_;
  counter* records_ = nullptr;
  std::optional<std::uint64_t> read_to_end_;
  bool held_ = false;
  bool blocked_ = false;    ///< the outputs had no room
  bool clock_due_ = false;  ///< for the watermarks
  bool ended_ = false;
  element_queue<record> none_;
  collector<record> raw_;  ///< what is to be passed on one by one
  element_queue<record> raw_in_;
  std::size_t cursor_ = 0;  ///< in the first batch of `raw_in_`
  collector<record> out_;
};

}  // namespace weir::dataflow
