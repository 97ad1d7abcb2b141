// SPDX-License-Identifier: Apache-2.0
#include "weir/simulation/fault_plan.hpp"

#include <algorithm>
#include <set>
#include <string>

#include "support/catch.hpp"

namespace weir::testing {
namespace {

using simulation::crash_effect;
using simulation::fault_plan;
using simulation::fault_space;
using simulation::plan_from_seed;

fault_space two_nodes() {
  fault_space space;
  space.systems = {"n1", "n2"};
  space.points = {"acknowledged", "published"};
  space.steps = 500;
  space.point_hits = 7;
  return space;
}

TEST_CASE("a seed stands for one plan, and other seeds for others", "[fault_plan]") {
  std::set<std::string> plans;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const std::string text = to_string(plan_from_seed(seed, two_nodes()));
    CHECK(text == to_string(plan_from_seed(seed, two_nodes())));
    plans.insert(text);
  }
  CHECK(plans.size() > 60);
}

TEST_CASE("plans stay within their space and use all of it", "[fault_plan]") {
  const fault_space space = two_nodes();
  std::set<std::string> used;
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    const fault_plan plan = plan_from_seed(seed, space);
    CHECK(plan.crashes.size() <= space.max_crashes);
    CHECK(plan.pauses.size() <= space.max_pauses);
    for (const auto& crash : plan.crashes) {
      const std::uint64_t most = crash.point.empty() ? space.steps : space.point_hits;
      CHECK((crash.count >= 1 && crash.count <= most));
      used.insert("crash of " + crash.system + " at " + crash.point);
      used.insert(crash.effect == crash_effect::cut ? "cut" : "finish");
      if (crash.everywhere) used.insert("everywhere");
    }
    for (const auto& pause : plan.pauses) {
      CHECK((pause.length > duration{0} && pause.length <= space.max_pause));
      used.insert("pause of " + pause.system);
    }
    for (const auto& fault : plan.clocks) {
      CHECK((fault.ahead >= -space.max_clock_error && fault.ahead <= space.max_clock_error));
      used.insert((fault.ahead < duration{0} ? "slow " : "fast ") + fault.system);
    }
  }
  CAPTURE(used);
  CHECK(used.size() == 3 * 3 + 3 + 2 + 4);
}

TEST_CASE("without systems and points crashes are at steps", "[fault_plan]") {
  fault_space space;
  std::size_t crashes = 0;
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const fault_plan plan = plan_from_seed(seed, space);
    crashes += plan.crashes.size();
    CHECK(plan.pauses.empty());
    CHECK(plan.clocks.empty());
    CHECK(std::all_of(plan.crashes.begin(), plan.crashes.end(), [](const auto& crash) {
      return crash.point.empty() && crash.system.empty();
    }));
  }
  CHECK(crashes > 20);
}

TEST_CASE("a plan prints as one line for each fault", "[fault_plan]") {
  fault_plan plan;
  plan.early_timers_per_mille = 1;
  plan.io = {duration{2}, duration{30}, 4};
  plan.crashes = {{"n1", false, "published", 3, crash_effect::cut},
                  {"", false, "", 40, crash_effect::finish},
                  {"n1", true, "", 41, crash_effect::finish}};
  plan.pauses = {{"n2", 7, duration{100}}};
  plan.clocks = {{"n1", duration{-5}}};
  CHECK(to_string(plan) ==
        "early timers 1 per mille\n"
        "io up to 2 ms, 4 per mille up to 30 ms\n"
        "crash n1 at point 'published', passage 3, cut\n"
        "crash the running system at step 40, handler finished\n"
        "crash all systems at step 41, handler finished\n"
        "pause n2 before step 7 for 100 ms\n"
        "clock of n1 ahead by -5 ms\n");
}

}  // namespace
}  // namespace weir::testing
