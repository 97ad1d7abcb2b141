// SPDX-License-Identifier: Apache-2.0
#include "weir/dataflow/runtime_context.hpp"

#include <tuple>

#include "weir/core/hash.hpp"

namespace weir::dataflow {

random_generator runtime_context::random() const {
  const auto& e = *environment_;
  return random_generator{stable_hash(
      std::tuple{e.job, e.uid, e.subtask.value, e.current.epoch.value, e.current.attempt.value})};
}

}  // namespace weir::dataflow
