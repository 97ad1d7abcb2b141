// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <utility>

#include "weir/core/codec.hpp"
#include "weir/dataflow/one_input_operator.hpp"
#include "weir/dataflow/timer_client.hpp"

namespace weir::testing {

/// What a `timed_counter` does wrong.
enum class counter_fault {
  none,
  forgets_state,      ///< the counts are not in its snapshot
  saves_late,         ///< the snapshot shows what came after the barrier
  forgets_timers,     ///< its timers are not restored
  overruns_output,    ///< emits all that is due, whether there is room or not
  changes_input,      ///< writes into a batch that others may hold
  counts_batches,     ///< its result depends on where batches end
  swallows_watermark  ///< passes only every second watermark on
};

/// An operator with all that the harness serves: counts the records of each key, and tells the
/// count 10 ms of event time behind each record, and the key, negated, 100 ms of processing time
/// behind it.
class timed_counter final : public dataflow::one_input_operator<int> {
 public:
  explicit timed_counter(counter_fault fault = counter_fault::none) : fault_{fault} {
    add_output(out_);
  }

  status open(const dataflow::operator_environment& environment) override {
    timers_ = std::make_unique<dataflow::timer_client<int>>(environment.place);
    return operator_base::open(environment);
  }

  status restore(const state::restored_chunks& chunks) override {
    for (const auto& chunk : chunks) {
      if (chunk.section != "counts") continue;
      auto stored = decode<std::map<int, int>>(chunk.bytes);
      if (!stored) return std::move(stored).failure();
      counts_ = *std::move(stored);
    }
    return {};
  }

  bool has_work() const override {
    if (tracker().barrier_inside) return has_input();
    return timers_->processing_ready() || has_input();
  }

  status step() override {
    if (!tracker().barrier_inside && timers_->processing_ready()) return call_processing();
    return one_input_operator<int>::step();
  }

  void begin_snapshot(dataflow::snapshot_context& context) override {
    if (fault_ == counter_fault::forgets_state) return;
    if (fault_ == counter_fault::saves_late) {
      late_ = &context.stream();
    } else {
      context.stream().put({"counts", std::nullopt, encode(counts_), {}});
    }
  }
  bool snapshot_running() const override { return late_ != nullptr; }
  void sweep_snapshot(std::size_t) override {
    std::exchange(late_, nullptr)->put({"counts", std::nullopt, encode(counts_), {}});
  }

  dataflow::timer_client_base* timers() override { return timers_.get(); }
  result<std::unique_ptr<dataflow::timer_queue_base>> make_timer_queue(
      const state::restored_chunks& chunks) override {
    auto queue = std::make_unique<dataflow::timer_queue<int>>(environment().max_parallelism);
    if (fault_ != counter_fault::forgets_timers) {
      if (auto done = queue->restore(chunks); !done) return std::move(done).failure();
    }
    return std::unique_ptr<dataflow::timer_queue_base>{std::move(queue)};
  }

  bool wants_timers_quiesced() const override { return at_end_; }
  void on_timers_quiesced() override { quiesced_ = true; }

 private:
  bool has_input() const {
    if (in().empty() || (advancing_ && timers_->waiting())) return false;
    return !at_end_ || quiesced_;
  }

  status on_batch() override {
    auto& data = *in().front().data;
    if (fault_ == counter_fault::counts_batches) out_.collect(7, at(0));
    for (std::size_t i = 0; i < data.rows(); ++i) {
      const int key = data.values()[i];
      if (key < 0) return error{errc::corrupt, "a negative key"};
      ++counts_[key];
      timers_->register_timer(data.times()[i] + duration{10}, key);
      timers_->register_timer(environment().time->now() + duration{100}, key);
      if (fault_ == counter_fault::changes_input) data.values()[i] = 0;
    }
    in().pop_data();
    return {};
  }

  result<handled> on_control(dataflow::control c) override {
    if (c.kind() == dataflow::control_kind::end_of_input) {
      at_end_ = true;
      return quiesced_ ? handled::pass_on : handled::not_yet;
    }
    if (c.kind() != dataflow::control_kind::watermark) return handled::pass_on;
    if (!advancing_) {
      if (!timers_->needs_round_trip(c.time())) return passed_on();
      timers_->begin_advance(c.time());
      advancing_ = true;
      return handled::not_yet;
    }
    while (auto due = timers_->next_event()) {
      out_.collect(1000 * due->subject + counts_[due->subject], {due->time});
      if (out_.full() && fault_ != counter_fault::overruns_output) return handled::not_yet;
    }
    if (timers_->advancing()) return handled::not_yet;
    advancing_ = false;
    return passed_on();
  }

  result<handled> passed_on() {
    const bool swallow = fault_ == counter_fault::swallows_watermark && ++watermarks_ % 2 == 0;
    return swallow ? handled::ends_here : handled::pass_on;
  }

  status call_processing() {
    while (auto due = timers_->next_processing()) {
      out_.collect(-due->subject, event_time::min());
      if (out_.full()) break;
    }
    return {};
  }

  counter_fault fault_;
  std::map<int, int> counts_;
  std::unique_ptr<dataflow::timer_client<int>> timers_;
  state::snapshot_stream* late_ = nullptr;
  int watermarks_ = 0;
  bool advancing_ = false;
  bool at_end_ = false;
  bool quiesced_ = false;
  dataflow::collector<int> out_;
};

}  // namespace weir::testing
