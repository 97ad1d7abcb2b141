// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "weir/actors/internal/runtime_services.hpp"

namespace weir::simulation::internal {

/// Faults that weir's own tests plant in the engine to prove that the simulation finds them.
struct planted_faults {
  actors::internal::engine_mutations engine;
};

}  // namespace weir::simulation::internal
