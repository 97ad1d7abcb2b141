// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <utility>

#include "weir/windowing/key_window_timer.hpp"
#include "weir/windowing/pane_set.hpp"
#include "weir/windowing/triggered_windows.hpp"

namespace weir::windowing {

template <class Definition>
using key_window_timer_of = key_window_timer<typename Definition::stream::key_type,
                                             typename Definition::assigner_type::window_type>;

/// Gathers the records of each key in windows that do not merge, and asks a trigger of any kind,
/// for each record and for its timers, what is to become of them.
///
/// State is kept by window, then by key, with a row for each: see `window_cells`. The keys of a
/// window share the timer of its end; the timers of triggers are in the rows, so that a snapshot
/// has no others.
///
/// Source: the rules are those of Apache Flink's WindowOperator for windows that do not merge.
template <class Definition>
class general_window_operator final
    : public triggered_windows<general_window_operator<Definition>, Definition,
                               key_window_timer_of<Definition>> {
  using subject = key_window_timer_of<Definition>;
  using base = triggered_windows<general_window_operator, Definition, subject>;
  friend base;
  using typename base::cells;
  using typename base::key;
  using typename base::record;
  using typename base::root;
  using typename base::window;
  using layout = state::layout_of<cells>;
  using panes = window_rows<key, window, layout>;
  using pane = typename panes::pane;

 public:
  explicit general_window_operator(Definition d)
      : base{std::move(d)}, panes_{state::list_states(this->cells_)} {
    state::bind_states(this->cells_);
  }

  status open(const dataflow::operator_environment& environment) override {
    if (auto done = base::open(environment); !done) return done;
    panes_.open(environment.groups, environment.max_parallelism);
    return {};
  }

 private:
  /// The cleanup of a window, which may pause between two keys.
  struct cleanup {
    pane* in;
    typename pane::table::cursor at = {};
  };

  panes& rows() { return panes_; }
  const panes& rows() const { return panes_; }
  void tidy_up() { panes_.tidy_up(); }

  status take_records() {
    for (auto& in = this->cursor_; in.position < in.rows() && this->has_room(); ++in.position)
      if (auto done = this->take_record(); !done) return done;
    return {};
  }

  /// Puts a record in its windows. False: none has taken it.
  result<bool> take(const record& r, event_time t, std::uint64_t hash) {
    bool taken = false;
    auto done = this->assign(r, t, [&](const window& w) {
      if (this->is_late(w)) return;
      taken = true;
      add(r, t, hash, open_pane(w));
    });
    if (!done) return std::move(done).failure();
    return taken;
  }

  pane& open_pane(const window& w) {
    // Most records go to the window of the one before.
    if (last_ != nullptr && last_->window == w) return *last_;
    last_ = panes_.find(w);
    if (last_ == nullptr) {
      last_ = &panes_.insert(w);
      register_end(w);
    }
    return *last_;
  }

  void add(const record& r, event_time t, std::uint64_t hash, pane& in) {
    std::byte* const row = in.rows.find_or_insert(std::invoke(this->definition_.select, r), hash);
    state::attach_states<layout>(this->cells_, row);
    this->cells_.contents.add(r, t);
    this->cells_.mark();
    const auto what =
        this->cells_.trigger.on_element(this->scope_, added_element<record>{r, t}, in.window);
    settle(what, row, hash, in);
  }

  /// Does what the trigger has answered, and wants to have done with its timers.
  void settle(trigger_result what, std::byte* row, std::uint64_t hash, pane& in) {
    const key& k = pane::table::key_of(row);
    this->answer(what, k, hash, in.window);
    change_timers(k, in.window);
    if (state::nothing_present(row)) [[unlikely]] {
      in.rows.erase(row, hash);
      in.rows.trim();
    }
  }

  void change_timers(const key& k, const window& w) {
    auto& changes = this->scope_.changes();
    if (changes.empty()) [[likely]]
      return;
    const subject timer{k, w};
    for (const auto& change : changes) {
      const auto due = base::due_at(change.domain, change.time, w);
      // At the end of the window the service has one timer for two times that a trigger may ask
      // for.
      if (!change.wanted && base::asked_for(change.domain, due, w) != due) continue;
      if (change.domain == timer_domain::event) {
        change_timer(event_time{due}, timer, change.wanted);
      } else {
        change_timer(clock_time{due}, timer, change.wanted);
      }
    }
    changes.clear();
  }

  template <class Time>
  void change_timer(Time time, const subject& timer, bool wanted) {
    if (wanted)
      this->timers_->register_timer(time, timer);
    else
      this->timers_->delete_timer(time, timer);
  }

  /// Asks for the PURGE of a window.
  void register_end(const window& w) {
    const auto end = this->scope_.cleanup_time(w);
    if (end == event_time::max().ms) return;  // it stays open
    const subject timer{std::nullopt, w};
    if (base::domain == timer_domain::event)
      this->timers_->register_timer(event_time{end}, timer);
    else
      this->timers_->register_timer(clock_time{base::due_at(timer_domain::processing, end, w)},
                                    timer);
  }

  void on_timer(const dataflow::timer<subject>& due) {
    pane* const in = panes_.find(due.subject.window);
    if (in == nullptr) return;
    if (!due.subject.key) {
      closing_ = cleanup{in};
      return;
    }
    const auto hash = stable_hash(*due.subject.key);
    std::byte* const row = in->rows.find(*due.subject.key, hash);
    if (row == nullptr) return;
    this->set_clocks(hash);
    state::attach_states<layout>(this->cells_, row);
    const auto what = this->cells_.trigger.on_timers(
        this->scope_, due.domain, base::asked_for(due.domain, due.time, in->window), in->window);
    settle(what, row, hash, *in);
  }

  /// Goes on with a cleanup, if there is one. True: it is done.
  bool go_on(std::size_t& left) {
    if (!closing_) return true;
    pane& in = *closing_->in;
    // Rows without timers go without a look at them.
    if constexpr (root::uses_timers || base::has_clear) {
      for (; left > 0; --left) {
        std::byte* const row = in.rows.next(closing_->at);
        if (row == nullptr) break;
        if (state::nothing_present(row)) continue;
        clear_row(row, in);
        in.rows.erase(closing_->at);
      }
      if (left == 0) return false;
    }
    if (last_ == &in) last_ = nullptr;
    panes_.erase(in);
    closing_.reset();
    return true;
  }

  void clear_row(std::byte* row, pane& in) {
    const key& k = pane::table::key_of(row);
    const auto hash = stable_hash(k);
    this->set_clocks(hash);
    state::attach_states<layout>(this->cells_, row);
    this->clear(k, hash, in.window);
    change_timers(k, in.window);
  }

  status restore_rows(const state::restored_chunks& chunks) {
    if (auto done = panes_.restore(chunks); !done) return done;
    panes_.for_each([&](pane& open) {
      register_end(open.window);
      if constexpr (root::uses_timers) register_timers(open);
    });
    return {};
  }

  /// Registers the timers in the rows of a restored window.
  void register_timers(pane& open) {
    typename pane::table::cursor at;
    while (std::byte* const row = open.rows.next(at)) {
      state::attach_states<layout>(this->cells_, row);
      const auto* const waiting = this->cells_.trigger.timers().in_row(row);
      if (waiting == nullptr) continue;
      for (const auto& t : *waiting) this->scope_.change({t.domain, t.time, true});
      change_timers(pane::table::key_of(row), open.window);
    }
  }

  panes panes_;
  pane* last_ = nullptr;
  std::optional<cleanup> closing_;
};

}  // namespace weir::windowing
