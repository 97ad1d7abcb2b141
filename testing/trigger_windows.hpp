// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "weir/windowing/time_window.hpp"
#include "weir/windowing/trigger_result.hpp"
#include "weir/windowing/trigger_scope.hpp"
#include "weir/windowing/trigger_timer_list.hpp"

namespace weir::testing {

using windowing::timer_domain;
using windowing::trigger_result;

/// What a trigger wanted in one call, and what was in the window then. A value.
template <class W>
struct trigger_answer {
  W window;
  trigger_result result = trigger_result::continue_;
  std::vector<int> contents;  ///< numbers of elements, counted from 1 as they were put in

  friend bool operator==(const trigger_answer&, const trigger_answer&) = default;
};

/// The windows of a `trigger_harness`, all that does not depend on the trigger: clocks, timers,
/// contents, cleanup. Does what a window operator does for one key.
template <class W>
class trigger_windows {
 public:
  using answer = trigger_answer<W>;

  virtual ~trigger_windows() = default;

  event_time watermark() const { return scope_.watermark; }
  clock_time now() const { return scope_.now; }

  /// The watermark is `t` from now on: calls the trigger for what is due, and cleans up windows.
  /// Returns what it wanted, without `continue_`. @pre t ≥ watermark()
  std::vector<answer> advance_watermark(event_time t) {
    scope_.watermark = t;
    return call_due(timer_domain::event, t.ms);
  }

  /// The same for the processing clock. @pre t ≥ now()
  std::vector<answer> advance_clock(clock_time t) {
    scope_.now = t;
    return call_due(timer_domain::processing, t.ms);
  }

  /// Merges `absorbed`, which are open, to `merged`, as the operator does for sessions.
  void merge(const W& merged, const std::vector<W>& absorbed) {
    std::vector<std::byte*> rows;
    std::vector<int> contents;
    for (const W& window : absorbed) {
      auto& from = open_.at(window);
      rows.push_back(from.row);
      contents.insert(contents.end(), from.contents.begin(), from.contents.end());
    }
    std::sort(contents.begin(), contents.end());
    std::byte* const row = make_row();
    call_merge(row, merged, rows);
    auto changes = std::exchange(scope_.changes(), {});
    for (const W& window : absorbed) clean_up(window);
    auto& into = open(merged, row);
    into.contents = std::move(contents);
    scope_.changes() = std::move(changes);
    do_changes(merged);
  }

  /// Cleans a window up, as at its cleanup time.
  void clean_up(const W& window) {
    const auto at = open_.find(window);
    if (at == open_.end()) return;
    call_clear(at->second.row, window);
    scope_.changes().clear();
    left_behind_ += states_in(at->second.row);
    std::erase_if(schedule_, [&](const scheduled& s) { return s.window == window; });
    delete_row(at->second.row);
    open_.erase(at);
  }

  /// Saves all that a checkpoint has of the trigger, and goes on with a new trigger and that.
  void restore() {
    std::vector<std::pair<W, std::string>> saved;
    for (auto& [window, in] : open_) {
      saved.emplace_back(window, save_row(in.row));
      delete_row(in.row);
    }
    std::erase_if(schedule_, [](const scheduled& s) { return !s.cleanup; });
    renew_trigger();
    for (const auto& [window, bytes] : saved) {
      std::byte* const row = open_.at(window).row = load_row(bytes);
      const auto* timers = timers_in(row);
      if (timers == nullptr) continue;
      for (const auto& t : *timers) schedule_.insert({t.domain, t.time, false, window});
    }
  }

  std::vector<W> windows() const {
    std::vector<W> all;
    for (const auto& [window, in] : open_) all.push_back(window);
    return all;
  }

  /// The elements in a window; none if it is not open.
  std::vector<int> contents(const W& window) const {
    const auto at = open_.find(window);
    return at == open_.end() ? std::vector<int>{} : at->second.contents;
  }

  /// How many states the trigger has in a window, or in all.
  std::size_t states(const W& window) const {
    const auto at = open_.find(window);
    return at == open_.end() ? 0 : states_in(at->second.row);
  }
  std::size_t states() const {
    std::size_t all = 0;
    for (const auto& [window, in] : open_) all += states_in(in.row);
    return all;
  }

  /// The times for which the trigger has timers in a window; how many timers it has in all.
  std::vector<std::int64_t> timers(timer_domain domain, const W& window) const {
    std::vector<std::int64_t> times;
    for (const auto& s : schedule_)
      if (!s.cleanup && s.domain == domain && s.window == window) times.push_back(s.time);
    return times;
  }
  std::size_t timers() const {
    return static_cast<std::size_t>(std::count_if(schedule_.begin(), schedule_.end(),
                                                  [](const auto& s) { return !s.cleanup; }));
  }

  /// Elements that came too late.
  std::size_t late() const { return late_; }

  /// States that were still there when their window had been cleaned up.
  std::size_t left_behind() const { return left_behind_; }

 protected:
  struct open_window {
    std::byte* row;
    std::vector<int> contents;
  };

  explicit trigger_windows(windowing::trigger_scope scope) : scope_{std::move(scope)} {}

  virtual std::byte* make_row() = 0;
  virtual void delete_row(std::byte* row) = 0;
  virtual std::string save_row(const std::byte* row) const = 0;
  virtual std::byte* load_row(const std::string& bytes) = 0;
  virtual std::size_t states_in(const std::byte* row) const = 0;
  virtual const windowing::trigger_timer_list* timers_in(const std::byte* row) const = 0;
  virtual void renew_trigger() = 0;
  virtual trigger_result call_timers(std::byte* row, const W& window, timer_domain domain,
                                     std::int64_t time) = 0;
  virtual void call_merge(std::byte* row, const W& merged, std::vector<std::byte*>& absorbed) = 0;
  virtual void call_clear(std::byte* row, const W& window) = 0;

  /// Puts the next element in a window, which is opened for it; null: the window is closed.
  open_window* add_element(const W& window) {
    ++elements_;
    const bool is_late = scope_.windows() == timer_domain::event &&
                         scope_.cleanup_time(window) <= scope_.watermark.ms;
    if (is_late) {
      ++late_;
      return nullptr;
    }
    const auto at = open_.find(window);
    auto& in = at == open_.end() ? open(window, make_row()) : at->second;
    in.contents.push_back(elements_);
    return &in;
  }

  /// Does what the trigger wants after a call.
  answer settle(const W& window, open_window& in, trigger_result result) {
    do_changes(window);
    answer what{window, result, in.contents};
    if (purges(result)) in.contents.clear();
    return what;
  }

  /// Merges all windows that `window` touches with it. Returns the window that has it then.
  W merged_with(const W& window) {
    W merged = window;
    std::vector<W> absorbed;
    for (bool grown = true; grown;) {
      absorbed.clear();
      W wider = merged;
      for (const auto& [other, in] : open_) {
        if (!intersects(other, merged)) continue;
        absorbed.push_back(other);
        wider = cover(wider, other);
      }
      grown = !(wider == merged);
      merged = wider;
    }
    if (absorbed.empty()) return merged;
    if (absorbed.size() > 1 || !(absorbed.front() == merged)) merge(merged, absorbed);
    return merged;
  }

  void delete_rows() {
    for (auto& [window, in] : open_) delete_row(in.row);
    open_.clear();
  }

  windowing::trigger_scope scope_;

 private:
  struct scheduled {
    timer_domain domain;
    std::int64_t time;
    bool cleanup;
    W window;

    friend bool operator<(const scheduled& a, const scheduled& b) {
      return std::tie(a.domain, a.time, a.cleanup, a.window) <
             std::tie(b.domain, b.time, b.cleanup, b.window);
    }
  };

  open_window& open(const W& window, std::byte* row) {
    const auto end = scope_.cleanup_time(window);
    if (scope_.windows() && end != event_time::max().ms)
      schedule_.insert({*scope_.windows(), end, true, window});
    return open_.insert({window, {row, {}}}).first->second;
  }

  void do_changes(const W& window) {
    for (const auto& c : std::exchange(scope_.changes(), {})) {
      if (c.wanted)
        schedule_.insert({c.domain, c.time, false, window});
      else
        schedule_.erase({c.domain, c.time, false, window});
    }
  }

  std::vector<answer> call_due(timer_domain domain, std::int64_t until) {
    std::vector<answer> answers;
    for (;;) {
      const auto first = std::find_if(schedule_.begin(), schedule_.end(),
                                      [&](const auto& s) { return s.domain == domain; });
      if (first == schedule_.end() || first->time > until) return answers;
      const scheduled due = *first;
      schedule_.erase(first);
      if (due.cleanup) {
        clean_up(due.window);
        continue;
      }
      auto& in = open_.at(due.window);
      const auto result = call_timers(in.row, due.window, domain, due.time);
      auto what = settle(due.window, in, result);
      if (result != trigger_result::continue_) answers.push_back(std::move(what));
    }
  }

  std::map<W, open_window> open_;
  std::set<scheduled> schedule_;
  int elements_ = 0;
  std::size_t late_ = 0;
  std::size_t left_behind_ = 0;
};

}  // namespace weir::testing
