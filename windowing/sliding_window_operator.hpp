// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "weir/windowing/merged_panes.hpp"
#include "weir/windowing/pane_operator.hpp"
#include "weir/windowing/sliding_panes.hpp"
#include "weir/windowing/window_watermark.hpp"

namespace weir::windowing {

/// The `window_operator` of sliding windows of event time whose trigger is the default one: a
/// record is added up once, in the pane that it lies in, and a window that fires merges what its
/// panes have for each key.
///
/// The records of a key in a pane are added in the order in which they come, the panes of a window
/// are merged in the order of time: a reduce function f must be associative, and sees its records
/// in the order of arrival only within a pane.
///
/// Which windows are to fire, and which panes may go, follows from the panes that are open and from
/// the watermark: there are no timers. A pane goes when the last of its windows has ended for good.
/// Windows fire in the order in which they end; those that a late record fires, latest first.
template <class Definition>
class sliding_window_operator final : public pane_operator<Definition, window_watermark> {
  using base = pane_operator<Definition, window_watermark>;

 public:
  using typename base::definition;

  explicit sliding_window_operator(definition d)
      : base{std::move(d)},
        cuts_{definition_.assigner.size(), definition_.assigner.slide(),
              definition_.assigner.offset()} {}

  status restore(const state::restored_chunks& chunks) override {
    if (auto same = cuts_.check(chunks); !same) return same;
    if (auto done = panes_.restore(chunks); !done) return done;
    return time_.restore(chunks);
  }

  void begin_snapshot(dataflow::snapshot_context& context) override {
    cuts_.write(context.stream());
    this->write_snapshot(context.stream());
  }

  event_time record_time() const override { return firing_ ? firing_->max_time() : cursor_.time(); }

 private:
  using typename base::destination;
  using typename base::handled;
  using typename base::key;
  using typename base::pane;
  using accumulator = typename base::contents::accumulator;
  using place = sliding_panes::place;
  using base::cursor_;
  using base::definition_;
  using base::out_;
  using base::panes_;
  using base::time_;

  /// What a late record has still to fire for its key: the windows [first, next], from behind.
  struct late_firing {
    const std::byte* row;
    std::int64_t next;
    std::int64_t first;
  };

  /// Records for a window are late from that watermark on.
  event_time cleanup_time(std::int64_t window) const {
    return cuts_.window(window).max_time() + definition_.allowed_lateness;
  }

  destination destination_of(event_time t, std::uint64_t hash) override {
    if (t == event_time::min()) return {};
    const place p = cuts_.place_of(t);
    const event_time watermark = time_.watermark_of(hash);
    if (p.in_no_window() || cleanup_time(p.last) <= watermark) return {};
    pane* in = panes_.find(p.pane);
    if (in == nullptr) in = &panes_.insert(p.pane);
    const bool fires = fired_with(p, watermark).next >= p.first;
    return this->destination_in(*in, fires ? trigger_result::fire : trigger_result::continue_);
  }

  /// Whether `t` lies between two windows and is not late: nobody hears of such records.
  bool is_left_out(event_time t, std::uint64_t hash) const override {
    return cuts_.place_of(t).in_no_window() &&
           t + definition_.allowed_lateness > time_.watermark_of(hash);
  }

  /// The windows that a record at `p` fires at once: the watermark has reached their ends and they
  /// are not over for good.
  late_firing fired_with(const place& p, event_time watermark) const {
    const std::int64_t last = std::min(p.last, cuts_.first_after(watermark) - 1);
    const event_time gone = {saturating_add(watermark.ms, -definition_.allowed_lateness.count())};
    return {nullptr, last, std::max(p.first, cuts_.first_after(gone))};
  }

  bool add_and_answer(const destination& to) override {
    if (!late_) {
      const std::uint64_t hash = cursor_.hash();
      late_ = fired_with(cuts_.place_of(cursor_.time()), time_.watermark_of(hash));
      late_->row = this->add_record(*to.in);
    }
    for (; late_->next >= late_->first; --late_->next) {
      if (out_.full()) return false;
      fire_for_key(cuts_.window(late_->next), pane::table::key_of(late_->row), cursor_.hash());
    }
    late_.reset();
    ++cursor_.position;
    return !out_.full();
  }

  void fire_for_key(const time_window& window, const key& of, std::uint64_t hash) {
    std::optional<accumulator> all;
    for_each_pane(window, [&](const pane& in) {
      const std::byte* const row = in.rows.peek(of, hash);
      if (row == nullptr || state::nothing_present(row)) return;
      const auto& value = pane::layout::template value<0>(row);
      if (all)
        definition_.contents.merge(value, *all);
      else
        all.emplace(value);
    });
    if (all) this->emit(of, window, *all);
  }

  /// Calls `use(pane&)` for the open panes of a window, in the order of time.
  template <class Use>
  void for_each_pane(const time_window& window, Use&& use) {
    for (pane* p = panes_.first_ending_after(window.start);
         p != nullptr && p->window.end <= window.end; p = panes_.first_ending_after(p->window.end))
      use(*p);
  }

  result<handled> on_control(dataflow::control c) override {
    if (c.kind() != dataflow::control_kind::watermark) return handled::pass_on;
    panes_.tidy_up();
    if (!advancing_) {
      if (c.time() <= time_.watermark()) return handled::pass_on;
      next_ = cuts_.first_after(time_.watermark());
      end_ = cuts_.first_after(c.time());
      time_.advance(c.time());
      advancing_ = true;
    }
    if (!fire_windows()) return handled::not_yet;
    close_panes();
    time_.advanced();
    advancing_ = false;
    return handled::pass_on;
  }

  /// Fires the windows [next, end), as many as one step may and the output takes. True: all.
  bool fire_windows() {
    std::size_t left = calls_per_step;
    while (!firing_ || go_on_firing(left)) {
      firing_.reset();
      if (left == 0 || out_.full()) return false;
      if (!find_next()) return true;
      --left;
    }
    return false;
  }

  /// Begins with the next window that has something in it. False: there is none.
  bool find_next() {
    pane* p = panes_.first_ending_after(cuts_.window(next_).start);
    for (; p != nullptr; p = panes_.first_ending_after(p->window.end)) {
      const place at = place_of(*p);
      if (at.last < next_) continue;
      next_ = std::max(next_, at.first);
      break;
    }
    if (p == nullptr || next_ >= end_) return false;
    firing_ = cuts_.window(next_++);
    std::vector<const typename pane::table*> tables;
    for_each_pane(*firing_, [&](pane& in) { tables.push_back(&in.rows); });
    merged_.start(std::move(tables));
    return true;
  }

  /// False: it must be gone on with.
  bool go_on_firing(std::size_t& left) {
    const auto merge = [this](const accumulator& from, accumulator& into) {
      definition_.contents.merge(from, into);
    };
    for (; left > 0 && !out_.full(); --left) {
      const auto row = merged_.next(merge, left);
      if (row.of == nullptr) return merged_.finished();
      // Keys whose group was as far before the restore have had their turn.
      if (time_.has_floors() && time_.floor_of(stable_hash(*row.of)) >= firing_->max_time())
        continue;
      this->emit(*row.of, *firing_, *row.value);
    }
    return false;
  }

  /// Closes the panes whose windows are all over for good.
  void close_panes() {
    while (pane* const p = panes_.first_ending_after(event_time::min())) {
      if (cleanup_time(place_of(*p).last) > time_.watermark()) return;
      panes_.erase(*p);
    }
  }

  place place_of(const pane& p) const { return cuts_.place_of(p.window.max_time()); }

  sliding_panes cuts_;
  merged_panes<typename pane::table> merged_;
  std::optional<late_firing> late_;
  std::optional<time_window> firing_;
  std::int64_t next_ = 0;  // while `advancing_`: the windows to be looked at
  std::int64_t end_ = 0;
  bool advancing_ = false;
};

}  // namespace weir::windowing
