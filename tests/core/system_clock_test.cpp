// SPDX-License-Identifier: Apache-2.0
#include <chrono>

#include "weir/core/clock.hpp"

#include "support/catch.hpp"

namespace weir {

TEST_CASE("the system clock counts milliseconds since 1970", "[clock]") {
  const auto ms = [] {
    return std::chrono::floor<std::chrono::milliseconds>(
               std::chrono::system_clock::now().time_since_epoch())
        .count();
  };
  const auto before = ms();
  const auto now = system_clock().now().ms;
  const auto after = ms();
  CHECK(before <= now);
  CHECK(now <= after);
}

}  // namespace weir
