// SPDX-License-Identifier: Apache-2.0
#include <chrono>

#include "weir/simulation/kernel.hpp"

#include "simulation/kernel_actors.hpp"
#include "support/catch.hpp"

namespace weir::testing {
namespace {

using simulation::crash_fault;
using simulation::kernel;
using simulation::kernel_options;
using simulation::system_id;

constexpr clock_time start{1'000};

kernel_options plain() {
  kernel_options options;
  options.seed = 1;
  options.start = start;
  options.faults.early_timers_per_mille = 0;
  return options;
}

/// Counts down without end.
caf::actor spawn_busy(kernel& k, system_id id) {
  const caf::actor busy = k.actors(id).spawn<caller>(
      "busy", [](caller& self, int number) { self.send(&self, number); });
  caf::anon_send(busy, 0);
  return busy;
}

TEST_CASE("time moves with each step when steps take time", "[kernel]") {
  auto options = plain();
  options.step_length = std::chrono::microseconds{500};
  kernel k{options};
  const system_id id = k.add_system("node");
  const caf::actor busy = spawn_busy(k, id);
  k.run(10);
  CHECK(k.now() == start + duration{5});
  CHECK(k.clock_of(id).now() == start + duration{5});
}

TEST_CASE("with steps that take time timers come although something can always run", "[kernel]") {
  auto options = plain();
  options.step_length = std::chrono::microseconds{1'000};
  kernel k{options};
  const system_id id = k.add_system("node");
  const caf::actor busy = spawn_busy(k, id);
  journal seen;
  k.after(duration{20}, "event", [&] { seen.push_back("event"); });
  k.run(20);
  CHECK(seen.empty());
  k.run(100);
  CHECK(seen == journal{"event"});
}

TEST_CASE("a kernel runs for a time although something can always run", "[kernel]") {
  auto options = plain();
  options.step_length = std::chrono::microseconds{1'000};
  kernel k{options};
  const caf::actor busy = spawn_busy(k, k.add_system("node"));
  k.run_for(duration{50});
  CHECK(k.now() >= start + duration{50});
  CHECK(k.steps() <= 52);
}

TEST_CASE("a handler can take time of its own", "[kernel]") {
  kernel k{plain()};
  const system_id id = k.add_system("node");
  clock_time within{};
  const caf::actor slow = k.actors(id).spawn<caller>("slow", [&](caller&, int) {
    k.spend(duration{30});
    within = k.clock_of(id).now();
  });
  caf::anon_send(slow, 0);
  k.run();
  CHECK(within == start + duration{30});
  CHECK(k.now() == start + duration{30});
}

TEST_CASE("early timers come early only if they are due within their time", "[kernel]") {
  auto options = plain();
  options.faults.early_timers_per_mille = 1'000;
  options.faults.early_timers_within = duration{10};
  kernel k{options};
  const caf::actor busy = spawn_busy(k, k.add_system("node"));
  journal seen;
  k.after(duration{10}, "near", [&] { seen.push_back("near"); });
  k.after(duration{21}, "far", [&] { seen.push_back("far"); });
  k.run(100);
  CHECK(seen == journal{"near"});
}

TEST_CASE("no fault happens after the faults have ended", "[kernel]") {
  auto options = plain();
  crash_fault crash;
  crash.count = 5;
  options.faults.crashes = {crash};
  options.faults.pauses = {{"node", 6, duration{1'000}}};
  kernel k{options};
  const system_id id = k.add_system("node");
  const caf::actor busy = spawn_busy(k, id);
  k.end_faults();
  k.run(20);
  CHECK(k.is_alive(id));
  CHECK(k.now() == start);
}

}  // namespace
}  // namespace weir::testing
