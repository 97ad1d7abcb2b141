// SPDX-License-Identifier: Apache-2.0
#include "windowing/trigger_programs.hpp"

#include <algorithm>
#include <optional>

#include "support/catch.hpp"

namespace weir::testing {
namespace {

using window = windowing::time_window;

std::optional<model::clock_kind> model_clock(std::optional<timer_domain> domain) {
  if (!domain) return std::nullopt;
  return *domain == timer_domain::event ? model::clock_kind::event : model::clock_kind::processing;
}

std::string text(const window& w) {
  return "[" + std::to_string(w.start.ms) + "," + std::to_string(w.end.ms) + ")";
}

std::string text(const std::vector<int>& numbers) {
  std::string all;
  for (const int n : numbers) all += (all.empty() ? "" : ",") + std::to_string(n);
  return "{" + all + "}";
}

std::string joined(const model::log& lines) {
  std::string all;
  for (const auto& line : lines) all += line + "; ";
  return all;
}

}  // namespace

trigger_surroundings draw_surroundings(random_generator& random, bool needs_event_time) {
  trigger_surroundings around;
  around.allowed_lateness = duration{static_cast<std::int64_t>(random.below(3) * 7)};
  if (needs_event_time) return around;
  if (random.chance(1, 4)) around.windows = timer_domain::processing;
  if (random.chance(1, 8)) around.windows = std::nullopt;
  return around;
}

trigger_program::trigger_program(trigger_subject subject, model::trigger modelled,
                                 random_generator& random, program_counts& counts)
    : random_{random},
      counts_{counts},
      real_{std::move(subject)},
      sessions_{real_.can_merge && random.chance(2, 3)},
      model_{std::move(modelled), model_clock(real_.around.windows),
             real_.around.allowed_lateness.count()} {
  real_.windows->advance_watermark(at(watermark_));
}

bool trigger_program::run(int steps) {
  for (int i = 0; i < steps && same_; ++i) step();
  if (same_) advance(model::clock_kind::processing, 10000);
  if (same_) advance(model::clock_kind::event, 10000);
  if (same_) advance(model::clock_kind::processing, 10100);
  const bool gone =
      !real_.around.windows || (real_.windows->windows().empty() && real_.windows->timers() == 0);
  return same_ && gone && real_.windows->left_behind() == 0;
}

std::string trigger_program::report() const {
  std::string all;
  for (const auto& line : story_) all += line + "\n";
  return all + "windows: " + shown() + "\nmodel:   " + model_.shown() +
         "\nwanted:  " + joined(wanted_) + "\nmodel:   " + joined(expected_) +
         "\nleft behind: " + std::to_string(real_.windows->left_behind());
}

void trigger_program::step() {
  switch (random_.below(8)) {
    case 0: return advance(model::clock_kind::event, watermark_ + random_step(8));
    case 1: return advance(model::clock_kind::processing, clock_ + random_step(6));
    case 2:
      story_.push_back("restore");
      ++counts_.restores;
      real_.windows->restore();
      return compare({}, {});
    default: return push();
  }
}

void trigger_program::push() {
  if (watermark_ < -20) watermark_ = -20;
  const int value = static_cast<int>(random_.below(7));
  const std::int64_t time = watermark_ + random_step(25) - 10;
  const std::int64_t from = real_.around.windows == timer_domain::processing ? clock_ : time;
  const std::int64_t start = sessions_ ? from : from - floor_mod(from, 10);
  const window w{at(start), at(start + (sessions_ ? 1 + random_step(5) : 10))};
  story_.push_back("e" + std::to_string(value) + "@" + std::to_string(time) + " " + text(w));
  const auto before = real_.windows->windows().size();
  const auto answer = real_.push(value, at(time), w, sessions_);
  if (before > 1 && real_.windows->windows().size() < before) ++counts_.merges;
  std::vector<trigger_answer<window>> answers;
  if (answer.result != trigger_result::continue_) answers.push_back(answer);
  compare(answers, model_.push(value, time, w.start.ms, w.end.ms, sessions_));
}

void trigger_program::advance(model::clock_kind kind, std::int64_t to) {
  const bool event = kind == model::clock_kind::event;
  (event ? watermark_ : clock_) = to;
  story_.push_back((event ? "W" : "P") + std::to_string(to));
  const auto answers = event ? real_.windows->advance_watermark(at(to))
                             : real_.windows->advance_clock(clock_time{to});
  compare(answers, model_.advance(kind, to));
}

void trigger_program::compare(const std::vector<trigger_answer<window>>& answers,
                              model::log expected) {
  wanted_.clear();
  for (const auto& a : answers) {
    counts_.fires += fires(a.result) && !a.contents.empty() ? 1 : 0;
    wanted_.push_back(text(a.window) + (fires(a.result) ? " fire" : "") +
                      (purges(a.result) ? " purge" : "") + " " + text(a.contents));
  }
  expected_ = std::move(expected);
  for (const auto& line : wanted_) story_.push_back("    " + line);
  same_ = wanted_ == expected_ && shown() == model_.shown();
}

std::string trigger_program::shown() const {
  model::log all;
  for (const auto& w : real_.windows->windows()) {
    std::string one = text(w) + text(real_.windows->contents(w));
    for (const auto t : real_.windows->timers(timer_domain::event, w))
      one += " W" + std::to_string(t);
    for (const auto t : real_.windows->timers(timer_domain::processing, w))
      one += " P" + std::to_string(t);
    all.push_back(one);
  }
  std::sort(all.begin(), all.end());
  return joined(all);
}

bool run_program(std::uint64_t seed, const std::string& text, trigger_subject subject,
                 model::trigger modelled, random_generator& random, program_counts& counts) {
  trigger_program program{std::move(subject), std::move(modelled), random, counts};
  const bool same = program.run(40);
  if (!same) {
    INFO("seed " << seed << ": " << text << "\n" << program.report());
    CHECK(same);
  }
  return same;
}

}  // namespace weir::testing
