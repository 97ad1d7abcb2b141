// SPDX-License-Identifier: Apache-2.0
#include "weir/checkpoint/checkpoint_config.hpp"

#include <chrono>
#include <functional>

#include "support/catch.hpp"

namespace weir::checkpoint {
namespace {

using namespace std::chrono_literals;

TEST_CASE("a checkpoint configuration at its bounds is accepted", "[checkpoint_config]") {
  CHECK(checkpoint_config{}.validate().ok());
  checkpoint_config tight;
  tight.interval = 10ms;
  tight.timeout = 10ms;
  tight.min_pause = 24h * 365;
  CHECK(tight.validate().ok());
}

TEST_CASE("a checkpoint configuration beyond its bounds is refused", "[checkpoint_config]") {
  struct row {
    std::function<void(checkpoint_config&)> change;
    const char* message;
  };
  const auto [change, message] =
      GENERATE(row{[](auto& c) { c.interval = 9ms; },
                   "checkpoint interval is 9 ms: it must be at least 10 ms"},
               row{[](auto& c) { c.timeout = 0ms; },
                   "checkpoint timeout is 0 ms: it must be at least 10 ms"},
               row{[](auto& c) { c.min_pause = -1ms; },
                   "checkpoint minimum pause is -1 ms: it must be from 0 ms to 365 days"},
               row{[](auto& c) { c.min_pause = 24h * 365 + 1ms; },
                   "checkpoint minimum pause is 31536000001 ms: it must be from 0 ms to 365 days"},
               row{[](auto& c) { c.retained = 0; },
                   "number of retained checkpoints is 0: it must be at least 1"});
  checkpoint_config config;
  change(config);
  CHECK(config.validate().failure().code() == errc::invalid_argument);
  CHECK(config.validate().error_text() == message);
}

}  // namespace
}  // namespace weir::checkpoint
