// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>

#include "weir/dataflow/timer_client.hpp"
#include "weir/windowing/keyed_cursor.hpp"
#include "weir/windowing/late_records.hpp"
#include "weir/windowing/window_calls.hpp"

namespace weir::windowing {

/// What operators have in common whose triggers decide for each key of a window: their input, their
/// timers, the window function, late records. `Self` derives from it, keeps the windows, and has
///
/// - `status take_records()`: goes on with the batch of `cursor_`, by `take_record`;
/// - `result<bool> take(record, time, hash)`: puts a record in its windows; false: it is late;
/// - `on_timer(const timer<Subject>&)`: a timer of either domain is due;
/// - `bool go_on(left)`: goes on with what a timer began, with so many calls at most; true: done;
/// - `rows()`: what is saved and restored: `begin_snapshot`, `snapshot_running`, `sweep`,
/// `abort_snapshot`;
///   `status restore_rows(chunks)`, which registers the timers again;
/// - `tidy_up()`: does away with some of what is over, at each batch and watermark.
template <class Self, class Definition, class Subject>
class triggered_windows : public window_calls<Definition> {
 protected:
  using base = window_calls<Definition>;
  using typename base::assigner;
  using typename base::handled;
  using typename base::input;
  using typename base::record;
  using typename base::root;

 public:
  using base::base;

  status open(const dataflow::operator_environment& environment) override {
    if (auto done = base::open(environment); !done) return done;
    timers_.emplace(environment.place);
    late_.open(environment);
    return {};
  }

  status restore(const state::restored_chunks& chunks) override {
    if (auto done = base::restore(chunks); !done) return done;
    return self().restore_rows(chunks);
  }

  event_time record_time() const override {
    return cursor_.busy() ? cursor_.time() : base::record_time();
  }

  void begin_snapshot(dataflow::snapshot_context& into) override {
    base::begin_snapshot(into);
    self().rows().begin_snapshot(into.stream());
  }
  bool snapshot_running() const override {
    return base::snapshot_running() || self().rows().snapshot_running();
  }
  void sweep_snapshot(std::size_t slots) override {
    base::sweep_snapshot(slots);
    self().rows().sweep(slots);
  }
  void abort_snapshot() override {
    base::abort_snapshot();
    self().rows().abort_snapshot();
  }

  dataflow::timer_client_base* timers() override { return &*timers_; }
  result<std::unique_ptr<dataflow::timer_queue_base>> make_timer_queue(
      const state::restored_chunks&) override {
    using queue = dataflow::timer_queue<Subject>;
    return std::unique_ptr<dataflow::timer_queue_base>{
        std::make_unique<queue>(this->environment().max_parallelism)};
  }
  bool wants_timers_quiesced() const override { return quiescing_; }
  void on_timers_quiesced() override { quiesced_ = true; }

  bool has_work() const override {
    if (this->key_states_.ttl().has_work()) return true;
    if (processing_due()) return true;
    return input::has_work() && !timers_->waiting() && !waits_for_quiescence();
  }

  status step() override {
    if (this->key_states_.ttl().has_work()) {
      this->key_states_.ttl().work(this->time_.watermark());
    } else if (processing_due()) {
      in_processing_ = !call_due_timers([this] { return timers_->next_processing(); });
    } else {
      return input::step();
    }
    return {};
  }

 protected:
  Self& self() { return static_cast<Self&>(*this); }
  const Self& self() const { return static_cast<const Self&>(*this); }

  /// Whether the outputs take more. They may have had none since they were asked last.
  bool has_room() { return !std::exchange(this->fired_, false) || this->outputs_have_room(); }

  /// Puts the record in hand in its windows, by `take(more..., record, time, hash)`.
  template <class... More>
  status take_record(More&... more) {
    const record& r = cursor_.record_in_hand();
    const event_time t = cursor_.time();
    const std::uint64_t hash = cursor_.hash();
    if ((assigner::is_event_time || root::needs_timestamps) && t == event_time::min()) [[unlikely]]
      return no_timestamp();
    this->set_clocks(hash);
    auto taken = self().take(more..., r, t, hash);
    if (!taken) return std::move(taken).failure();
    if (!*taken) refuse_late(r, t);
    return {};
  }

  mutable std::optional<dataflow::timer_client<Subject>> timers_;
  keyed_cursor<typename base::stream> cursor_;

 private:
  status on_batch() override {
    self().tidy_up();
    if (this->definition_.assigner.needs_start())
      start_assigner(this->definition_.assigner, this->environment());
    cursor_.work_on(*this->in().front().data, this->definition_.select);
    this->read_clock();
    const auto first = cursor_.position;
    this->fired_ = true;
    if (auto done = self().take_records(); !done) return done;
    this->key_states_.ttl().clean_up_behind(cursor_.position - first);
    if (cursor_.finished()) this->in().pop_data();
    return {};
  }

  /// Deals with a record that no window has taken.
  void refuse_late(const record& r, event_time t) {
    if (base::domain != timer_domain::event) return;
    if (t + this->definition_.allowed_lateness > this->scope_.watermark) return;
    late_.refuse(*this, r, t);
    this->fired_ = true;
  }

  result<handled> on_control(dataflow::control c) override {
    if (c.kind() == dataflow::control_kind::end_of_input) {
      quiescing_ = true;
      if (waits_for_quiescence()) return handled::not_yet;
    }
    if (c.kind() != dataflow::control_kind::watermark) return base::on_control(c);
    self().tidy_up();
    if (!timers_->advancing() && !in_event_) {
      if (c.time() <= this->time_.watermark()) return handled::pass_on;
      this->time_.advance(c.time());
      if (timers_->needs_round_trip(c.time())) {
        timers_->begin_advance(c.time());
        return handled::not_yet;
      }
    } else {
      in_event_ = !call_due_timers([this] { return timers_->next_event(); });
      if (in_event_ || timers_->advancing()) return handled::not_yet;
    }
    this->time_.advanced();
    return handled::pass_on;
  }

  void on_end() override { this->call_end(0, dataflow::internal::call_end_input); }

  /// Calls due timers, as many as one step may and the output takes. True when `next` has no more.
  template <class Next>
  bool call_due_timers(Next next) {
    this->read_clock();
    std::size_t left = calls_per_step;
    for (;;) {
      if (!self().go_on(left)) return false;
      if (left == 0 || !this->outputs_have_room()) return false;
      const auto due = next();
      if (!due) return true;
      --left;
      self().on_timer(*due);
    }
  }

  /// Between the freeze of this operator and the timer service's cut nothing may change.
  bool processing_due() const {
    if (this->tracker().barrier_inside || timers_->advancing() || in_event_ || cursor_.busy())
      return false;
    return in_processing_ || timers_->processing_ready();
  }

  bool waits_for_quiescence() const {
    return quiescing_ && !(quiesced_ && !timers_->processing_ready() && !in_processing_);
  }

  late_records<record> late_{this->definition_.late_output};
  bool in_event_ = false;       // the calls of an advance pause
  bool in_processing_ = false;  // the calls of processing timers pause
  bool quiescing_ = false;
  bool quiesced_ = false;
};

}  // namespace weir::windowing
