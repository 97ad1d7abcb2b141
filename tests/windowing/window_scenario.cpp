// SPDX-License-Identifier: Apache-2.0
#include "windowing/window_scenario.hpp"

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

#include "weir/core/random.hpp"

#include "windowing/trigger_shapes.hpp"
#include "windowing/window_fleet.hpp"
#include "windowing/window_subjects.hpp"

namespace weir::testing {
namespace {

using kind = model::assignment::kind;
using evict = model::eviction::kind;

constexpr std::array evictors{evict::none, evict::count, evict::time, evict::delta};

bool by_event_time(window_kind k) { return k <= window_kind::dynamic_session; }
bool by_clock(window_kind k) {
  return k >= window_kind::clock_tumbling && k <= window_kind::clock_dynamic_session;
}

kind model_kind(window_kind k) {
  switch (k) {
    case window_kind::tumbling:
    case window_kind::clock_tumbling: return kind::tumbling;
    case window_kind::sliding:
    case window_kind::clock_sliding: return kind::sliding;
    case window_kind::session:
    case window_kind::clock_session: return kind::session;
    case window_kind::dynamic_session:
    case window_kind::clock_dynamic_session: return kind::dynamic_session;
    default: return kind::global;
  }
}

constexpr std::array window_names{
    "tumbling",        "sliding",         "session",         "dynamic session", "tumbling (clock)",
    "sliding (clock)", "session (clock)", "dynamic (clock)", "global",          "count"};
constexpr std::array trigger_names{"its own",    "leaf",       "any_of",      "all_of",
                                   "after_each", "repeatedly", "or_finally",  "once",
                                   "purging",    "timeout",    "at_watermark"};

}  // namespace

std::vector<program_cell> cells_of(const std::vector<window_kind>& kinds) {
  std::vector<program_cell> all;
  for (const auto windows : kinds)
    for (std::size_t trigger = 0; trigger <= trigger_kinds; ++trigger)
      for (const auto evictor : evictors)
        for (const bool lateness : {false, true})
          for (std::size_t restore = 0; restore < 3; ++restore) {
            const bool at_watermark = trigger == trigger_kinds;
            if (at_watermark && !by_event_time(windows)) continue;
            // Count windows are a trigger and an evictor.
            const bool given = trigger == 0 && evictor <= evict::count && !lateness;
            if (windows == window_kind::count && !given) continue;
            all.push_back({windows, trigger, evictor, lateness, restore});
          }
  return all;
}

std::string program_table::shown(const std::vector<program_cell>& cells) const {
  const auto padded = [](std::string text, std::size_t width) {
    text.resize(std::max(width, text.size()), ' ');
    return text;
  };
  std::string all = padded("evictor", 31);
  for (const auto* e : {"none", "count", "time", "delta"}) all += padded(e, 26);
  all += "\n" + padded("lateness", 31);
  for (int i = 0; i < 4; ++i) all += padded("0", 13) + padded("some", 13);
  all += "\n" + padded("restore: none, same, other", 31);
  for (int i = 0; i < 8; ++i) all += padded("n   s   o", 13);
  std::string line, name;
  for (const auto& c : cells) {
    const auto row = padded(window_names[static_cast<std::size_t>(c.windows)], 18) +
                     padded(trigger_names[c.trigger], 13);
    if (row != name) all += line + "\n", line = name = row;
    line.resize(std::max(line.size(), 31 + column(c) / 3 * 13 + column(c) % 3 * 4), ' ');
    line += std::to_string(count(c));
  }
  return all + line + "\n";
}

namespace {

std::string text(const std::vector<model::emission>& all) {
  std::string text;
  for (const auto& e : all) text += (text.empty() ? "" : "; ") + model::text(e);
  return text;
}

/// A program in the making: everything follows from its seed and its cell.
class program {
 public:
  program(std::uint64_t seed, const program_cell& cell, program_tally& tally)
      : random_{seed}, cell_{cell}, tally_{tally} {
    draw_rules();
    draw_trigger();
    fleet_.emplace(fleet_options{make_operator(), rules_.late_output, random_.chance(1, 4)},
                   1 + static_cast<std::uint32_t>(random_.below(4)));
    keys_ = std::array{1, 2, 5, 20}[random_.below(4)];
  }

  std::string run() {
    const int steps = 24 + static_cast<int>(random_.below(24));
    const int restore_at = 4 + static_cast<int>(random_.below(16));
    for (int i = 0; i < steps && same_; ++i) {
      const bool more = cell_.restore > 0 && random_.chance(1, 16);
      if (cell_.restore > 0 && (i == restore_at || more)) restore();
      if (same_) step();
    }
    if (same_) finish();
    return same_ ? "" : report();
  }

 private:
  void draw_rules() {
    auto& w = rules_.windows;
    w.what = model_kind(cell_.windows);
    w.size = w.merges() ? 1 + number(6) : 1 + number(12);
    w.slide = w.what == kind::sliding ? 1 + number(6) : 0;
    const auto period = w.what == kind::sliding ? w.slide : w.size;
    if (!w.merges()) w.offset = number(2 * period - 1) - (period - 1);
    if (by_event_time(cell_.windows)) rules_.ends_by = model::clock_kind::event;
    if (by_clock(cell_.windows)) rules_.ends_by = model::clock_kind::processing;
    if (cell_.lateness) rules_.lateness = random_.chance(1, 16) ? INT64_MAX : 1 + number(20);
    rules_.late_output = random_.chance(1, 2);
    rules_.evicts = {cell_.evictor, 1 + number(4), random_.chance(1, 2)};
    contents_ = static_cast<contents_kind>(random_.below(3));
    if (is_plain() && w.what == kind::tumbling && random_.chance(1, 4)) draw_hours();
    if (cell_.windows == window_kind::count) w.slide = evicts() ? 1 + number(5) : 0;
  }

  /// Windows of the calendar: all times are longer.
  void draw_hours() {
    contents_ = contents_kind::aggregate;
    rules_.windows.size = 3'600'000;
    rules_.windows.offset = 0;
    unit_ = 600'000;
    if (rules_.lateness < INT64_MAX) rules_.lateness *= unit_;
  }

  bool evicts() const { return cell_.evictor != evict::none; }
  /// Whether weir has operators of its own for them.
  bool is_plain() const {
    return by_event_time(cell_.windows) && cell_.trigger == 0 && !evicts() &&
           contents_ != contents_kind::process;
  }

  void draw_trigger() {
    if (cell_.windows == window_kind::count) {
      const auto n = static_cast<int>(evicts() ? rules_.windows.slide : rules_.windows.size);
      modelled_ = model::count(n);
      if (!evicts()) modelled_ = model::emptying(std::move(modelled_));
      rules_.evicts = {cell_.evictor, rules_.windows.size, false};
      name_ = "count";
    } else if (cell_.trigger == 0) {
      modelled_ = by_clock(cell_.windows) ? model::clock_end() : model::event_end();
      name_ = "its own";
    } else {
      const auto wanted = static_cast<trigger_kind>(cell_.trigger - 1);
      auto drawn = draw_trigger_of(wanted, random_);
      while (!fits(drawn.text)) drawn = draw_trigger_of(wanted, random_);
      trigger_.emplace(std::move(drawn.real));
      modelled_ = std::move(drawn.modelled);
      name_ = drawn.text;
    }
  }

  bool fits(const std::string& trigger) const {
    const auto has = [&](const char* part) { return trigger.find(part) != std::string::npos; };
    if (has("at_watermark") && !by_event_time(cell_.windows)) return false;
    // It would fire for ever when the input has ended.
    return !has("every_w") || cell_.windows != window_kind::global;
  }

  operator_harness::factory make_operator() {
    const window_subject subject{rules_, contents_, trigger_};
    model_ = std::make_unique<model::window_operator>(rules_, std::move(modelled_));
    if (cell_.windows == window_kind::count) return make_count_windows(subject);
    if (cell_.windows == window_kind::global) return make_global_windows(subject);
    if (is_plain()) return make_plain_windows(subject);
    if (rules_.windows.merges())
      return by_clock(cell_.windows) ? make_clock_sessions(subject) : make_event_sessions(subject);
    return by_clock(cell_.windows) ? make_clock_windows(subject) : make_event_windows(subject);
  }

  std::int64_t number(std::int64_t below) {
    return static_cast<std::int64_t>(random_.below(static_cast<std::uint64_t>(below)));
  }

  // -- steps -------------------------------------------------------------------------------------

  void step() {
    switch (random_.below(10)) {
      case 0:
      case 1: return watermark(next_watermark());
      case 2:
      case 3: return clock(model_->clock() + number(6));
      case 4: return random_.chance(1, 2) ? checkpoint() : push(draw_elements());
      default: return push(draw_elements());
    }
  }

  /// Time goes on from here.
  std::int64_t present() const { return std::max(model_->watermark(), -20 * unit_); }
  std::int64_t next_watermark() { return present() + number(8 * unit_); }

  std::vector<model::element> draw_elements() {
    std::vector<model::element> all;
    const auto from = present() - 10 * unit_;
    for (auto n = 1 + number(random_.chance(1, 16) ? 64 : 4); n > 0; --n)
      all.push_back(
          {number(keys_), static_cast<int>(number(7)), from + number(25 * unit_), 1 + number(6)});
    return all;
  }

  void push(const std::vector<model::element>& elements) {
    note(elements);
    fleet_->push(elements);
    compare(model_->push(elements));
  }

  void watermark(std::int64_t to) {
    story_ += "W" + std::to_string(to) + "\n";
    fleet_->watermark(to);
    compare(model_->watermark(to));
  }

  void clock(std::int64_t to) {
    story_ += "P" + std::to_string(to) + "\n";
    fleet_->clock(to);
    compare(model_->clock(to));
  }

  void checkpoint() {
    story_ += "checkpoint\n";
    fleet_->begin_snapshot();
    if (random_.chance(1, 2))
      fleet_->abort_snapshot();
    else
      fleet_->finish_snapshot();
    compare({});
  }

  void restore() {
    ++tally_.restores;
    fleet_->begin_snapshot();
    compare({});
    if (same_ && random_.chance(1, 2)) in_vain();
    fleet_->finish_snapshot();
    const auto now = static_cast<std::uint32_t>(fleet_->parallelism());
    const auto next = cell_.restore == 1 ? now : 1 + (now + static_cast<unsigned>(number(3))) % 4;
    story_ += "restore with " + std::to_string(next) + " of " + std::to_string(now) + "\n";
    fleet_->restore(next);
    const auto floor = fleet_->restored_watermark();
    if (floor != model_->watermark()) differ("the restored watermark");
    if (same_) compare({});
  }

  /// While the snapshot is being written there is more input, which comes again after the restore.
  void in_vain() {
    story_ += "in vain: ";
    if (random_.chance(1, 2)) {
      const auto to = next_watermark();
      story_ += "W" + std::to_string(to) + "\n";
      fleet_->watermark(to);
    } else {
      const auto elements = draw_elements();
      note(elements);
      fleet_->push(elements);
    }
    for (std::size_t i = 0; i < fleet_->parallelism(); ++i)
      for (const bool late : {false, true}) static_cast<void>(fleet_->take(i, late));
  }

  /// All windows end, and with them all timers.
  void finish() {
    watermark(INT64_MAX);
    if (!rules_.ends_by) return;
    // A timer of a session that is over goes when it is due.
    const bool waits = by_clock(cell_.windows) || rules_.windows.merges();
    if (same_ && waits) clock(model_->clock() + (by_clock(cell_.windows) ? 12 : 1000));
    const bool endless = by_event_time(cell_.windows) && rules_.lateness == INT64_MAX;
    if (same_ && !endless && fleet_->timers() > 0)
      differ("timers left: " + std::to_string(fleet_->timers()));
  }

  void note(const std::vector<model::element>& elements) {
    for (const auto& e : elements)
      story_ += std::to_string(e.key) + ":" + std::to_string(e.value) + "@" +
                std::to_string(e.time) + "+" + std::to_string(e.gap) + " ";
    story_ += "\n";
  }

  // -- comparing ---------------------------------------------------------------------------------

  void compare(const model::window_operator::outcome& expected) {
    for (const auto& group : expected)
      if (!group.empty()) story_ += "    " + text(group) + "\n";
    if (const auto why = fleet_->failure(); !why.empty()) return differ("failure: " + why);
    for (std::size_t i = 0; i < fleet_->parallelism(); ++i) {
      compare_subtask(i, expected, false);
      compare_subtask(i, expected, true);
    }
    if (fleet_->dropped() != model_->dropped())
      differ("dropped: " + std::to_string(fleet_->dropped()));
  }

  void compare_subtask(std::size_t i, const model::window_operator::outcome& expected, bool late) {
    const auto real = fleet_->take(i, late);
    (late ? tally_.late : tally_.results) += static_cast<int>(real.size());
    auto from = real.begin();
    bool same = true;
    for (const auto& group : expected) {
      std::vector<model::emission> wanted;
      for (const auto& e : group)
        if (e.late == late && fleet_->subtask_of(e.key) == i) wanted.push_back(e);
      if (real.end() - from < static_cast<std::ptrdiff_t>(wanted.size())) same = false;
      if (!same) break;
      const auto to = from + static_cast<std::ptrdiff_t>(wanted.size());
      same &= in_order(wanted) == in_order({from, to});
      from = to;
    }
    if (!same || from != real.end())
      differ("subtask " + std::to_string(i) + " has emitted: " + text(real));
  }

  /// What came at one time came in any order.
  std::vector<model::emission> in_order(std::vector<model::emission> all) const {
    if (is_plain())
      for (auto& e : all) std::sort(e.values.begin(), e.values.end());
    std::sort(all.begin(), all.end());
    return all;
  }

  void differ(const std::string& what) {
    same_ = false;
    story_ += "*** " + what + "\n";
  }

  std::string report() const {
    const auto& w = rules_.windows;
    return std::string{window_names[static_cast<std::size_t>(cell_.windows)]} + " size " +
           std::to_string(w.size) + " slide " + std::to_string(w.slide) + " offset " +
           std::to_string(w.offset) + ", lateness " + std::to_string(rules_.lateness) +
           ", evictor " + std::to_string(static_cast<int>(rules_.evicts.what)) + " " +
           std::to_string(rules_.evicts.bound) + (rules_.evicts.after ? " after" : " before") +
           ", contents " + std::to_string(static_cast<int>(contents_)) + ", trigger " + name_ +
           "\n" + story_ + "model: " + model_->shown() + " dropped " +
           std::to_string(model_->dropped());
  }

  random_generator random_;
  program_cell cell_;
  program_tally& tally_;
  model::window_rules rules_;
  contents_kind contents_{};
  std::optional<drawn_trigger> trigger_;
  model::trigger modelled_;
  std::string name_;
  std::unique_ptr<model::window_operator> model_;
  std::optional<window_fleet> fleet_;
  std::int64_t keys_ = 1;
  std::int64_t unit_ = 1;  // of event time, in ms
  bool same_ = true;
  std::string story_;
};

}  // namespace

std::string run_window_program(std::uint64_t seed, const program_cell& cell, program_tally& tally) {
  return program{seed, cell, tally}.run();
}

}  // namespace weir::testing
