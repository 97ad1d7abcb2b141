// SPDX-License-Identifier: Apache-2.0
#include <memory>
#include <string>
#include <vector>

#include "weir/actors/internal/caf_error.hpp"
#include "weir/simulation/kernel.hpp"

#include "simulation/kernel_actors.hpp"
#include "support/catch.hpp"

namespace weir::testing {
namespace {

using simulation::crash_effect;
using simulation::crash_fault;
using simulation::kernel;
using simulation::kernel_options;
using simulation::system_id;
using simulation::trace_mode;

kernel_options plain(std::uint64_t seed = 1) {
  kernel_options options;
  options.seed = seed;
  options.trace = trace_mode::text;
  options.faults.early_timers_per_mille = 0;
  options.faults.io = {duration{0}, duration{0}, 0};
  return options;
}

crash_fault at_point(std::string point, std::uint64_t passage, crash_effect effect) {
  crash_fault crash;
  crash.point = std::move(point);
  crash.count = passage;
  crash.effect = effect;
  return crash;
}

/// Sends itself numbers without end.
caf::actor spawn_busy(kernel& k, system_id id, const std::string& name, journal& seen) {
  const caf::actor busy = k.actors(id).spawn<caller>(name, [&seen](caller& self, int number) {
    seen.push_back(self.name() + std::to_string(number));
    self.send(&self, number + 1);
  });
  caf::anon_send(busy, 0);
  return busy;
}

TEST_CASE("no handler of a killed actor runs, not even for what is queued", "[kernel]") {
  kernel k{plain()};
  journal seen;
  const system_id id = k.add_system("node");
  const caf::actor victim = k.actors(id).spawn<relay>("victim", seen);
  const caf::actor other = k.actors(id).spawn<relay>("other", seen);
  for (int i = 0; i < 10; ++i) caf::anon_send(victim, i);
  k.run_until([&] { return seen.size() == 3; }, 100);
  k.kill_actor(id, victim.id());
  caf::anon_send(victim, 99);
  caf::anon_send(other, 1);
  k.run();
  CHECK(seen == journal{"victim0", "victim1", "victim2", "other1"});
}

TEST_CASE("an actor killed before it first ran is never initialised", "[kernel]") {
  kernel k{plain()};
  bool ran = false;
  const system_id id = k.add_system("node");
  const auto behavior = [&](caf::event_based_actor*, int) -> caf::behavior {
    ran = true;
    return {[](int) {}};
  };
  const caf::actor victim = k.actors(id).spawn(behavior, 0);
  k.kill_actor(id, victim.id());
  k.run();
  CHECK_FALSE(ran);
}

TEST_CASE("killing destroys the state and tells monitors, in other systems too", "[kernel]") {
  kernel k{plain()};
  const system_id here = k.add_system("here");
  const system_id there = k.add_system("there");
  auto state = std::make_shared<int>(7);
  const std::weak_ptr<int> watched = state;
  const caf::actor victim =
      k.actors(there).spawn<caller>("victim", [state = std::move(state)](caller&, int) {});
  const caf::actor monitor =
      k.actors(here).spawn<caller>("monitor", [&](caller& self, int) { self.monitor(victim); });
  caf::anon_send(monitor, 0);
  k.run();
  REQUIRE_FALSE(watched.expired());
  SECTION("one actor") { k.kill_actor(there, victim.id()); }
  SECTION("its whole system") { k.kill(there); }
  k.run();
  CHECK(watched.expired());
  const auto& downs = caf::actor_cast<caller*>(monitor)->downs;
  REQUIRE(downs.size() == 1);
  CHECK(downs[0] == caf::exit_reason::kill);
}

TEST_CASE("actors are killed by the beginning of their names", "[kernel]") {
  kernel k{plain()};
  journal seen;
  const system_id id = k.add_system("node");
  std::vector<caf::actor> actors;
  for (const char* name : {"job1/source", "job1/sink", "job2/source"}) {
    actors.push_back(k.actors(id).spawn<relay>(name, seen));
  }
  k.kill_actors(id, "job1/");
  for (const caf::actor& actor : actors) caf::anon_send(actor, 0);
  k.run();
  CHECK(seen == journal{"job2/source0"});
  CHECK(k.is_alive(id));
}

TEST_CASE("a handler that kills its own system comes to its end first", "[kernel]") {
  kernel k{plain()};
  journal seen;
  const system_id id = k.add_system("node");
  const caf::actor other = k.actors(id).spawn<relay>("other", seen);
  const caf::actor killer = k.actors(id).spawn<caller>("killer", [&](caller& self, int) {
    k.kill(id);
    seen.push_back("end of handler");
    self.send(other, 0);
  });
  caf::anon_send(killer, 0);
  k.run();
  CHECK(seen == journal{"end of handler"});
  CHECK_FALSE(k.is_alive(id));
}

TEST_CASE("a killed system leaves no timers and no events, and can be started again", "[kernel]") {
  journal seen;
  kernel_options options = plain();
  std::vector<system_id> crashed;
  options.on_crash = [&](system_id id) { crashed.push_back(id); };
  kernel k{std::move(options)};
  const system_id first = k.add_system("node");
  const caf::actor a = k.actors(first).spawn<caller>("a", [&](caller& self, int) {
    self.delayed_send(&self, std::chrono::milliseconds{5}, tick_atom::value, 0);
    seen.push_back("first");
  });
  caf::anon_send(a, 0);
  k.after(first, duration{5}, "event", [&] { seen.push_back("event of first"); });
  k.run_for(duration{3});
  k.kill(first);
  const system_id second = k.add_system("node");
  CHECK(second != first);
  CHECK(k.find("node") == second);
  k.after(first, duration{5}, "event", [&] { seen.push_back("event of a dead one"); });
  const caf::actor b = k.actors(second).spawn<relay>("b", seen);
  caf::anon_send(b, 0);
  k.run();
  CHECK(seen == journal{"first", "b0"});
  CHECK(crashed == std::vector<system_id>{first});
}

TEST_CASE("a paused system stands still while the others and the time go on", "[kernel]") {
  kernel_options options = plain();
  const bool planned = GENERATE(false, true);
  if (planned) options.faults.pauses = {{"paused", 1, duration{100}}};
  kernel k{std::move(options)};
  const clock_time start = k.now();
  journal seen;
  const system_id paused = k.add_system("paused");
  const system_id running = k.add_system("running");
  const auto write = [&](std::string what) {
    seen.push_back(what + " at " + std::to_string(k.now().ms - start.ms));
  };
  const caf::actor a = k.actors(paused).spawn<caller>("a", [&](caller&, int) { write("message"); });
  caf::anon_send(a, 0);
  if (!planned) k.pause(paused, duration{100});
  k.after(paused, duration{10}, "e", [&] { write("event"); });
  k.after(running, duration{20}, "e", [&] { write("other"); });
  k.run();
  REQUIRE(seen.size() == 3);
  CHECK(seen[0] == "other at 20");
  // Which of the two comes first is the seed's choice.
  const bool message_first = seen[1] == "message at 100";
  CHECK(seen[message_first ? 1 : 2] == "message at 100");
  CHECK(seen[message_first ? 2 : 1] == "event at 100");
}

TEST_CASE("timers that fell due in a pause fire after it", "[kernel]") {
  kernel k{plain()};
  const clock_time start = k.now();
  const system_id id = k.add_system("node");
  std::int64_t fired_at = 0;
  const caf::actor a = k.actors(id).spawn<caller>("a", [&](caller& self, int number) {
    fired_at = k.now().ms - start.ms;
    if (number == 0) {
      self.delayed_send(&self, std::chrono::milliseconds{10}, tick_atom::value, 1);
    }
  });
  caf::anon_send(a, 0);
  k.run_for(duration{5});
  k.pause(id, duration{50});
  k.run();
  CHECK(fired_at == 55);
}

TEST_CASE("a system killed while it is paused does not come back", "[kernel]") {
  kernel k{plain()};
  journal seen;
  const system_id id = k.add_system("node");
  const caf::actor a = k.actors(id).spawn<relay>("a", seen);
  caf::anon_send(a, 0);
  k.pause(id, duration{10});
  k.kill(id);
  k.run();
  CHECK(seen.empty());
}

TEST_CASE("a crash at a step ends the system that runs in that step", "[kernel]") {
  kernel_options options = plain();
  crash_fault crash;
  crash.count = 4;
  options.faults.crashes = {crash};
  kernel k{std::move(options)};
  journal seen;
  const system_id id = k.add_system("node");
  const caf::actor busy = spawn_busy(k, id, "busy", seen);
  k.run();
  CHECK(seen == journal{"busy0", "busy1", "busy2", "busy3"});
  CHECK(k.steps() == 4);
}

TEST_CASE("a crash can strike a named system, or all", "[kernel]") {
  const bool everywhere = GENERATE(false, true);
  kernel_options options = plain();
  crash_fault crash;
  crash.system = "left";
  crash.everywhere = everywhere;
  crash.count = 10;
  options.faults.crashes = {crash};
  kernel k{std::move(options)};
  journal seen;
  const system_id left = k.add_system("left");
  const system_id right = k.add_system("right");
  const std::vector<caf::actor> actors{spawn_busy(k, left, "l", seen),
                                       spawn_busy(k, right, "r", seen)};
  k.run(20);
  CHECK_FALSE(k.is_alive(left));
  CHECK(k.is_alive(right) != everywhere);
}

TEST_CASE("a crash at a point strikes at the planned passage, and effects tell when", "[kernel]") {
  const crash_effect effect = GENERATE(crash_effect::cut, crash_effect::finish);
  kernel_options options = plain();
  options.faults.crashes = {at_point("written", 2, effect)};
  kernel k{std::move(options)};
  journal effects;
  const system_id id = k.add_system("node");
  const auto point = k.point_hook();
  const caf::actor a = k.actors(id).spawn<caller>("a", [&](caller&, int number) {
    point("written");
    if (!k.is_cut(id)) effects.push_back(std::to_string(number));
  });
  for (int i = 1; i <= 3; ++i) caf::anon_send(a, i);
  k.run();
  CHECK(k.passages("written") == 2);
  CHECK(k.passages("never") == 0);
  CHECK_FALSE(k.is_alive(id));
  CHECK(effects == (effect == crash_effect::cut ? journal{"1"} : journal{"1", "2"}));
}

TEST_CASE("a planned crash strikes once, not again in the system that follows", "[kernel]") {
  kernel_options options = plain();
  options.faults.crashes = {at_point("p", 1, crash_effect::finish)};
  int crashes = 0;
  kernel* running = nullptr;
  journal seen;
  caf::actor again;
  options.on_crash = [&](system_id) {
    ++crashes;
    const system_id id = running->add_system("node");
    again = running->actors(id).spawn<caller>("again", [&](caller&, int) {
      running->point("p");
      seen.push_back("after the restart");
    });
    caf::anon_send(again, 0);
  };
  kernel k{std::move(options)};
  running = &k;
  k.after(k.add_system("node"), duration{1}, "crash", [&] { k.point("p"); });
  k.run();
  CHECK(crashes == 1);
  CHECK(seen == journal{"after the restart"});
  CHECK(k.passages("p") == 2);
  again = {};
}

TEST_CASE("actors that know each other do not keep a kernel from its end", "[kernel]") {
  journal seen;
  auto k = std::make_unique<kernel>(plain());
  const system_id id = k->add_system("node");
  {
    const caf::actor a = spawn_busy(*k, id, "a", seen);
    const caf::actor b =
        k->actors(id).spawn<caller>("b", [a](caller& self, int number) { self.send(a, number); });
    caf::anon_send(b, 100);
    k->run(10);
  }
  k.reset();
  CHECK(seen.size() >= 8);
}

TEST_CASE("an exception from an event leaves the kernel usable", "[kernel]") {
  kernel k{plain()};
  k.after(duration{1}, "throws", [] { throw std::runtime_error{"expected"}; });
  CHECK_THROWS_AS(k.run(), std::runtime_error);
  const system_id id = k.add_system("node");
  k.kill(id);
  CHECK_FALSE(k.is_alive(id));
}

}  // namespace
}  // namespace weir::testing
