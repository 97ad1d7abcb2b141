// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "weir/core/time.hpp"

namespace weir::simulation {

/// What becomes of the rest of the handler in which a crash strikes.
enum class crash_effect {
  cut,     ///< From that moment on its disk refuses everything, and `is_cut` is true.
  finish,  ///< It runs to its end, with all its effects; then the crash takes place.
};

/// One crash: at a step of the kernel, or when a named point of the code is passed.
struct crash_fault {
  std::string system;       ///< Which; empty: the one that is running.
  bool everywhere = false;  ///< All systems at once, whatever `system` says.
  std::string point;        ///< The name of the point; empty: at a step.
  std::uint64_t count = 1;  ///< Number of the step, or of the passage through the point, from 1.
  crash_effect effect = crash_effect::finish;
};

/// A system that stands still for a while, as a stopped process or a virtual machine does.
struct pause_fault {
  std::string system;
  std::uint64_t step = 1;  ///< Number of the step before which it begins, from 1.
  duration length{0};
};

/// A system whose clock is wrong.
struct clock_fault {
  std::string system;
  duration ahead{0};  ///< Negative: behind.
};

/// How long a work given to a simulated io_executor takes: mostly up to `usual`, sometimes up to
/// `slow`, both inclusive.
struct io_delays {
  duration usual{2};
  duration slow{200};
  std::uint64_t slow_per_mille = 10;
};

/// All that goes wrong in one run. A value; printable.
struct fault_plan {
  /// In so many steps of a thousand the next timer fires although something could run: the
  /// handlers before it were slow.
  std::uint64_t early_timers_per_mille = 5;
  duration early_timers_within = duration::max();  ///< of those that are due by then
  io_delays io;
  std::vector<crash_fault> crashes;
  std::vector<pause_fault> pauses;
  std::vector<clock_fault> clocks;
};

/// From what `plan_from_seed` may choose.
/// @pre steps > 0, point_hits > 0
struct fault_space {
  std::vector<std::string> systems;  ///< Names of systems; none: no pauses, no wrong clocks.
  std::vector<std::string> points;   ///< Names of points; none: crashes are at steps.
  std::uint64_t steps = 10'000;      ///< Crashes and pauses begin in [1, steps].
  std::uint64_t point_hits = 20;     ///< Crashes at a point: passage in [1, point_hits].
  std::uint64_t max_crashes = 3;
  std::uint64_t max_pauses = 1;
  duration max_pause{30'000};
  duration max_clock_error{5'000};
};

/// The plan that `seed` stands for, within `space`. The same on every machine.
fault_plan plan_from_seed(std::uint64_t seed, const fault_space& space);

/// One line for each fault, such as "crash node1 at point 'published', passage 3, cut".
std::string to_string(const fault_plan& plan);

}  // namespace weir::simulation
