// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>
#include <cstdint>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "weir/dataflow/function_operator.hpp"
#include "weir/windowing/global_window.hpp"
#include "weir/windowing/window_assigner.hpp"
#include "weir/windowing/window_cells.hpp"
#include "weir/windowing/window_key_states.hpp"
#include "weir/windowing/window_watermark.hpp"

namespace weir::windowing {

/// What operators have in common whose triggers decide for each key of a window, as far as user
/// code is called: the cells of a window, the window function and its states, the clocks that
/// triggers see.
template <class Definition>
class window_calls : public dataflow::function_operator<
                         dataflow::one_input_operator<typename Definition::stream::value_type>,
                         typename Definition::function_type,
                         dataflow::output_of<typename Definition::function_type>> {
 protected:
  using stream = typename Definition::stream;
  using key = typename stream::key_type;
  using record = typename stream::value_type;
  using assigner = typename Definition::assigner_type;
  using window = typename assigner::window_type;
  using user_function = typename Definition::function_type;
  using input = dataflow::one_input_operator<record>;
  using base =
      dataflow::function_operator<input, user_function, dataflow::output_of<user_function>>;
  using typename base::function;
  using typename base::handled;

  /// Whether assigning windows to a record cannot fail.
  static constexpr bool assigns_always =
      requires(assigner& a, const record& r, void (*take)(const window&)) {
        { a.assign(r, event_time{}, clock_time{}, take) } -> std::same_as<void>;
      };
  static constexpr bool has_clear = internal::has_clear<function, key, window>();
  using cells = window_cells<typename Definition::contents_type, typename Definition::trigger_type,
                             function, has_clear>;
  using root = typename cells::trigger_type;

 public:
  using definition = Definition;

  /// By what the windows end.
  static constexpr std::optional<timer_domain> domain =
      std::is_same_v<window, global_window> ? std::nullopt
      : assigner::is_event_time             ? std::optional{timer_domain::event}
                                            : std::optional{timer_domain::processing};

  /// Errors: invalid_argument for a state per window with a TTL.
  static status check(const definition& d) { return check_window_states<function>(d.function); }
  /// What the operator keeps for each window of a key, and for each key.
  static std::vector<state::state_declaration> states(const definition& d) {
    return declared_window_states<cells, function>(d);
  }

  explicit window_calls(definition d)
      : base{std::move(d.function)},
        definition_{std::move(d)},
        scope_{domain, definition_.allowed_lateness},
        cells_{definition_.contents, definition_.trigger, this->function_} {}

  status open(const dataflow::operator_environment& environment) override {
    if (auto done = base::open(environment); !done) return done;
    time_.open(environment);
    context_.emplace(*this, this->life_.listed());
    key_states_.open(this->function_, this->environment());
    warn_once(definition_.assigner, environment);
    return {};
  }

  status restore(const state::restored_chunks& chunks) override {
    if (auto done = base::restore(chunks); !done) return done;
    if (auto done = time_.restore(chunks); !done) return done;
    return key_states_.restore(chunks, time_.watermark());
  }

  std::optional<event_time> restored_watermark() const override { return time_.restored(); }

  void begin_snapshot(dataflow::snapshot_context& into) override {
    base::begin_snapshot(into);
    time_.write(into.stream());
    key_states_.begin_snapshot(into.stream(), time_.watermark());
  }
  bool snapshot_running() const override {
    return base::snapshot_running() || key_states_.snapshot_running();
  }
  void sweep_snapshot(std::size_t slots) override {
    base::sweep_snapshot(slots);
    key_states_.sweep(slots);
  }
  void abort_snapshot() override {
    base::abort_snapshot();
    key_states_.abort_snapshot();
  }

  clock_time next_alarm() const override { return key_states_.ttl().next_alarm(); }
  void on_alarm(clock_time now) override { key_states_.ttl().on_alarm(now); }

 protected:
  /// Reads the clock, for what is called until it is read again.
  void read_clock() {
    now_ = this->environment().time->now();
    key_states_.ttl().set_time(time_.watermark());
  }

  /// Calls `take(window)` for each window of a record. Errors: those of the assigner.
  template <class Take>
  status assign(const record& r, event_time t, Take&& take) {
    if constexpr (assigns_always) {
      definition_.assigner.assign(r, t, now_, take);
      return {};
    } else {
      return definition_.assigner.assign(r, t, now_, take);
    }
  }

  /// When what is to be done at `t` for window `w` is due. A window of the processing clock has had
  /// its last record when the clock has left its last millisecond: what is to be done then, to fire
  /// and to clean up, is due one later. All else is due at its time.
  static std::int64_t due_at(timer_domain d, std::int64_t t, const window& w) {
    const bool last = domain == timer_domain::processing && d == timer_domain::processing &&
                      t == w.max_time().ms && t != event_time::max().ms;
    return last ? t + 1 : t;
  }
  /// For what time a timer of window `w` was asked that has come at `due`; `min()`: for none, it
  /// was one of the window before it grew.
  static std::int64_t asked_for(timer_domain d, std::int64_t due, const window& w) {
    if (due_at(d, due - 1, w) == due) return due - 1;
    return due_at(d, due, w) == due ? due : event_time::min().ms;
  }

  /// Sets the clocks of the trigger for the keys with this hash.
  void set_clocks(std::uint64_t hash) {
    scope_.watermark = time_.watermark_of(hash);
    scope_.now = now_;
  }

  /// When `w` is cleaned up, by its domain's clock.
  bool is_late(const window& w) const {
    return domain == timer_domain::event && scope_.cleanup_time(w) <= scope_.watermark.ms;
  }

  /// Emits what `w` has of the key. The states are attached to its row.
  void emit(const key& k, std::uint64_t hash, const window& w) {
    this->out_.set_time(w.max_time());
    context_->set(w.max_time(), scope_.watermark);
    cells_.contents.emit(w, {scope_.watermark, scope_.now}, [&](const auto& result) {
      with_key(k, hash, [&] {
        this->out_.with([&](auto& out) {
          call_window_function(this->function_, k, w, result, out, *context_);
        });
      });
    });
  }

  /// Does what the trigger has answered.
  void answer(trigger_result what, const key& k, std::uint64_t hash, const window& w) {
    if (what == trigger_result::continue_) [[likely]]
      return;
    if (fires(what)) emit(k, hash, w);
    if (purges(what)) cells_.contents.clear();
    fired_ = true;
  }

  /// Lets trigger and function forget a window that is being cleaned up.
  void clear(const key& k, std::uint64_t hash, const window& w) {
    cells_.trigger.clear(scope_, w);
    if constexpr (has_clear) {
      context_->set(w.max_time(), scope_.watermark);
      with_key(k, hash, [&] {
        internal::with_window(k, w,
                              [&](const auto&... of) { this->function_.clear(of..., *context_); });
      });
    }
  }

  definition definition_;
  trigger_scope scope_;
  cells cells_;
  window_watermark time_;
  clock_time now_;
  window_key_states<key, function> key_states_;
  bool fired_ = false;  ///< something may have been emitted since the room was asked for

 private:
  /// Makes `k` the current key of the function's own keyed states.
  template <class Call>
  void with_key(const key& k, std::uint64_t hash, Call&& call) {
    key_states_.with_key(k, hash, this->out_.time(), std::forward<Call>(call));
  }

  void visit_partitions(dataflow::partition_visitor&) override {
    throw state::state_error{
        "apply_to_all_partitions: a window function is called for windows only"};
  }

  std::optional<window_context> context_;
};

}  // namespace weir::windowing
