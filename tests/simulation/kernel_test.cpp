// SPDX-License-Identifier: Apache-2.0
#include "weir/simulation/kernel.hpp"

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "simulation/kernel_actors.hpp"
#include "support/catch.hpp"

namespace weir::testing {
namespace {

using simulation::kernel;
using simulation::kernel_options;
using simulation::system_id;
using simulation::trace_mode;

kernel_options with_seed(std::uint64_t seed) {
  kernel_options options;
  options.seed = seed;
  options.trace = trace_mode::text;
  options.faults.early_timers_per_mille = 0;
  return options;
}

/// Five actors, each told two numbers: there is an order to choose.
journal run_five(kernel& k) {
  journal seen;
  const system_id id = k.add_system("node");
  std::vector<caf::actor> actors;
  for (const char* name : {"a", "b", "c", "d", "e"}) {
    actors.push_back(k.actors(id).spawn<relay>(name, seen));
  }
  for (const caf::actor& actor : actors) {
    caf::anon_send(actor, 1);
    caf::anon_send(actor, 2);
  }
  k.run();
  return seen;
}

TEST_CASE("the same seed gives the same order and the same trace", "[kernel]") {
  const std::uint64_t seed = GENERATE(0u, 1u, 77u);
  kernel first{with_seed(seed)};
  kernel second{with_seed(seed)};
  CHECK(run_five(first) == run_five(second));
  CHECK_FALSE(first.trace().empty());
  CHECK(first.trace() == second.trace());
  CHECK(first.trace_hash() == second.trace_hash());
}

TEST_CASE("different seeds give different orders, and each keeps a sender's messages in order",
          "[kernel]") {
  std::set<journal> orders;
  std::set<std::uint64_t> hashes;
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    kernel k{with_seed(seed)};
    const journal seen = run_five(k);
    REQUIRE(seen.size() == 10);
    for (const char* name : {"a", "b", "c", "d", "e"}) {
      const auto place = [&](const std::string& what) {
        return std::find(seen.begin(), seen.end(), what) - seen.begin();
      };
      CHECK(place(std::string{name} + "1") < place(std::string{name} + "2"));
    }
    orders.insert(seen);
    hashes.insert(k.trace_hash());
  }
  CHECK(orders.size() > 45);
  CHECK(hashes.size() > 45);
}

TEST_CASE("a trace line names step, time, system, actor and message", "[kernel]") {
  kernel k{with_seed(1)};
  journal seen;
  const system_id id = k.add_system("node");
  const caf::actor a = k.actors(id).spawn<relay>("a", seen);
  caf::anon_send(a, 7);
  k.run();
  CAPTURE(k.trace());
  const std::string actor = "node#0/" + std::to_string(a.id());
  CHECK(k.trace() == "0 t=0 start node#0\n1 t=0 run " + actor + " a (7)\n");
}

TEST_CASE("the hook describes messages, and where it is silent the types stand", "[kernel]") {
  kernel_options options = with_seed(1);
  options.describe = [](const caf::type_erased_tuple& content) {
    return content.match_elements<int>() ? std::string{"a number"} : std::string{};
  };
  kernel k{std::move(options)};
  const caf::actor a = k.actors(k.add_system("node")).spawn<caller>("a", [](caller&, int) {});
  caf::anon_send(a, 7);
  caf::anon_send(a, tick_atom::value, 8);
  k.run();
  CAPTURE(k.trace());
  CHECK(k.trace().find(" a a number\n") != std::string::npos);
  CHECK(k.trace().find(" a (tick, 8)\n") != std::string::npos);
}

TEST_CASE("the hash of a trace does not depend on keeping its text", "[kernel]") {
  kernel_options options = with_seed(5);
  kernel with_text{options};
  options.trace = trace_mode::hash;
  kernel with_hash{options};
  options.trace = trace_mode::off;
  kernel without{options};
  const journal order = run_five(with_text);
  CHECK(order == run_five(with_hash));
  CHECK(order == run_five(without));
  CHECK(with_text.trace_hash() == with_hash.trace_hash());
  CHECK(with_hash.trace().empty());
  CHECK(without.trace_hash() == 0);
}

TEST_CASE("a delayed message comes when its virtual time has come, at no cost of real time",
          "[kernel]") {
  kernel k{with_seed(1)};
  const clock_time start = k.now();
  const system_id id = k.add_system("node");
  std::vector<std::int64_t> times;
  const caf::actor a = k.actors(id).spawn<caller>("a", [&](caller& self, int number) {
    times.push_back(k.clock_of(id).now().ms - start.ms);
    if (number > 0) {
      self.delayed_send(&self, std::chrono::hours{24}, tick_atom::value, number - 1);
    }
  });
  caf::anon_send(a, 3);
  k.run();
  constexpr std::int64_t day = 86'400'000;
  CHECK(times == std::vector<std::int64_t>{0, day, 2 * day, 3 * day});
  CHECK(k.now() == start + duration{3 * day});
}

TEST_CASE("time stands still while something can run, unless a timer fires early", "[kernel]") {
  const std::uint64_t per_mille = GENERATE(0u, 100u);
  kernel_options options = with_seed(3);
  options.faults.early_timers_per_mille = per_mille;
  kernel k{std::move(options)};
  const system_id id = k.add_system("node");
  bool timer_fired = false;
  const caf::actor busy = k.actors(id).spawn<caller>("busy", [&](caller& self, int number) {
    if (number == 0) timer_fired = true;
    if (number == 1) self.send(&self, 1);
  });
  caf::anon_send(busy, 1);
  k.after(duration{5}, "wake", [busy] { caf::anon_send(busy, 0); });
  k.run(1'000);
  CHECK(timer_fired == (per_mille > 0));
}

TEST_CASE("running for a length of time stops at its end and leaves later events", "[kernel]") {
  kernel k{with_seed(1)};
  const clock_time start = k.now();
  journal seen;
  k.after(duration{10}, "ten", [&] { seen.push_back("ten"); });
  k.after(duration{11}, "eleven", [&] { seen.push_back("eleven"); });
  k.run_for(duration{10});
  CHECK(seen == journal{"ten"});
  CHECK(k.now() == start + duration{10});
  k.run_for(duration{100});
  CHECK(seen == journal{"ten", "eleven"});
  CHECK(k.now() == start + duration{110});
}

TEST_CASE("events of one time take place in the order in which they were made", "[kernel]") {
  kernel k{with_seed(GENERATE(1u, 2u))};
  journal seen;
  k.after(duration{2}, "late", [&] { seen.push_back("late"); });
  k.after(duration{1}, "first", [&] { seen.push_back("first"); });
  k.after(duration{1}, "second", [&] { seen.push_back("second"); });
  CHECK(k.run() == 3);
  CHECK(seen == journal{"first", "second", "late"});
}

TEST_CASE("running until a condition says whether it came true", "[kernel]") {
  kernel k{with_seed(1)};
  int count = 0;
  for (int i = 0; i < 5; ++i) k.after(duration{1}, "count", [&] { ++count; });
  CHECK(k.run_until([&] { return count == 2; }, 100));
  CHECK(count == 2);
  CHECK_FALSE(k.run_until([&] { return count == 5; }, 1));
  CHECK_FALSE(k.run_until([] { return false; }, 100));
  CHECK(count == 5);
}

TEST_CASE("actors of several systems send to each other in one order for all", "[kernel]") {
  kernel k{with_seed(9)};
  journal seen;
  const system_id left = k.add_system("left");
  const system_id right = k.add_system("right");
  const caf::actor r = k.actors(right).spawn<relay>("r", seen);
  const caf::actor l = k.actors(left).spawn<relay>("l", seen, r);
  caf::anon_send(l, 2);
  k.run();
  CHECK(seen == journal{"l2", "r1"});
  CHECK(k.find("left") == left);
  CHECK(k.find("right") == right);
  CHECK_FALSE(k.find("middle").has_value());
  CHECK(k.name(right) == "right");
  CHECK(k.trace().find("run right#1/" + std::to_string(r.id()) + " r (1)") != std::string::npos);
}

TEST_CASE("a system's clock is off by what the plan says, also after a restart", "[kernel]") {
  kernel_options options = with_seed(1);
  options.start = clock_time{-5};
  options.faults.clocks = {{"slow", duration{-1'000}}};
  kernel k{std::move(options)};
  const system_id slow = k.add_system("slow");
  const system_id right = k.add_system("right");
  CHECK(k.clock_of(slow).now() == clock_time{-1'005});
  CHECK(k.clock_of(right).now() == clock_time{-5});
  k.kill(slow);
  const system_id again = k.add_system("slow");
  k.run_for(duration{7});
  CHECK(k.clock_of(again).now() == clock_time{-998});
  CHECK(k.true_clock().now() == clock_time{2});
}

}  // namespace
}  // namespace weir::testing
