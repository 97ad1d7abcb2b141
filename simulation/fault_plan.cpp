// SPDX-License-Identifier: Apache-2.0
#include "weir/simulation/fault_plan.hpp"

#include <array>

#include "weir/core/random.hpp"

namespace weir::simulation {
namespace {

const std::string& one_of(const std::vector<std::string>& names, random_generator& random) {
  return names[random.below(names.size())];
}

crash_fault draw_crash(const fault_space& space, random_generator& random) {
  crash_fault crash;
  crash.everywhere = random.chance(1, 4);
  if (!space.systems.empty() && random.chance(1, 2)) crash.system = one_of(space.systems, random);
  // Steps drawn evenly hardly ever hit the gaps that points name, so points come first.
  if (!space.points.empty() && random.chance(2, 3)) {
    crash.point = one_of(space.points, random);
    crash.count = 1 + random.below(space.point_hits);
  } else {
    crash.count = 1 + random.below(space.steps);
  }
  crash.effect = random.chance(1, 2) ? crash_effect::cut : crash_effect::finish;
  return crash;
}

pause_fault draw_pause(const fault_space& space, random_generator& random) {
  pause_fault pause;
  pause.system = one_of(space.systems, random);
  pause.step = 1 + random.below(space.steps);
  const auto longest = static_cast<std::uint64_t>(space.max_pause.count());
  pause.length = duration{static_cast<std::int64_t>(1 + random.below(longest))};
  return pause;
}

std::string victim_of(const crash_fault& crash) {
  if (crash.everywhere) return "all systems";
  return crash.system.empty() ? "the running system" : crash.system;
}

std::string to_line(const crash_fault& crash) {
  std::string line = "crash " + victim_of(crash);
  const std::string count = std::to_string(crash.count);
  line += crash.point.empty() ? " at step " + count
                              : " at point '" + crash.point + "', passage " + count;
  return line + (crash.effect == crash_effect::cut ? ", cut\n" : ", handler finished\n");
}

}  // namespace

fault_plan plan_from_seed(std::uint64_t seed, const fault_space& space) {
  constexpr std::array<std::uint64_t, 4> early{0, 1, 5, 50};
  constexpr std::array<io_delays, 3> io{io_delays{duration{0}, duration{0}, 0}, io_delays{},
                                        io_delays{duration{20}, duration{2'000}, 100}};
  random_generator random{seed};
  fault_plan plan;
  plan.early_timers_per_mille = early[random.below(early.size())];
  plan.io = io[random.below(io.size())];
  for (std::uint64_t n = random.below(space.max_crashes + 1); n > 0; --n) {
    plan.crashes.push_back(draw_crash(space, random));
  }
  if (space.systems.empty()) return plan;
  if (space.max_pause > duration{0}) {
    for (std::uint64_t n = random.below(space.max_pauses + 1); n > 0; --n) {
      plan.pauses.push_back(draw_pause(space, random));
    }
  }
  if (space.max_clock_error > duration{0} && random.chance(1, 3)) {
    const auto width = static_cast<std::uint64_t>(2 * space.max_clock_error.count() + 1);
    const duration ahead = duration{static_cast<std::int64_t>(random.below(width))};
    plan.clocks.push_back({one_of(space.systems, random), ahead - space.max_clock_error});
  }
  return plan;
}

std::string to_string(const fault_plan& plan) {
  const auto ms = [](duration d) { return std::to_string(d.count()) + " ms"; };
  std::string text = "early timers " + std::to_string(plan.early_timers_per_mille) + " per mille\n";
  text += "io up to " + ms(plan.io.usual) + ", " + std::to_string(plan.io.slow_per_mille) +
          " per mille up to " + ms(plan.io.slow) + "\n";
  for (const crash_fault& crash : plan.crashes) text += to_line(crash);
  for (const pause_fault& pause : plan.pauses) {
    text += "pause " + pause.system + " before step " + std::to_string(pause.step) + " for " +
            ms(pause.length) + "\n";
  }
  for (const clock_fault& fault : plan.clocks) {
    text += "clock of " + fault.system + " ahead by " + ms(fault.ahead) + "\n";
  }
  return text;
}

}  // namespace weir::simulation
