// SPDX-License-Identifier: Apache-2.0
#include "weir/simulation/internal/simulated_io_executor.hpp"

#include <utility>

namespace weir::simulation::internal {

simulated_io_executor::simulated_io_executor(std::uint64_t seed, const io_delays& delays,
                                             later run_later)
    : random_{seed}, delays_{delays}, run_later_{std::move(run_later)} {}

void simulated_io_executor::submit(std::uint64_t lane, work what) {
  if (ended_) return;
  if (lane == 0) {
    const std::uint64_t number = next_single_++;
    singles_.emplace(number, std::move(what));
    run_later_(draw_delay(), "io", [this, number] { run_single(number); });
    return;
  }
  std::deque<work>& queue = lanes_[lane];
  queue.push_back(std::move(what));
  if (queue.size() == 1) start(lane);
}

void simulated_io_executor::end(const run_partly& half) {
  ended_ = true;
  const auto lanes = std::exchange(lanes_, {});
  const auto singles = std::exchange(singles_, {});
  for (const auto& [lane, queue] : lanes) {
    for (const work& what : queue) {
      if (!end_one(what, half)) break;
    }
  }
  for (const auto& [number, what] : singles) end_one(what, half);
}

void simulated_io_executor::abandon() {
  ended_ = true;
  lanes_.clear();
  singles_.clear();
}

std::size_t simulated_io_executor::in_flight() const {
  std::size_t count = singles_.size();
  for (const auto& [lane, queue] : lanes_) count += queue.size();
  return count;
}

duration simulated_io_executor::draw_delay() {
  const bool slow = random_.chance(delays_.slow_per_mille, 1'000);
  const auto longest = static_cast<std::uint64_t>((slow ? delays_.slow : delays_.usual).count());
  return duration{static_cast<std::int64_t>(random_.below(longest + 1))};
}

void simulated_io_executor::start(std::uint64_t lane) {
  run_later_(draw_delay(), "io of lane " + std::to_string(lane),
             [this, lane] { run_first_of(lane); });
}

void simulated_io_executor::run_first_of(std::uint64_t lane) {
  // Stays first in its lane while it runs, so that what it submits goes behind it.
  std::deque<work>& queue = lanes_[lane];
  std::exchange(queue.front(), nullptr)();
  queue.pop_front();
  if (queue.empty()) {
    lanes_.erase(lane);
  } else {
    start(lane);
  }
}

void simulated_io_executor::run_single(std::uint64_t number) {
  singles_.extract(number).mapped()();
}

/// Whether the work was done as a whole.
bool simulated_io_executor::end_one(const work& what, const run_partly& half) {
  switch (random_.below(3)) {
    case 0: return false;
    case 1: what(); return true;
    default: half(what); return false;
  }
}

}  // namespace weir::simulation::internal
