// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

/// A slow interpreter of the rules of triggers, written to be obviously right: each trigger of each
/// window is an object with its memory and its own timers. It shares no code with the library.
namespace weir::testing::model {

enum class clock_kind { event, processing };

/// When a timer is due.
using alarm = std::pair<clock_kind, std::int64_t>;

/// What a trigger sees of the world and of its window.
struct view {
  std::int64_t watermark;
  std::int64_t clock;
  std::optional<clock_kind> ends_by;  ///< the clock by which windows end
  std::int64_t last;                  ///< the last time of the window
  std::int64_t cleanup;

  std::int64_t on(clock_kind kind) const { return kind == clock_kind::event ? watermark : clock; }
  bool ended() const { return ends_by && last <= on(*ends_by); }
};

struct verdict {
  bool fire = false;
  bool purge = false;
  bool because_of_end = false;
};

/// One trigger in one window.
class node {
 public:
  virtual ~node() = default;

  /// The same trigger for another window: it has seen nothing.
  virtual std::unique_ptr<node> fresh() const = 0;

  virtual verdict element(int value, std::int64_t time, const view& v) = 0;
  /// Timers are due, maybe those of others only.
  virtual verdict ring(const alarm& due, const view& v) = 0;
  virtual void start(const view& v) = 0;
  virtual void forget() = 0;
  /// This one is fresh, and its window was merged of those of `old`.
  virtual void merge(const std::vector<const node*>& old, const view& v) = 0;
  virtual bool can_finish() const { return false; }
  virtual bool finished() const { return false; }
  virtual std::set<alarm> alarms() const = 0;
  /// Moves alarms that are due out of `alarms()`; `ring` comes next.
  virtual void take(const alarm& due) = 0;
};

using trigger = std::unique_ptr<node>;

/// What old windows have of the same trigger.
template <class Node>
std::vector<const Node*> as(const std::vector<const node*>& old) {
  std::vector<const Node*> all;
  for (const auto* n : old) all.push_back(static_cast<const Node*>(n));
  return all;
}

trigger count(int n);
trigger after_clock(std::int64_t delay);
trigger event_end();
trigger clock_end();
trigger every_event(std::int64_t interval);
trigger every_clock(std::int64_t interval);
trigger if_divides(int divisor);
trigger sum_reaches(int threshold);
trigger cleanup();
trigger never();
/// Purges for multiples of 3, fires and purges for one more than those.
trigger purger();
/// Fires 2 ms of event time and 3 ms of the clock after each element; merged, at the first of both.
trigger alarm_for_each();

trigger any(std::vector<trigger> parts);
trigger all(std::vector<trigger> parts);
trigger sequence(std::vector<trigger> parts);
trigger again(trigger part);
trigger just_once(trigger part);
trigger until(trigger part, trigger last);
trigger emptying(trigger part);
trigger watermark(trigger early, trigger late);
trigger timeout(trigger part, std::int64_t delay, bool reset, bool clear, bool purge_too);

/// A window [start, end) with what is in it.
struct window {
  std::int64_t start;
  std::int64_t end;
  std::vector<int> contents;
  trigger with;
};

/// Something that was wanted: "[0,10) fire {1,2}".
using log = std::vector<std::string>;

/// The windows of one key.
class windows {
 public:
  windows(trigger prototype, std::optional<clock_kind> ends_by, std::int64_t lateness)
      : prototype_{std::move(prototype)}, ends_by_{ends_by}, lateness_{lateness} {}

  log push(int value, std::int64_t time, std::int64_t start, std::int64_t end, bool sessions);
  log advance(clock_kind kind, std::int64_t to);

  /// Contents and alarms of all windows, in words.
  std::string shown() const;

 private:
  view view_of(const window& w) const;
  std::int64_t cleanup_of(std::int64_t end) const;
  window& merged_with(std::int64_t start, std::int64_t end);
  void record(log& to, window& w, const verdict& result);
  bool step(clock_kind kind, std::int64_t until, log& to);

  trigger prototype_;
  std::optional<clock_kind> ends_by_;
  std::int64_t lateness_;
  std::int64_t watermark_ = -1000;
  std::int64_t clock_ = 0;
  int elements_ = 0;
  std::vector<window> open_;
};

}  // namespace weir::testing::model
