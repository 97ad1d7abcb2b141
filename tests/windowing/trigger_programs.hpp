// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "weir/testing/trigger_harness.hpp"

#include "windowing/random_triggers.hpp"

namespace weir::testing {

/// How often the things happened that the programs are for.
struct program_counts {
  int fires = 0;
  int merges = 0;
  int restores = 0;
};

/// What is tested: windows with a trigger, and how elements are put in.
struct trigger_subject {
  using window = windowing::time_window;

  std::unique_ptr<trigger_windows<window>> windows;
  std::function<trigger_answer<window>(int value, event_time, const window&, bool to_session)> push;
  trigger_surroundings around;
  bool can_merge;
};

/// A trigger and the model of it, with the same windows and the same input.
class trigger_program {
 public:
  trigger_program(trigger_subject subject, model::trigger modelled, random_generator& random,
                  program_counts& counts);

  /// Runs up to `steps` steps, then to the end of all windows. False: the two differ.
  bool run(int steps);

  /// What happened, and where the two differ.
  std::string report() const;

 private:
  using window = windowing::time_window;

  void step();
  void push();
  void advance(model::clock_kind kind, std::int64_t to);
  void compare(const std::vector<trigger_answer<window>>& answers, model::log expected);
  std::string shown() const;
  std::int64_t random_step(std::uint64_t bound) {
    return static_cast<std::int64_t>(random_.below(bound));
  }

  random_generator& random_;
  program_counts& counts_;
  trigger_subject real_;
  bool sessions_;
  model::windows model_;
  std::int64_t watermark_ = -1000;
  std::int64_t clock_ = 0;
  bool same_ = true;
  model::log wanted_, expected_;
  std::vector<std::string> story_;
};

/// Draws what is around a trigger.
trigger_surroundings draw_surroundings(random_generator& random, bool needs_event_time);

template <class Trigger>
trigger_subject make_subject(Trigger trigger, random_generator& random) {
  using node = windowing::trigger_node<Trigger>;
  using window = windowing::time_window;
  const auto around = draw_surroundings(random, node::needs_event_time);
  auto harness = std::make_unique<trigger_harness<int, Trigger>>(std::move(trigger), around);
  auto push = [&h = *harness](int value, event_time time, const window& w, bool to_session) {
    return to_session ? h.push_to_session(value, time, w) : h.push(value, time, w);
  };
  return {std::move(harness), std::move(push), around, node::can_merge};
}

/// Runs a program; an error of the test if the two differ.
bool run_program(std::uint64_t seed, const std::string& text, trigger_subject subject,
                 model::trigger modelled, random_generator& random, program_counts& counts);

/// Runs `programs` programs of one combination of combinators.
template <unsigned Seed>
void run_programs(int programs, program_counts& counts) {
  for (int i = 0; i < programs; ++i) {
    const std::uint64_t seed = Seed * 1000ull + static_cast<unsigned>(i);
    random_generator random{seed};
    auto drawn = draw_trigger<Seed, 2 + Seed % 3, 2>(random);
    auto subject = make_subject(std::move(drawn.real), random);
    if (!run_program(seed, drawn.text, std::move(subject), std::move(drawn.modelled), random,
                     counts))
      return;
  }
}

/// Runs `programs` programs of each of these combinations.
template <unsigned... Seed>
program_counts run_all(int programs) {
  program_counts counts;
  (run_programs<Seed>(programs, counts), ...);
  return counts;
}

}  // namespace weir::testing
