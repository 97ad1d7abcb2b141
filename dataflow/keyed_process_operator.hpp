// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>

#include "weir/dataflow/key_group_watermarks.hpp"
#include "weir/dataflow/keyed_context.hpp"
#include "weir/dataflow/keyed_stream.hpp"
#include "weir/dataflow/one_input_operator.hpp"
#include "weir/state/keyed_rows.hpp"

namespace weir::dataflow {

namespace internal {

/// Gives a function without states the shape of one with none.
template <class F>
struct with_no_states : F {
  explicit with_no_states(F f) : F{std::move(f)} {}
  auto uses_states() { return state::states(); }
};

template <class F>
using stateful = std::conditional_t<state::has_states<F>, F, with_no_states<F>>;

}  // namespace internal

/// Calls a user's keyed function for each record and timer, with the states of that key.
///
/// The function has `process_record(const T&, collector<R>&)`, with `keyed_context<K>&` as a third
/// parameter if it wants one; and, if it registers timers, `on_event_timer(event_time,
/// collector<R>&, keyed_context<K>&)` or `on_processing_timer(clock_time, …)`. What an event timer
/// emits has the timer's time, what a processing timer emits has none.
template <class Stream, class R, class F>
class keyed_process_operator final : public one_input_operator<typename Stream::value_type> {
  using record = typename Stream::value_type;
  using key = typename Stream::key_type;
  using select = typename Stream::select_type;
  using function = internal::stateful<F>;
  using base = one_input_operator<record>;
  using handled = typename base::handled;

  static constexpr bool takes_context =
      requires(F& f, const record& r, collector<R>& out, keyed_context<key>& context) {
        f.process_record(r, out, context);
      };
  static constexpr bool has_event_timers =
      requires(F& f, event_time t, collector<R>& out, keyed_context<key>& context) {
        f.on_event_timer(t, out, context);
      };
  static constexpr bool has_processing_timers =
      requires(F& f, clock_time t, collector<R>& out, keyed_context<key>& context) {
        f.on_processing_timer(t, out, context);
      };
  static constexpr bool has_timers = has_event_timers || has_processing_timers;

 public:
  keyed_process_operator(select keys, F f) : select_{std::move(keys)}, function_{std::move(f)} {
    this->add_output(out_);
  }

  status open(const operator_environment& environment) override {
    if (auto done = base::open(environment); !done) return done;
    rows_.emplace(function_, environment.groups, environment.max_parallelism);
    timers_.emplace(environment.place);
    floors_.open(environment.groups, environment.max_parallelism);
    context_.emplace(*this, *timers_);
    return {};
  }

  status restore(const state::restored_chunks& chunks) override {
    if (auto done = rows_->restore(chunks, "rows"); !done) return done;
    auto found = floors_.restore(chunks);
    if (!found) return std::move(found).failure();
    if (*found) restored_ = watermark_ = floors_.lowest();
    return {};
  }

  std::optional<event_time> restored_watermark() const override { return restored_; }
  event_time record_time() const override { return out_.time(); }

  bool has_work() const override {
    if (has_timers && timers_->processing_ready() && may_signal()) return true;
    return base::has_work() && !timers_->waiting() && !waits_for_quiescence();
  }

  status step() override {
    if (has_timers && cursor_ == 0 && may_signal() && timers_->processing_ready()) {
      return call_processing_timers();
    }
    return base::step();
  }

  void begin_snapshot(snapshot_context& context) override {
    floors_.write(watermark_, context.stream());
    rows_->begin_snapshot(context.stream(), "rows");
  }
  bool snapshot_running() const override { return rows_->snapshotting(); }
  void sweep_snapshot(std::size_t slots) override { rows_->sweep(slots); }
  void abort_snapshot() override { rows_->abort_snapshot(); }

  timer_client_base* timers() override { return has_timers ? &*timers_ : nullptr; }
  result<std::unique_ptr<timer_queue_base>> make_timer_queue(
      const state::restored_chunks& chunks) override {
    auto queue = std::make_unique<timer_queue<key>>(this->environment().max_parallelism);
    if (auto done = queue->restore(chunks); !done) return std::move(done).failure();
    return std::unique_ptr<timer_queue_base>{std::move(queue)};
  }

  bool wants_timers_quiesced() const override { return quiescing_; }
  void on_timers_quiesced() override { quiesced_ = true; }

 private:
  static constexpr std::size_t ahead = 16;
  /// Slots of a table that does not fit the nearer caches.
  static constexpr std::size_t worth_prefetching = 8192;

  /// Between the freeze of this operator and the timer service's cut nothing may change.
  bool may_signal() const { return !this->tracker().barrier_inside && !timers_->advancing(); }

  bool waits_for_quiescence() const {
    return quiescing_ && !(quiesced_ && !timers_->processing_ready());
  }

  status on_batch() override {
    auto& data = this->in().front().data;
    if (!data->hashes()) {
      data = writable(std::move(data));
      Stream::hash_keys(select_, *data);
    }
    process(*data);
    if (cursor_ == data->rows()) {
      cursor_ = 0;
      this->in().pop_data();
    }
    return {};
  }

  [[gnu::flatten]] void process(const batch<record>& data) {
    // A copy that no store can change, where a copy costs nothing.
    const std::conditional_t<std::is_trivially_copyable_v<select>, select, const select&> key_in =
        select_;
    const record* const values = data.values();
    const event_time* const times = data.times();
    const std::uint64_t* const hashes = data.hashes();
    const std::size_t rows = data.rows();
    auto keyed = rows_->make_batch();
    std::size_t i = cursor_;
    const std::size_t last_prefetch = rows_->capacity() >= worth_prefetching ? rows : 0;
    for (std::size_t j = i; j < std::min(last_prefetch, i + ahead); ++j) keyed.prefetch(hashes[j]);
    while (i < rows) {
      if (i + ahead < last_prefetch) keyed.prefetch(hashes[i + ahead]);
      const record& in = values[i];
      out_.set_time(times[i]);
      keyed.with_key(std::invoke(key_in, in), hashes[i], [&](function& f, const key& current) {
        if constexpr (takes_context) {
          context_->set(current, times[i], watermark_);
          f.process_record(in, out_, *context_);
        } else {
          f.process_record(in, out_);
        }
      });
      ++i;
      if (out_.full()) [[unlikely]]
        break;
    }
    cursor_ = i;
  }

  result<handled> on_control(control c) override {
    if (c.kind() == control_kind::end_of_input && has_timers) {
      quiescing_ = true;
      return waits_for_quiescence() ? handled::not_yet : handled::pass_on;
    }
    if (c.kind() != control_kind::watermark) return handled::pass_on;
    if constexpr (has_event_timers) {
      if (!timers_->advancing()) {
        if (c.time() <= watermark_) return handled::pass_on;
        watermark_ = c.time();
        floors_.reached(watermark_);
        if (!timers_->needs_round_trip(watermark_)) return handled::pass_on;
        timers_->begin_advance(watermark_);
      }
      return call_event_timers() ? handled::pass_on : handled::not_yet;
    } else {
      watermark_ = std::max(watermark_, c.time());
      floors_.reached(watermark_);
      return handled::pass_on;
    }
  }

  /// True when all timers of the advance have been called.
  bool call_event_timers() {
    while (!out_.full()) {
      const auto due = timers_->next_event();
      if (!due) return !timers_->advancing();
      if constexpr (has_event_timers) {
        const event_time time{due->time};
        out_.set_time(time);
        with_timer(due->subject, time,
                   [&](function& f) { f.on_event_timer(time, out_, *context_); });
      }
    }
    return false;
  }

  status call_processing_timers() {
    while (!out_.full()) {
      const auto due = timers_->next_processing();
      if (!due) break;
      if constexpr (has_processing_timers) {
        const clock_time time{due->time};
        out_.set_time(event_time::min());
        with_timer(due->subject, event_time::min(),
                   [&](function& f) { f.on_processing_timer(time, out_, *context_); });
      }
    }
    return {};
  }

  template <class Call>
  void with_timer(const key& of, event_time time, Call call) {
    rows_->with_key(of, stable_hash(of), [&](function& f, const key& current) {
      context_->set(current, time, watermark_);
      call(f);
    });
  }

  select select_;
  function function_;
  std::optional<state::keyed_rows<key, function>> rows_;
  mutable std::optional<timer_client<key>> timers_;
  std::optional<keyed_context<key>> context_;
  key_group_watermarks floors_;
  event_time watermark_ = event_time::min();
  std::optional<event_time> restored_;
  std::size_t cursor_ = 0;
  bool quiescing_ = false;
  bool quiesced_ = false;
  collector<R> out_;
};

template <class K, class T, class Select>
template <class F>
auto keyed_stream<K, T, Select>::process(F f, call_site where) const {
  static_assert(has_process_record<F>,
                "keyed_stream<K, T>::process(f): f needs a member function "
                "`void process_record(const T&, collector<R>&)`, not overloaded");
  if constexpr (has_process_record<F>) {
    using R = output_of<F>;
    static_assert(!std::is_void_v<R>,
                  "keyed_stream<K, T>::process(f): process_record takes a `collector<R>&`, from "
                  "which R is known");
    using function = internal::stateful<F>;
    function declared{f};
    graph_node node;
    node.kind = "process";
    node.name = "process";
    node.where = where;
    node.states = state::list_states(declared);
    node.make = [select = select_, f = std::move(f)] {
      return std::make_unique<keyed_process_operator<keyed_stream, R, F>>(select, f);
    };
    return this->template add<R>(std::move(node));
  }
}

}  // namespace weir::dataflow
