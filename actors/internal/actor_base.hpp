// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "weir/actors/internal/caf.hpp"
#include "weir/core/error.hpp"
#include "weir/core/io_executor.hpp"

namespace weir::actors::internal {

/// Base of weir's actors. Whatever goes wrong inside ends the actor with a weir::error as the
/// reason, which its monitors read with `from_caf`; nothing is printed. Spawn derived classes with
/// at least one argument: CAF binds a null reference to an empty argument list.
/// Members outlive a killed actor until the last handle to it is gone; let go of handles to other
/// actors in `on_exit()`, or two actors that know each other are never destroyed.
class actor_base : public caf::event_based_actor {
 public:
  /// `actor_name` appears in errors and in traces of the simulation.
  actor_base(caf::actor_config& config, std::string actor_name);

  const char* name() const override { return name_.c_str(); }

 protected:
  /// Runs `work` on `io`, behind the earlier works of that lane. What it returns comes back as an
  /// `io_done` message, for a handler to call.
  void run_on(io_executor& io, std::uint64_t lane, std::function<std::function<void()>()> work);

  /// Ends this actor after the running handler; its monitors are told `failure`.
  void fail(const error& failure);

  /// A message for which the behavior has no handler, `types` being those of its content ("()" if
  /// CAF could not read it). Ends the actor unless overridden.
  virtual void on_unexpected_message(const std::string& types);

  /// A monitored actor has ended. Ignored unless overridden.
  virtual void on_down(const caf::down_msg& down);

 private:
  std::string name_;
};

/// Ends `target` before it handles what is queued for it, once its running handler is done. (An
/// ordinary exit message waits in line behind all data.)
void kill(caf::event_based_actor* self, const caf::actor& target);

}  // namespace weir::actors::internal
