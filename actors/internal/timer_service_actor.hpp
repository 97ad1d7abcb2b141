// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "weir/actors/internal/actor_base.hpp"
#include "weir/actors/internal/actor_messages.hpp"
#include "weir/core/clock.hpp"
#include "weir/dataflow/timer_service_logic.hpp"

namespace weir::actors::internal {

using timer_queues =
    std::vector<std::pair<std::uint32_t, std::unique_ptr<dataflow::timer_queue_base>>>;

/// The actor around the timer service of one subtask: carries out what the logic decides. Ends
/// with the subtask, which owns it.
class timer_service_actor final : public actor_base {
 public:
  timer_service_actor(caf::actor_config& config, std::string name, caf::actor subtask,
                      std::shared_ptr<timer_queues> queues, const weir::clock* time,
                      dataflow::timer_mutations mutations);

  caf::behavior make_behavior() override;
  void on_exit() override { subtask_ = nullptr; }

 private:
  void carry_out(dataflow::timer_actions actions);

  caf::actor subtask_;
  const weir::clock* time_;
  dataflow::timer_service_logic logic_;
};

}  // namespace weir::actors::internal
