// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "weir/actors/internal/subtask.hpp"
#include "weir/core/clock.hpp"
#include "weir/core/file_system.hpp"
#include "weir/core/io_executor.hpp"
#include "weir/core/log.hpp"
#include "weir/dataflow/timer_message.hpp"

namespace weir::actors::internal {

/// Faults that tests plant to prove that they are found. None by default.
struct engine_mutations {
  subtask_mutations subtask;
  dataflow::timer_mutations timers;
};

/// What the actors of a job use of the world. The pointers outlive the job's actors.
struct runtime_services {
  const clock* time = nullptr;
  file_system* files = nullptr;
  io_executor* io = nullptr;
  log_sink* log = nullptr;
  std::string owner;  ///< unlike that of any other process, ever; letters, digits and ".-_"

  /// Called at named points of the code: the simulator may crash there.
  std::function<void(std::string_view)> point = [](std::string_view) {};
  engine_mutations mutations;
};

}  // namespace weir::actors::internal
