// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

#include "weir/dataflow/one_input_operator.hpp"
#include "weir/windowing/keyed_cursor.hpp"
#include "weir/windowing/pane_set.hpp"
#include "weir/windowing/trigger_result.hpp"
#include "weir/windowing/window_assigner.hpp"
#include "weir/windowing/window_functions.hpp"
#include "weir/windowing/window_time.hpp"

namespace weir::windowing {

/// Gathers the records of each key in windows, and emits what `Contents` makes of a window's
/// records through `Emit`, when `Trigger` says so. A window ends for good when the watermark is
/// `allowed_lateness` past its `max_time`; records for it that come later are late.
///
/// Stream is a `keyed_stream`. Assigner has `time_window window_of(event_time)`, Contents is
/// `reducing` or `aggregating`, Emit `emit_result` or `process_result`, and Trigger decides for all
/// keys of a window at once, as `event_time_trigger` does.
///
/// State is kept by window, then by key: a window is closed in one piece, and all its keys share
/// two timers, a FIRE for the trigger and a PURGE for the end. These are in no snapshot, but
/// follow from the windows that are open.
template <class Stream, class Assigner, class Contents, class Emit, class Trigger>
class window_operator final : public dataflow::one_input_operator<typename Stream::value_type> {
 public:
  using key = typename Stream::key_type;
  using record = typename Stream::value_type;
  using output = typename Emit::output;

  /// What all subtasks are made from.
  struct definition {
    typename Stream::select_type select;
    Assigner assigner;
    Contents contents;
    Emit emit;
    Trigger trigger;
    duration allowed_lateness = duration::zero();
    std::optional<std::string> late_output;  ///< none: late records are dropped and counted
  };

  explicit window_operator(definition d)
      : definition_{std::move(d)}, time_{definition_.allowed_lateness} {
    this->add_output(out_);
  }

  status open(const dataflow::operator_environment& environment) override {
    if (auto done = dataflow::operator_base::open(environment); !done) return done;
    panes_.open(environment.groups, environment.max_parallelism);
    time_.open(environment);
    late_records_dropped_ = &environment.metrics->add_counter("late_records_dropped");
    return {};
  }

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

  std::optional<event_time> restored_watermark() const override { return time_.restored(); }

  event_time record_time() const override {
    return firing_ ? firing_->in->window.max_time() : cursor_.time();
  }

  bool has_work() const override {
    return dataflow::one_input_operator<record>::has_work() && !time_.timers().waiting();
  }

  void begin_snapshot(dataflow::snapshot_context& context) override {
    time_.write(context.stream());
    panes_.begin_snapshot(context.stream());
  }
  bool snapshot_running() const override { return panes_.snapshot_running(); }
  void sweep_snapshot(std::size_t slots) override { panes_.sweep(slots); }
  void abort_snapshot() override { panes_.abort_snapshot(); }

  dataflow::timer_client_base* timers() override { return &time_.timers(); }
  result<std::unique_ptr<dataflow::timer_queue_base>> make_timer_queue(
      const state::restored_chunks&) override {
    using queue = dataflow::timer_queue<window_timer>;
    return std::unique_ptr<dataflow::timer_queue_base>{
        std::make_unique<queue>(this->environment().max_parallelism)};
  }

 private:
  using panes = pane_set<key, typename Contents::accumulator>;
  using pane = typename panes::pane;
  using handled = typename dataflow::one_input_operator<record>::handled;

  /// So many records before its turn the slot of a record's row is fetched.
  static constexpr std::size_t ahead = 16;
  /// Keys and timers in one step of a firing, so that other operators and actors get their turn.
  static constexpr std::size_t calls_per_step = 1024;

  /// Where the records of the times [first, first + width) go to.
  struct destination {
    pane* in = nullptr;  ///< null: nowhere, the record is late or has no time
    std::uint64_t first = 0;
    std::uint64_t width = 0;
    trigger_result answer = trigger_result::continue_;  ///< the trigger's, for each of them

    bool takes(event_time t) const { return static_cast<std::uint64_t>(t.ms) - first < width; }
  };

  /// A firing of all keys of a window. It may pause between two of them.
  struct firing {
    pane* in;
    event_time time;  ///< that of the timer
    trigger_result what;
    typename pane::table::cursor at = {};
  };

  status on_batch() override {
    panes_.tidy_up();
    if (definition_.assigner.needs_start())
      start_assigner(definition_.assigner, this->environment());
    cursor_.work_on(*this->in().front().data, definition_.select);
    if (auto done = add_records(); !done) return done;
    if (cursor_.finished()) this->in().pop_data();
    return {};
  }

  status add_records() {
    // Records out of order mostly go to and fro between two windows.
    destination to, before;
    while (cursor_.position < cursor_.rows()) {
      const event_time t = cursor_.time();
      if (!to.takes(t)) {
        std::swap(to, before);
        if (!to.takes(t)) to = destination_of(t, cursor_.hash());
      }
      if (to.in == nullptr) {
        if (auto refused = refuse(cursor_.record_in_hand(), t); !refused) return refused;
        ++cursor_.position;
        if (!this->outputs_have_room()) break;
      } else if (to.answer == trigger_result::continue_) {
        add_run(to);
      } else if (!add_and_answer(to)) {
        break;
      }
    }
    return {};
  }

  /// Adds the record in hand, and those that follow it to the same place.
  [[gnu::flatten]] void add_run(const destination to) {
    // Copies that no store can change.
    using select = typename Stream::select_type;
    const std::conditional_t<std::is_trivially_copyable_v<select>, select, const select&> key_of =
        definition_.select;
    auto finder = to.in->rows.make_finder();
    const record* const records = cursor_.records();
    const event_time* const times = cursor_.times();
    const std::uint64_t* const hashes = cursor_.hashes();
    const std::size_t rows = cursor_.rows();
    local_count i{cursor_.position};
    for (std::size_t j = 0; i.value == 0 && j < std::min(rows, ahead); ++j)
      finder.prefetch(hashes[j]);
    do {
      if (i.value + ahead < rows) finder.prefetch(hashes[i.value + ahead]);
      const record& r = records[i.value];
      definition_.contents.add(r, finder.find_or_insert(std::invoke(key_of, r), hashes[i.value]));
      ++i.value;
    } while (i.value < rows && to.takes(times[i.value]));
  }

  /// Adds the record in hand, and does what the trigger wants. Whether there is room for more.
  bool add_and_answer(const destination& to) {
    const record& r = cursor_.record_in_hand();
    const std::uint64_t hash = cursor_.hash();
    std::byte* const row = to.in->rows.find_or_insert(std::invoke(definition_.select, r), hash);
    definition_.contents.add(r, row);
    if (fires(to.answer)) emit(*to.in, row);
    if (purges(to.answer)) to.in->rows.erase(row, hash);
    ++cursor_.position;
    return !out_.full();
  }

  [[gnu::noinline]] destination destination_of(event_time t, std::uint64_t hash) {
    if (t == event_time::min()) return {};
    const time_window window = definition_.assigner.window_of(t);
    const event_time watermark = time_.watermark_of(hash);
    if (time_.cleanup_time(window) <= watermark) return {};
    pane* in = panes_.find(window);
    if (in == nullptr) {
      in = &panes_.insert(window);
      time_.opened(window);
    }
    const auto answer = ask_trigger(*in, watermark);
    // The next records of the window get the same answer, unless their key groups differ.
    if (time_.has_floors()) return {in, 0, 0, answer};
    const auto start = std::max(window.start, event_time::min() + duration{1});
    const auto first = static_cast<std::uint64_t>(start.ms);
    return {in, first, static_cast<std::uint64_t>(window.end.ms) - first, answer};
  }

  trigger_result ask_trigger(pane& p, event_time watermark) {
    auto context = time_.context_of(p.window, p.timer, watermark);
    return definition_.trigger.on_element(p.window, context);
  }

  /// Deals with a record that no window takes.
  [[gnu::noinline]] status refuse(const record& r, event_time t) {
    if (t == event_time::min())
      return error{errc::invalid_argument,
                   "a record without a timestamp came to a window of event time; call "
                   "assign_timestamps_and_watermarks(...) before key_by(...).window(...)"};
    if (definition_.late_output) {
      this->emit_side(output_tag<record>{*definition_.late_output}, r, t);
    } else {
      late_records_dropped_->increment();
    }
    return {};
  }

  void emit(const pane& in, const std::byte* row) {
    out_.set_time(in.window.max_time());
    definition_.emit(pane::table::key_of(row), in.window,
                     definition_.contents.result(pane::layout::template value<0>(row)), out_);
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

  definition definition_;
  window_time time_;
  panes panes_{declaration_of<Contents>()};
  dataflow::collector<output> out_;
  counter* late_records_dropped_ = nullptr;
  keyed_cursor<Stream> cursor_;
  std::optional<firing> firing_;
};

}  // namespace weir::windowing
