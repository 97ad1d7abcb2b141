// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <utility>

#include "weir/windowing/pane_operator.hpp"
#include "weir/windowing/window_definition.hpp"
#include "weir/windowing/window_time.hpp"

namespace weir::windowing {

/// Gathers the records of each key in windows, and emits what becomes of a window's
/// records, when the trigger says so. A window ends for good when the watermark is
/// `allowed_lateness` past its `max_time`; records for it that come later are late.
///
/// Definition is a `window_definition`. The assigner has `time_window window_of(event_time)`, and
/// the trigger decides for all keys of a window at once, as `event_time_trigger` does.
///
/// State is kept by window, then by key: a window is closed in one piece, and all its keys share
/// two timers, a FIRE for the trigger and a PURGE for the end. These are in no snapshot, but
/// follow from the windows that are open.
template <class Definition>
class window_operator final : public pane_operator<Definition, window_time> {
  using base = pane_operator<Definition, window_time>;

 public:
  using typename base::definition;

  explicit window_operator(definition d) : base{std::move(d)} {}

  status restore(const state::restored_chunks& chunks) override {
    if (auto done = panes_.restore(chunks); !done) return done;
    if (auto done = time_.restore(chunks); !done) return done;
    panes_.for_each([&](pane& open) {
      time_.opened(open.window);
      // Only for the timer: if the answer is to fire, that has been done.
      static_cast<void>(ask_trigger(open, time_.watermark()));
    });
    return {};
  }

  event_time record_time() const override {
    return firing_ ? firing_->in->window.max_time() : cursor_.time();
  }

  bool has_work() const override { return base::has_work() && !time_.timers().waiting(); }

  void begin_snapshot(dataflow::snapshot_context& context) override {
    this->write_snapshot(context.stream());
  }

  dataflow::timer_client_base* timers() override { return &time_.timers(); }
  result<std::unique_ptr<dataflow::timer_queue_base>> make_timer_queue(
      const state::restored_chunks&) override {
    using queue = dataflow::timer_queue<window_timer>;
    return std::unique_ptr<dataflow::timer_queue_base>{
        std::make_unique<queue>(this->environment().max_parallelism)};
  }

 private:
  using base::cursor_;
  using base::definition_;
  using base::out_;
  using base::panes_;
  using base::time_;
  using typename base::destination;
  using typename base::handled;
  using typename base::pane;

  /// A firing of all keys of a window. It may pause between two of them.
  struct firing {
    pane* in;
    event_time time;  ///< that of the timer
    trigger_result what;
    typename pane::table::cursor at = {};
  };

  bool add_and_answer(const destination& to) override {
    std::byte* const row = this->add_record(*to.in);
    if (fires(to.answer)) emit(*to.in, row);
    if (purges(to.answer)) to.in->rows.erase(row, cursor_.hash());
    ++cursor_.position;
    return !out_.full();
  }

  [[gnu::noinline]] destination destination_of(event_time t, std::uint64_t hash) override {
    if (t == event_time::min()) return {};
    const time_window window = definition_.assigner.window_of(t);
    const event_time watermark = time_.watermark_of(hash);
    if (time_.cleanup_time(window) <= watermark) return {};
    pane* in = panes_.find(window);
    if (in == nullptr) {
      in = &panes_.insert(window);
      time_.opened(window);
    }
    return this->destination_in(*in, ask_trigger(*in, watermark));
  }

  trigger_result ask_trigger(pane& p, event_time watermark) {
    auto context = time_.context_of(p.window, p.timer, watermark);
    return definition_.trigger.on_element(p.window, context);
  }

  void emit(const pane& in, const std::byte* row) {
    base::emit(pane::table::key_of(row), in.window, pane::layout::template value<0>(row));
  }

  result<handled> on_control(dataflow::control c) override {
    if (c.kind() != dataflow::control_kind::watermark) return handled::pass_on;
    panes_.tidy_up();
    if (!time_.advancing()) {
      if (c.time() <= time_.watermark()) return handled::pass_on;
      if (time_.advance(c.time())) return handled::not_yet;
    } else if (!call_due_timers()) {
      return handled::not_yet;
    }
    time_.advanced();
    return handled::pass_on;
  }

  /// Calls due timers, as many as one step may and the output takes. True when none is left.
  bool call_due_timers() {
    std::size_t left = calls_per_step;
    for (;;) {
      if (firing_ && !go_on_firing(left)) return false;
      firing_.reset();
      if (left == 0 || out_.full()) return false;
      const auto due = time_.next_due();
      if (!due) return !time_.advancing();
      --left;
      on_timer(*due);
    }
  }

  void on_timer(const dataflow::timer<window_timer>& due) {
    pane* const in = panes_.find(due.subject.window);
    if (in == nullptr) return;
    auto context = time_.context_of(in->window, in->timer, time_.watermark());
    if (due.subject.kind == dataflow::signal_kind::purge) {
      definition_.trigger.clear(in->window, context);
      return panes_.erase(*in);
    }
    in->timer = event_time::min();  // it is being called
    const auto what = definition_.trigger.on_event_time({due.time}, in->window, context);
    if (what != trigger_result::continue_) firing_ = firing{in, {due.time}, what};
  }

  /// False: it must be gone on with.
  bool go_on_firing(std::size_t& left) {
    auto& [in, time, what, at] = *firing_;
    for (; left > 0 && !out_.full(); --left) {
      std::byte* const row = in->rows.next(at);
      if (row == nullptr) return true;
      if (state::nothing_present(row)) continue;
      // Keys whose group was as far before the restore have had their turn.
      if (time_.has_floors() && time_.floor_of(stable_hash(pane::table::key_of(row))) >= time)
        continue;
      if (fires(what)) emit(*in, row);
      if (purges(what)) in->rows.erase(at);
    }
    return false;
  }

  std::optional<firing> firing_;
};

}  // namespace weir::windowing
