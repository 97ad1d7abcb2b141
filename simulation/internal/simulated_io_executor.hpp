// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <string>

#include "weir/core/io_executor.hpp"
#include "weir/core/random.hpp"
#include "weir/core/time.hpp"
#include "weir/simulation/fault_plan.hpp"

namespace weir::simulation::internal {

/// Runs works as events, each after a delay drawn from a seed; those of one lane one after the
/// other. Owned by the kernel, used in its thread.
class simulated_io_executor final : public io_executor {
 public:
  using work = std::function<void()>;

  /// Makes an event `delay` from now.
  using later = std::function<void(duration delay, std::string label, work event)>;

  /// Runs a work whose process is about to die, up to some point of it.
  using run_partly = std::function<void(const work&)>;

  simulated_io_executor(std::uint64_t seed, const io_delays& delays, later run_later);

  void submit(std::uint64_t lane, work what) override;

  /// The process dies: of the works in flight each is lost, done, or half done, as the seed says,
  /// and nothing behind a lost or half-done one in its lane takes place. Later works are lost.
  void end(const run_partly& half);

  /// Lets go of all works; later ones are lost.
  void abandon();

  std::size_t in_flight() const;

 private:
  duration draw_delay();
  void run_first_of(std::uint64_t lane);
  void run_single(std::uint64_t number);
  void start(std::uint64_t lane);
  bool end_one(const work& what, const run_partly& half);

  random_generator random_;
  io_delays delays_;
  later run_later_;
  std::map<std::uint64_t, std::deque<work>> lanes_;
  std::map<std::uint64_t, work> singles_;  // lane 0, by number of submission
  std::uint64_t next_single_ = 0;
  bool ended_ = false;
};

}  // namespace weir::simulation::internal
