// SPDX-License-Identifier: Apache-2.0
#include "weir/checkpoint/restart_policy.hpp"

#include <string>

namespace weir::checkpoint {

result<restart_policy> restart_policy::fixed_delay(std::uint32_t attempts, duration delay) {
  if (delay.count() < 0) {
    return error{errc::invalid_argument, "restart delay is " + std::to_string(delay.count()) +
                                             " ms: it must not be negative"};
  }
  return restart_policy{attempts, delay};
}

std::optional<clock_time> restart_policy::on_failure(clock_time now) {
  if (attempts_left_ == 0) return std::nullopt;
  --attempts_left_;
  return now + delay_;
}

}  // namespace weir::checkpoint
