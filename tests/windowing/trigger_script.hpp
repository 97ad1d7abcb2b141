// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <sstream>
#include <string>
#include <utility>

#include "weir/testing/trigger_harness.hpp"

namespace weir::testing {

inline std::string text(const std::vector<int>& numbers) {
  std::string all;
  for (const int n : numbers) all += (all.empty() ? "" : ",") + std::to_string(n);
  return "{" + all + "}";
}

/// A trigger that is put through a script of words: "e7" is the next element, with value 7, in the
/// window that was said last, "[0,10)" such a window, "P5" the clock, "W9" the watermark. What is
/// emitted reads "e2{1,2} P10{1,2,3}".
template <class Trigger>
class trigger_script {
 public:
  using window = windowing::time_window;

  struct setting {
    duration lateness = duration{1'000'000};
    bool sessions = false;  ///< windows that touch are merged
    bool restores = false;  ///< all is saved and restored after each word
  };

  trigger_script(Trigger trigger, setting s)
      : harness_{std::move(trigger), {.allowed_lateness = s.lateness}}, setting_{s} {}

  std::string run(const std::string& script) {
    std::istringstream words{script};
    std::string all;
    for (std::string word; words >> word;) {
      if (setting_.restores) harness_.restore();
      for (const auto& a : answers(word))
        if (fires(a.result) && !a.contents.empty())
          all += (all.empty() ? "" : " ") + word + text(a.contents);
    }
    return all;
  }

  trigger_harness<int, Trigger>& harness() { return harness_; }

 private:
  std::vector<trigger_answer<window>> answers(const std::string& word) {
    const auto number = [&](std::size_t from) { return std::stoll(word.substr(from)); };
    switch (word[0]) {
      case 'P': return harness_.advance_clock(clock_time{number(1)});
      case 'W': return harness_.advance_watermark(at(number(1)));
      case '[': window_ = {at(number(1)), at(number(word.find(',') + 1))}; return {};
      default: break;
    }
    const auto value = static_cast<int>(number(1));
    if (setting_.sessions) return {harness_.push_to_session(value, window_.start, window_)};
    return {harness_.push(value, window_.start, window_)};
  }

  trigger_harness<int, Trigger> harness_;
  setting setting_;
  window window_{at(0), at(10)};
};

/// What a trigger emits for a script: the same if it is restored all the time, or that is said.
template <class Trigger>
std::string run_script(Trigger trigger, const std::string& script,
                       typename trigger_script<Trigger>::setting s = {}) {
  trigger_script<Trigger> once{trigger, s};
  const auto emitted = once.run(script);
  s.restores = true;
  trigger_script<Trigger> again{std::move(trigger), s};
  const auto restored = again.run(script);
  return emitted == restored ? emitted : emitted + " but when restored " + restored;
}

}  // namespace weir::testing
