// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>

namespace weir {

/// Where blocking work goes, so that no actor's handler waits for a disk. Any thread may submit.
/// A pool of threads in production; steps of the seeded scheduler in simulation.
class io_executor {
 public:
  virtual ~io_executor() = default;

  /// Runs `work` once, later, on some thread of the executor. `work` tells its end itself (it
  /// sends a message). Works given the same `lane` run one after the other, in order; lane 0 has
  /// no order.
  /// @pre `work` does not throw
  virtual void submit(std::uint64_t lane, std::function<void()> work) = 0;
};

/// A pool of `threads` threads, at least one. The destructor finishes what was submitted, and what
/// that submits, then joins them.
std::unique_ptr<io_executor> make_thread_io_executor(std::size_t threads);

}  // namespace weir
