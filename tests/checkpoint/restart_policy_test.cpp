// SPDX-License-Identifier: Apache-2.0
#include "weir/checkpoint/restart_policy.hpp"

#include <chrono>

#include "support/catch.hpp"

namespace weir::checkpoint {
namespace {

using namespace std::chrono_literals;

TEST_CASE("without restarts the first failure is final", "[restart_policy]") {
  auto policy = restart_policy::none();
  CHECK_FALSE(policy.on_failure({100}).has_value());
}

TEST_CASE("a fixed delay restarts as often as it says, and then no more", "[restart_policy]") {
  auto policy = restart_policy::fixed_delay(2, 30ms).value();
  CHECK(policy.on_failure({100}) == clock_time{130});
  CHECK(policy.attempts_left() == 1);
  CHECK(policy.on_failure({130}) == clock_time{160});
  CHECK_FALSE(policy.on_failure({1'000'000}).has_value());
  CHECK_FALSE(policy.on_failure({2'000'000}).has_value());
}

TEST_CASE("a delay at the end of time does not wrap", "[restart_policy]") {
  auto policy = restart_policy::fixed_delay(1, 30ms).value();
  CHECK(policy.on_failure(clock_time::max()) == clock_time::max());
}

TEST_CASE("a negative delay is refused", "[restart_policy]") {
  const auto policy = restart_policy::fixed_delay(1, -1ms);
  CHECK(policy.error_text() == "restart delay is -1 ms: it must not be negative");
}

}  // namespace
}  // namespace weir::checkpoint
