// SPDX-License-Identifier: Apache-2.0
#include <chrono>

#include "weir/core/clock.hpp"

namespace weir {
namespace {

class machine_clock final : public clock {
 public:
  clock_time now() const override {
    const auto since_epoch = std::chrono::system_clock::now().time_since_epoch();
    return {std::chrono::floor<duration>(since_epoch).count()};
  }
};

}  // namespace

const clock& system_clock() {
  static const machine_clock clock;
  return clock;
}

}  // namespace weir
