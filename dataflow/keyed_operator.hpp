// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <utility>

#include "weir/dataflow/keyed_function_operator.hpp"

namespace weir::dataflow {

/// What all operators have in common that call a user's function with a current key, whatever their
/// inputs: its states, its timers, its context.
///
/// If the function registers timers it has `on_event_timer(event_time, collector<R>&,
/// keyed_context<K>&)` or `on_processing_timer(clock_time, …)`. What an event timer emits has the
/// timer's time, what a processing timer emits has none.
///
/// `Keys` is `any_output_keys` or a `same_output_keys`.
template <class Input, class K, class F, class Timing, class Keys, class... R>
class keyed_operator : public keyed_function_operator<Input, K, F, Timing, Keys, R...> {
 protected:
  using base = keyed_function_operator<Input, K, F, Timing, Keys, R...>;
  using typename base::context;
  using typename base::function;
  using typename base::handled;

  static constexpr bool has_event_timers = requires(function& f, event_time t, collector<R>&... out,
                                                    context& c) { f.on_event_timer(t, out..., c); };
  static constexpr bool has_processing_timers =
      requires(function& f, clock_time t, collector<R>&... out, context& c) {
        f.on_processing_timer(t, out..., c);
      };
  static constexpr bool has_timers = has_event_timers || has_processing_timers;

 public:
  using base::base;

  status open(const operator_environment& environment) override {
    check_timers<function>();
    return base::open(environment);
  }

  bool has_work() const override {
    if (this->state_.has_work() || this->accesses_.has_work()) return true;
    if (this->accesses_.stalled()) return false;
    if (has_timers && this->timers_->processing_ready() && may_signal()) return true;
    return Input::has_work() && !this->timers_->waiting() && !waits_for_quiescence();
  }

  status step() override {
    if (this->state_.has_work()) {
      this->state_.work();
    } else if (this->accesses_.has_work()) {
      this->go_on_in_order();
    } else if (has_timers && this->state_.cursor() == 0 && may_signal() &&
               this->timers_->processing_ready()) {
      call_processing_timers();
    } else {
      return Input::step();
    }
    return {};
  }

  timer_client_base* timers() override { return has_timers ? &*this->timers_ : nullptr; }
  result<std::unique_ptr<timer_queue_base>> make_timer_queue(
      const state::restored_chunks& chunks) override {
    auto queue = std::make_unique<timer_queue<K>>(this->environment().max_parallelism);
    if (auto done = queue->restore(chunks); !done) return std::move(done).failure();
    return std::unique_ptr<timer_queue_base>{std::move(queue)};
  }

  bool wants_timers_quiesced() const override { return quiescing_; }
  void on_timers_quiesced() override { quiesced_ = true; }

 protected:
  /// What is at the front of the input must wait, for what is in flight if something is.
  handled not_yet() {
    this->accesses_.stall();
    return handled::not_yet;
  }

  /// Waits until nothing is in flight.
  result<handled> on_control(control c) override {
    if (!this->accesses_.idle()) return not_yet();
    if (c.kind() == control_kind::end_of_input && has_timers) {
      quiescing_ = true;
      if (waits_for_quiescence()) return not_yet();
    }
    if (c.kind() == control_kind::watermark) return on_watermark(c.time());
    auto done = base::on_control(c);
    this->check_output();
    return done;
  }

 private:
  /// Between the freeze of this operator and the timer service's cut nothing may change.
  bool may_signal() const { return !this->tracker().barrier_inside && !this->timers_->advancing(); }

  bool waits_for_quiescence() const {
    return quiescing_ && !(quiesced_ && !this->timers_->processing_ready());
  }

  result<handled> on_watermark(event_time watermark) {
    auto& timers = *this->timers_;
    if constexpr (has_event_timers) {
      if (!timers.advancing()) {
        if (!this->state_.advance(watermark)) return handled::pass_on;
        if (!timers.needs_round_trip(watermark)) return handled::pass_on;
        timers.begin_advance(watermark);
      }
      return call_event_timers() ? handled::pass_on : not_yet();
    } else {
      this->state_.advance(watermark);
      return handled::pass_on;
    }
  }

  /// True when all timers of the advance have been called, and nothing of it is in flight.
  bool call_event_timers() {
    while (this->takes_more()) {
      const auto due = this->timers_->next_event();
      if (!due) return !this->timers_->advancing() && this->accesses_.idle();
      if constexpr (has_event_timers) {
        const event_time time{due->time};
        this->call_for(due->subject, time, [this, time](function& f, auto&... out) {
          f.on_event_timer(time, out..., *this->context_);
        });
      }
    }
    return false;
  }

  void call_processing_timers() {
    while (this->takes_more()) {
      const auto due = this->timers_->next_processing();
      if (!due) return;
      if constexpr (has_processing_timers) {
        const clock_time time{due->time};
        this->call_for(due->subject, event_time::min(), [this, time](function& f, auto&... out) {
          f.on_processing_timer(time, out..., *this->context_);
        });
      }
    }
    this->accesses_.stall();
  }

  template <class O>
  static constexpr void check_timers() {
    static_assert(
        has_event_timers || !requires { &O::on_event_timer; },
        "on_event_timer: it must be callable as `void on_event_timer(event_time, "
        "collector<R>&, keyed_context<K>&)`");
    static_assert(
        has_processing_timers || !requires { &O::on_processing_timer; },
        "on_processing_timer: it must be callable as `void "
        "on_processing_timer(clock_time, collector<R>&, keyed_context<K>&)`");
  }

  bool quiescing_ = false;
  bool quiesced_ = false;
};

}  // namespace weir::dataflow
