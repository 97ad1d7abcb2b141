// SPDX-License-Identifier: Apache-2.0
#include "windowing/window_model.hpp"

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <utility>

namespace weir::testing::model {
namespace {

std::int64_t capped_sum(std::int64_t a, std::int64_t b) {
  return a > INT64_MAX - b ? INT64_MAX : a + b;
}

std::string text(const std::vector<int>& numbers) {
  std::string all;
  for (const int n : numbers) all += (all.empty() ? "" : ",") + std::to_string(n);
  return "{" + all + "}";
}

std::string text_of_time(std::int64_t time) {
  return time == INT64_MAX ? "max" : time == INT64_MIN ? "min" : std::to_string(time);
}

std::string text(std::int64_t start, std::int64_t end) {
  return "[" + text_of_time(start) + "," + text_of_time(end) + ")";
}

}  // namespace

std::string text(const emission& e) {
  const std::string rest = " " + text(e.values) + " @" + text_of_time(e.time);
  if (e.late) return "late " + std::to_string(e.key) + rest;
  return std::to_string(e.key) + " " + text(e.start, e.end) + rest;
}

// -- times ---------------------------------------------------------------------------------------

std::int64_t window_operator::last_of(const span& w) const {
  return rules_.ends_by ? w.end - 1 : INT64_MAX;
}

std::int64_t window_operator::cleanup_of(const span& w) const {
  if (!rules_.ends_by) return INT64_MAX;
  return *rules_.ends_by == clock_kind::event ? capped_sum(w.end - 1, rules_.lateness) : w.end - 1;
}

std::int64_t window_operator::due_at(clock_kind kind, std::int64_t time, const span& w) const {
  const bool last = rules_.ends_by == clock_kind::processing && kind == clock_kind::processing &&
                    time == w.end - 1;
  return last ? w.end : time;
}

bool window_operator::is_late(const span& w) const {
  return rules_.ends_by == clock_kind::event && cleanup_of(w) <= watermark_;
}

view window_operator::view_of(const span& w) const {
  // Triggers see the global window as one of time, with all times but the very last.
  return {watermark_, clock_, rules_.ends_by, w.end - 1, cleanup_of(w)};
}

std::vector<window_operator::span> window_operator::assigned(const element& e) const {
  const auto& windows = rules_.windows;
  const std::int64_t t = rules_.ends_by == clock_kind::processing ? clock_ : e.time;
  switch (windows.what) {
    case assignment::kind::session: return {{t, t + windows.size}};
    case assignment::kind::dynamic_session: return {{t, t + e.gap}};
    case assignment::kind::global: return {{INT64_MIN, INT64_MAX}};
    default: break;
  }
  const bool tumbling = windows.what == assignment::kind::tumbling;
  const std::int64_t slide = tumbling ? windows.size : windows.slide;
  std::int64_t start = windows.offset + (t - windows.offset) / slide * slide;
  while (start > t) start -= slide;
  while (start + slide <= t) start += slide;
  std::vector<span> all;
  for (; start + windows.size > t; start -= slide) all.push_back({start, start + windows.size});
  return all;
}

// -- elements ------------------------------------------------------------------------------------

window_operator::outcome window_operator::push(const std::vector<element>& elements) {
  outcome out;
  for (const auto& e : elements) out.push_back(add(e));
  for (auto& more : ring_all(clock_kind::processing, clock_)) out.push_back(std::move(more));
  return out;
}

std::vector<emission> window_operator::add(const element& e) {
  std::vector<emission> out;
  bool taken = false;
  auto& open = open_[e.key];
  for (const span& w : assigned(e)) {
    auto* const in = rules_.windows.merges() ? session_for(open, w) : window_for(open, w);
    if (in == nullptr) continue;
    taken = true;
    in->contents.push_back({e.value, e.time});
    settle(e.key, *in, in->with->element(e.value, e.time, view_of(in->at)), out);
  }
  const bool late =
      rules_.ends_by == clock_kind::event && capped_sum(e.time, rules_.lateness) <= watermark_;
  if (!taken && late) {
    if (rules_.late_output)
      out.push_back({e.key, 0, 0, {e.value}, e.time, true});
    else
      ++dropped_;
  }
  return out;
}

/// Null: the window is over.
window_operator::open_window* window_operator::window_for(windows& open, const span& w) {
  for (auto& there : open)
    if (there.at == w) return &there;
  if (is_late(w)) return nullptr;
  open.push_back({w, {}, prototype_->fresh()});
  return &open.back();
}

window_operator::open_window* window_operator::session_for(windows& open, const span& w) {
  windows touched, others;
  for (auto& there : open) {
    const bool touches = there.at.start <= w.end && w.start <= there.at.end;
    (touches ? touched : others).push_back(std::move(there));
  }
  std::sort(touched.begin(), touched.end(),
            [](const auto& a, const auto& b) { return a.at.start < b.at.start; });
  open_window made{w, {}, prototype_->fresh()};
  std::vector<const node*> triggers;
  for (auto& old : touched) {
    made.at = {std::min(made.at.start, old.at.start), std::max(made.at.end, old.at.end)};
    std::copy(old.contents.begin(), old.contents.end(), std::back_inserter(made.contents));
    triggers.push_back(old.with.get());
  }
  open = std::move(others);
  if (touched.size() == 1 && touched[0].at == made.at) {
    open.push_back(std::move(touched[0]));
    return &open.back();
  }
  if (is_late(made.at)) return nullptr;
  if (!touched.empty()) made.with->merge(triggers, view_of(made.at));
  open.push_back(std::move(made));
  return &open.back();
}

void window_operator::evict(std::vector<content>& from, bool after) const {
  const auto& evicts = rules_.evicts;
  if (from.empty() || evicts.after != after) return;
  std::int64_t newest = INT64_MIN;
  for (const auto& c : from) newest = std::max(newest, c.time);
  const int last = from.back().value;
  std::vector<content> kept;
  for (std::size_t i = 0; i < from.size(); ++i) {
    const auto behind = static_cast<std::int64_t>(from.size() - i);  // with itself
    bool gone = false;
    switch (evicts.what) {
      case eviction::kind::none: break;
      case eviction::kind::count: gone = behind > evicts.bound; break;
      case eviction::kind::time: gone = from[i].time <= newest - evicts.bound; break;
      case eviction::kind::delta: gone = std::abs(from[i].value - last) >= evicts.bound; break;
    }
    if (!gone) kept.push_back(from[i]);
  }
  from = std::move(kept);
}

/// Does what the trigger wants.
void window_operator::settle(std::int64_t key, open_window& w, const verdict& what,
                             std::vector<emission>& to) {
  if (what.fire && !w.contents.empty()) {
    evict(w.contents, false);
    std::vector<int> values;
    for (const auto& c : w.contents) values.push_back(c.value);
    if (!values.empty()) to.push_back({key, w.at.start, w.at.end, values, last_of(w.at)});
    evict(w.contents, true);
  }
  if (what.purge) w.contents.clear();
}

// -- timers --------------------------------------------------------------------------------------

window_operator::outcome window_operator::watermark(std::int64_t to) {
  if (to <= watermark_) return {};
  watermark_ = to;
  outcome out = ring_all(clock_kind::event, to);
  for (auto& more : ring_all(clock_kind::processing, clock_)) out.push_back(std::move(more));
  return out;
}

window_operator::outcome window_operator::clock(std::int64_t to) {
  outcome out;
  for (;;) {
    const auto due = next_due(clock_kind::processing);
    if (!due || *due > to) break;
    clock_ = std::max(clock_, *due);
    out.push_back(ring(clock_kind::processing, *due));
  }
  clock_ = to;
  return out;
}

window_operator::outcome window_operator::ring_all(clock_kind kind, std::int64_t until) {
  outcome out;
  for (auto due = next_due(kind); due && *due <= until; due = next_due(kind))
    out.push_back(ring(kind, *due));
  return out;
}

/// The first time at which a trigger wants to be called, or a window to be closed.
std::optional<std::int64_t> window_operator::next_due(clock_kind kind) const {
  std::optional<std::int64_t> first;
  const auto note = [&](std::int64_t time) { first = first ? std::min(*first, time) : time; };
  for (const auto& [key, open] : open_) {
    for (const auto& w : open) {
      for (const auto& [clock, time] : w.with->alarms())
        if (clock == kind) note(due_at(kind, time, w.at));
      if (rules_.ends_by == kind && cleanup_of(w.at) != INT64_MAX)
        note(due_at(kind, cleanup_of(w.at), w.at));
    }
  }
  return first;
}

/// Calls the triggers that wait for that time, and closes the windows that are over by then.
std::vector<emission> window_operator::ring(clock_kind kind, std::int64_t time) {
  std::vector<emission> out;
  for (auto& [key, open] : open_) {
    for (auto& w : open) {
      const auto asked = due_at(kind, time - 1, w.at) == time ? time - 1 : time;
      if (due_at(kind, asked, w.at) != time) continue;
      if (!w.with->alarms().contains({kind, asked})) continue;
      w.with->take({kind, asked});
      settle(key, w, w.with->ring({kind, asked}, view_of(w.at)), out);
    }
    if (rules_.ends_by == kind)
      std::erase_if(open,
                    [&](const auto& w) { return due_at(kind, cleanup_of(w.at), w.at) == time; });
  }
  return out;
}

std::string window_operator::shown() const {
  std::string all;
  for (const auto& [key, open] : open_) {
    for (const auto& w : open) {
      std::vector<int> values;
      for (const auto& c : w.contents) values.push_back(c.value);
      all += std::to_string(key) + " " + text(w.at.start, w.at.end) + text(values);
      for (const auto& [clock, time] : w.with->alarms())
        all += (clock == clock_kind::event ? " W" : " P") + text_of_time(time);
      all += "; ";
    }
  }
  return all;
}

}  // namespace weir::testing::model
