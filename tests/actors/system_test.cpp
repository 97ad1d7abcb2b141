// SPDX-License-Identifier: Apache-2.0
#include "weir/actors/internal/system.hpp"

#include <atomic>
#include <thread>

#include "weir/actors/internal/actor_base.hpp"

#include "support/catch.hpp"

namespace weir::testing {
namespace {

using actors::internal::keep_freed_memory;
using actors::internal::make_system_config;

TEST_CASE("a system has the threads it was asked for, or one for each core", "[system]") {
  const std::size_t cores = std::max(std::thread::hardware_concurrency(), 1u);
  for (const std::size_t asked : {std::size_t{0}, std::size_t{1}, std::size_t{3}}) {
    const auto config = make_system_config(asked);
    caf::actor_system system{*config};
    CHECK(system.scheduler().num_workers() == (asked == 0 ? cores : asked));
    CHECK(system.scheduler().max_throughput() == 32);
  }
}

/// Adds up what it is told, and ends at 0.
class adder final : public actors::internal::actor_base {
 public:
  adder(caf::actor_config& config, std::atomic<int>& sum)
      : actor_base{config, "adder"}, sum_{sum} {}

  caf::behavior make_behavior() override {
    return {[this](int number) {
      sum_ += number;
      if (number == 0) quit();
    }};
  }

 private:
  std::atomic<int>& sum_;
};

TEST_CASE("actors of a production system run on its threads", "[system]") {
  keep_freed_memory();
  keep_freed_memory();
  std::atomic<int> sum{0};
  {
    const auto config = make_system_config(2);
    caf::actor_system system{*config};
    for (int n = 0; n < 4; ++n) {
      const caf::actor a = system.spawn<adder>(sum);
      for (int i = 100; i >= 0; --i) caf::anon_send(a, i);
    }
    system.await_all_actors_done();
  }
  CHECK(sum == 4 * 5'050);
}

}  // namespace
}  // namespace weir::testing
