// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <utility>

#include "weir/dataflow/function_operator.hpp"
#include "weir/dataflow/keyed_context.hpp"
#include "weir/dataflow/keyed_state_port.hpp"
#include "weir/dataflow/output_keys.hpp"

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
class keyed_operator : public function_operator<Input, F, R...> {
 protected:
  using base = function_operator<Input, F, R...>;
  using typename base::function;
  using typename base::handled;
  using context = keyed_context<K>;

  static constexpr bool has_event_timers = requires(function& f, event_time t, collector<R>&... out,
                                                    context& c) { f.on_event_timer(t, out..., c); };
  static constexpr bool has_processing_timers =
      requires(function& f, clock_time t, collector<R>&... out, context& c) {
        f.on_processing_timer(t, out..., c);
      };
  static constexpr bool has_timers = has_event_timers || has_processing_timers;

 public:
  keyed_operator(F f, Keys output_keys)
      : base{std::move(f)}, state_{this->function_}, output_keys_{std::move(output_keys)} {}

  status open(const operator_environment& environment) override {
    check_timers<function>();
    if (auto done = base::open(environment); !done) return done;
    state_.open(this->environment());
    timers_.emplace(environment.place);
    context_.emplace(*this, *this->whole_, this->life_.listed(), *timers_);
    if constexpr (Keys::checked) output_keys_.watch(this->out_, context_->key());
    return {};
  }

  status restore(const state::restored_chunks& chunks) override {
    if (auto done = base::restore(chunks); !done) return done;
    return state_.restore(chunks);
  }

  status start() override {
    auto done = base::start();
    check_output();
    return done;
  }

  std::optional<event_time> restored_watermark() const override {
    return state_.restored_watermark();
  }

  bool has_work() const override {
    if (state_.has_work()) return true;
    if (has_timers && timers_->processing_ready() && may_signal()) return true;
    return Input::has_work() && !timers_->waiting() && !waits_for_quiescence();
  }

  status step() override {
    if (state_.has_work()) {
      state_.work();
      return {};
    }
    if (has_timers && state_.cursor() == 0 && may_signal() && timers_->processing_ready()) {
      call_processing_timers();
      return {};
    }
    return Input::step();
  }

  clock_time next_alarm() const override { return state_.next_alarm(); }
  void on_alarm(clock_time now) override { state_.on_alarm(now); }

  void begin_snapshot(snapshot_context& into) override {
    base::begin_snapshot(into);
    state_.begin_snapshot(into.stream());
  }
  bool snapshot_running() const override {
    return base::snapshot_running() || state_.rows().snapshotting();
  }
  void sweep_snapshot(std::size_t slots) override {
    base::sweep_snapshot(slots);
    state_.rows().sweep(slots);
  }
  void abort_snapshot() override {
    base::abort_snapshot();
    state_.rows().abort_snapshot();
  }

  timer_client_base* timers() override { return has_timers ? &*timers_ : nullptr; }
  result<std::unique_ptr<timer_queue_base>> make_timer_queue(
      const state::restored_chunks& chunks) override {
    auto queue = std::make_unique<timer_queue<K>>(this->environment().max_parallelism);
    if (auto done = queue->restore(chunks); !done) return std::move(done).failure();
    return std::unique_ptr<timer_queue_base>{std::move(queue)};
  }

  bool wants_timers_quiesced() const override { return quiescing_; }
  void on_timers_quiesced() override { quiesced_ = true; }

 protected:
  /// Calls `call(function&, const T&, collector<R>&...[, keyed_context<K>&])` for the records of
  /// the batch at the front of `queue`, with their keys, until the outputs are full; takes it out
  /// if all are done.
  template <class Stream, class T, class Call>
  void process_front(element_queue<T>& queue, const typename Stream::select_type& select,
                     Call call) {
    auto& data = queue.front().data;
    if (!data->hashes()) {
      data = writable(std::move(data));
      Stream::hash_keys(select, *data);
    }
    if (process_keyed(select, std::as_const(*data), call)) queue.pop_data();
    end_keys();
  }

  /// Behind calls for records or timers: what is emitted now belongs to no key.
  void end_keys() {
    if constexpr (Keys::checked) context_->end_key();
  }
  /// Behind each call of the function.
  [[gnu::always_inline]] void check_output() {
    if constexpr (Keys::checked) {
      this->out_.with([](auto&... out) { (out.show_emitted(), ...); });
    }
  }

  result<handled> on_control(control c) override {
    if (c.kind() == control_kind::end_of_input && has_timers) {
      quiescing_ = true;
      if (waits_for_quiescence()) return handled::not_yet;
    }
    if (c.kind() == control_kind::watermark) return on_watermark(c.time());
    auto done = base::on_control(c);
    check_output();
    return done;
  }

  /// Calls `use(const K&)` for each key that has state, with that key as the current one.
  template <class Use>
  void visit(Use use) {
    const context before = *context_;
    state_.visit([&](const K& key) {
      context_->set(key, before.timestamp(), state_.watermark());
      use(key);
      check_output();
    });
    *context_ = before;
  }

  void visit_partitions(partition_visitor& visitor) override {
    const auto& visit_one = visitor.as<typed_partition_visitor<context, R...>>();
    visit([&](const K&) { this->out_.with([&](auto&... out) { visit_one(out..., *context_); }); });
  }

  keyed_state_port<K, function, Timing> state_;
  std::optional<context> context_;

 private:
  template <class Select, class T, class Call>
  [[gnu::flatten]] bool process_keyed(const Select& select, const batch<T>& data, Call call) {
    constexpr bool with_context =
        std::is_invocable_v<Call, function&, const T&, collector<R>&..., context&>;
    return state_.process(select, data,
                          [&](function& f, const T& in, const K& key, event_time time) {
                            this->out_.set_time(time);
                            if constexpr (with_context || Keys::checked)
                              context_->set(key, time, state_.watermark());
                            this->out_.with([&](auto&... out) {
                              if constexpr (with_context) {
                                call(f, in, out..., *context_);
                              } else {
                                call(f, in, out...);
                              }
                            });
                            check_output();
                            return !this->out_.full();
                          });
  }

  /// Between the freeze of this operator and the timer service's cut nothing may change.
  bool may_signal() const { return !this->tracker().barrier_inside && !timers_->advancing(); }

  bool waits_for_quiescence() const {
    return quiescing_ && !(quiesced_ && !timers_->processing_ready());
  }

  result<handled> on_watermark(event_time watermark) {
    if constexpr (has_event_timers) {
      if (!timers_->advancing()) {
        if (!state_.advance(watermark)) return handled::pass_on;
        if (!timers_->needs_round_trip(watermark)) return handled::pass_on;
        timers_->begin_advance(watermark);
      }
      return call_event_timers() ? handled::pass_on : handled::not_yet;
    } else {
      state_.advance(watermark);
      return handled::pass_on;
    }
  }

  /// True when all timers of the advance have been called.
  bool call_event_timers() {
    while (!this->out_.full()) {
      const auto due = timers_->next_event();
      if (!due) return !timers_->advancing();
      if constexpr (has_event_timers) {
        const event_time time{due->time};
        call_timer(due->subject, time,
                   [&](function& f, auto&... out) { f.on_event_timer(time, out..., *context_); });
      }
    }
    return false;
  }

  void call_processing_timers() {
    while (!this->out_.full()) {
      const auto due = timers_->next_processing();
      if (!due) return;
      if constexpr (has_processing_timers) {
        const clock_time time{due->time};
        call_timer(due->subject, event_time::min(), [&](function& f, auto&... out) {
          f.on_processing_timer(time, out..., *context_);
        });
      }
    }
  }

  template <class Call>
  void call_timer(const K& of, event_time time, Call call) {
    this->out_.set_time(time);
    state_.with_key(of, [&](function& f, const K& key) {
      context_->set(key, time, state_.watermark());
      this->out_.with([&](auto&... out) { call(f, out...); });
      check_output();
    });
    end_keys();
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

  mutable std::optional<timer_client<K>> timers_;
  [[no_unique_address]] Keys output_keys_;
  bool quiescing_ = false;
  bool quiesced_ = false;
};

}  // namespace weir::dataflow
