// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "windowing/trigger_model.hpp"

/// A slow interpreter of the rules of windows, written to be obviously right: a window of a key is
/// a list of what is in it. It shares no code with the library.
namespace weir::testing::model {

struct element {
  std::int64_t key;
  int value;
  std::int64_t time;
  std::int64_t gap = 1;  ///< for sessions whose gap the record says
};

/// Which windows an element is in.
struct assignment {
  enum class kind { tumbling, sliding, session, dynamic_session, global };

  kind what;
  std::int64_t size = 0;  ///< or the gap
  std::int64_t slide = 0;
  std::int64_t offset = 0;

  bool merges() const { return what == kind::session || what == kind::dynamic_session; }
};

/// What is removed from a window when it fires.
struct eviction {
  enum class kind { none, count, time, delta };

  kind what = kind::none;
  std::int64_t bound = 0;
  bool after = false;
};

struct window_rules {
  assignment windows;
  std::optional<clock_kind> ends_by;  ///< the clock by which windows end
  std::int64_t lateness = 0;
  bool late_output = false;
  eviction evicts = {};
};

/// What has come out: the result of a window, or a late element.
struct emission {
  std::int64_t key;
  std::int64_t start;
  std::int64_t end;
  std::vector<int> values;
  std::int64_t time;
  bool late = false;

  friend auto operator<=>(const emission&, const emission&) = default;
};

/// "1 [0,10) {5,6} @9", "late 1 {5} @3"
std::string text(const emission& e);

/// A window operator, with all keys.
class window_operator {
 public:
  /// What came out for one element, or for the timers of one time: in any order. And those things,
  /// one after the other.
  using outcome = std::vector<std::vector<emission>>;

  window_operator(window_rules rules, trigger prototype)
      : rules_{rules}, prototype_{std::move(prototype)} {}

  /// Elements come together; then processing timers ring that are due already.
  outcome push(const std::vector<element>& elements);
  /// The watermark comes to `to`: nothing if it is there.
  outcome watermark(std::int64_t to);
  /// The clock moves to `to`, from timer to timer.
  outcome clock(std::int64_t to);

  std::int64_t watermark() const { return watermark_; }
  std::int64_t clock() const { return clock_; }
  /// Late elements that went nowhere.
  int dropped() const { return dropped_; }
  /// Contents and alarms of all windows, in words.
  std::string shown() const;

 private:
  struct span {
    std::int64_t start;
    std::int64_t end;

    friend bool operator==(const span&, const span&) = default;
  };
  struct content {
    int value;
    std::int64_t time;
  };
  struct open_window {
    span at;
    std::vector<content> contents;
    trigger with;
  };
  using windows = std::vector<open_window>;

  std::int64_t last_of(const span& w) const;
  std::int64_t cleanup_of(const span& w) const;
  bool is_late(const span& w) const;
  view view_of(const span& w) const;
  std::vector<span> assigned(const element& e) const;

  std::vector<emission> add(const element& e);
  open_window* window_for(windows& open, const span& w);
  open_window* session_for(windows& open, const span& w);
  void evict(std::vector<content>& from, bool after) const;
  void settle(std::int64_t key, open_window& w, const verdict& what, std::vector<emission>& to);
  /// A window of the processing clock ends when that has left the last millisecond.
  std::int64_t due_at(clock_kind kind, std::int64_t time, const span& w) const;
  std::optional<std::int64_t> next_due(clock_kind kind) const;
  std::vector<emission> ring(clock_kind kind, std::int64_t time);
  outcome ring_all(clock_kind kind, std::int64_t until);

  window_rules rules_;
  trigger prototype_;
  std::map<std::int64_t, windows> open_;
  std::int64_t watermark_ = INT64_MIN;
  std::int64_t clock_ = 0;
  int dropped_ = 0;
};

}  // namespace weir::testing::model
