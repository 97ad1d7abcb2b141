// SPDX-License-Identifier: Apache-2.0
#include "weir/checkpoint/checkpoint_config.hpp"

#include <string>

namespace weir::checkpoint {

namespace {

constexpr duration shortest = std::chrono::milliseconds{10};
constexpr duration longest_pause = std::chrono::hours{24 * 365};

status check_length(const std::string& option, duration value) {
  if (value >= shortest) return {};
  return error{errc::invalid_argument, "checkpoint " + option + " is " +
                                           std::to_string(value.count()) +
                                           " ms: it must be at least 10 ms"};
}

}  // namespace

status checkpoint_config::validate() const {
  if (interval) {
    if (auto fine = check_length("interval", *interval); !fine) return fine;
  }
  if (auto fine = check_length("timeout", timeout); !fine) return fine;
  if (min_pause < duration{0} || min_pause > longest_pause) {
    return error{errc::invalid_argument, "checkpoint minimum pause is " +
                                             std::to_string(min_pause.count()) +
                                             " ms: it must be from 0 ms to 365 days"};
  }
  if (retained == 0) {
    return error{errc::invalid_argument,
                 "number of retained checkpoints is 0: it must be at least 1"};
  }
  return {};
}

}  // namespace weir::checkpoint
