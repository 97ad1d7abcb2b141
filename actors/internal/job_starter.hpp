// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string_view>

#include "weir/actors/job_handle.hpp"

namespace weir::actors::internal {

/// Starts jobs for tests that want to be at named points of the engine, such as
/// "coordinator.published": between the publication of a checkpoint and the commits of its sinks.
struct job_starter {
  /// As `actors::start`. `point` is called with the names of the points that the job passes, by the
  /// threads that pass them, which may end the process there.
  static result<job_handle> start(dataflow::environment& described,
                                  std::function<void(std::string_view)> point);
};

}  // namespace weir::actors::internal
