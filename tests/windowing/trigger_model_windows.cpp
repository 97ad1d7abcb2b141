// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <tuple>

#include "windowing/trigger_model.hpp"

namespace weir::testing::model {
namespace {

std::string text(const std::vector<int>& numbers) {
  std::string all;
  for (const int n : numbers) all += (all.empty() ? "" : ",") + std::to_string(n);
  return "{" + all + "}";
}

std::string text(const window& w) {
  return "[" + std::to_string(w.start) + "," + std::to_string(w.end) + ")";
}

}  // namespace

std::int64_t windows::cleanup_of(std::int64_t end) const {
  return ends_by_ == clock_kind::event ? end - 1 + lateness_ : end - 1;
}

view windows::view_of(const window& w) const {
  return {watermark_, clock_, ends_by_, w.end - 1, cleanup_of(w.end)};
}

void windows::record(log& to, window& w, const verdict& result) {
  if (!result.fire && !result.purge) return;
  const std::string what = std::string{result.fire ? " fire" : ""} + (result.purge ? " purge" : "");
  to.push_back(text(w) + what + " " + text(w.contents));
  if (result.purge) w.contents.clear();
}

window& windows::merged_with(std::int64_t start, std::int64_t end) {
  window made{start, end, {}, prototype_->fresh()};
  std::vector<window> old, others;
  // Open windows do not touch each other, so those that touch the new one are all there are.
  for (auto& w : open_) {
    const bool touches = w.start <= end && start <= w.end;
    if (touches) {
      made.start = std::min(made.start, w.start);
      made.end = std::max(made.end, w.end);
      made.contents.insert(made.contents.end(), w.contents.begin(), w.contents.end());
    }
    (touches ? old : others).push_back(std::move(w));
  }
  open_ = std::move(others);
  const bool the_same = old.size() == 1 && old[0].start == made.start && old[0].end == made.end;
  if (the_same) {
    open_.push_back(std::move(old[0]));
  } else {
    std::sort(made.contents.begin(), made.contents.end());
    std::vector<const node*> triggers;
    for (const auto& w : old) triggers.push_back(w.with.get());
    if (!triggers.empty()) made.with->merge(triggers, view_of(made));
    open_.push_back(std::move(made));
  }
  return open_.back();
}

log windows::push(int value, std::int64_t time, std::int64_t start, std::int64_t end,
                  bool sessions) {
  const int number = ++elements_;
  window* in = nullptr;
  for (auto& w : open_)
    if (!sessions && w.start == start && w.end == end) in = &w;
  if (in == nullptr) {
    if (sessions) {
      std::int64_t merged_end = end;
      for (const auto& w : open_)
        if (w.start <= end && start <= w.end) merged_end = std::max(merged_end, w.end);
      if (ends_by_ == clock_kind::event && cleanup_of(merged_end) <= watermark_) return {};
      in = &merged_with(start, end);
    } else {
      if (ends_by_ == clock_kind::event && cleanup_of(end) <= watermark_) return {};
      open_.push_back({start, end, {}, prototype_->fresh()});
      in = &open_.back();
    }
  }
  in->contents.push_back(number);
  log out;
  record(out, *in, in->with->element(value, time, view_of(*in)));
  return out;
}

/// The first thing that is due, if any: a timer, or the end of a window.
bool windows::step(clock_kind kind, std::int64_t until, log& to) {
  using turn = std::tuple<std::int64_t, bool, std::int64_t, std::int64_t, std::size_t>;
  std::vector<turn> due;
  for (std::size_t i = 0; i < open_.size(); ++i) {
    const window& w = open_[i];
    for (const auto& [clock, time] : w.with->alarms())
      if (clock == kind && time <= until) due.push_back({time, false, w.end, w.start, i});
    if (ends_by_ == kind && cleanup_of(w.end) <= until)
      due.push_back({cleanup_of(w.end), true, w.end, w.start, i});
  }
  if (due.empty()) return false;
  const auto [time, closes, end, start, i] = *std::min_element(due.begin(), due.end());
  if (closes) {
    open_.erase(open_.begin() + static_cast<std::ptrdiff_t>(i));
  } else {
    open_[i].with->take({kind, time});
    record(to, open_[i], open_[i].with->ring({kind, time}, view_of(open_[i])));
  }
  return true;
}

log windows::advance(clock_kind kind, std::int64_t to) {
  (kind == clock_kind::event ? watermark_ : clock_) = to;
  log out;
  while (step(kind, to, out)) continue;
  return out;
}

std::string windows::shown() const {
  std::vector<std::string> all;
  for (const auto& w : open_) {
    std::string one = text(w) + text(w.contents);
    for (const auto& [kind, time] : w.with->alarms())
      one += (kind == clock_kind::event ? " W" : " P") + std::to_string(time);
    all.push_back(one);
  }
  std::sort(all.begin(), all.end());
  std::string joined;
  for (const auto& one : all) joined += one + "; ";
  return joined;
}

}  // namespace weir::testing::model
