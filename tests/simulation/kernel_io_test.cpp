// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "weir/core/memory_file_system.hpp"
#include "weir/simulation/gated_file_system.hpp"
#include "weir/simulation/kernel.hpp"

#include "simulation/kernel_actors.hpp"
#include "support/catch.hpp"

namespace weir::testing {
namespace {

using simulation::crash_effect;
using simulation::crash_fault;
using simulation::gated_file_system;
using simulation::kernel;
using simulation::kernel_options;
using simulation::system_id;

kernel_options io_options(std::uint64_t seed) {
  kernel_options options;
  options.seed = seed;
  return options;
}

TEST_CASE("works take virtual time and run as steps, never inside submit", "[kernel][io]") {
  kernel_options options = io_options(4);
  options.faults.io = {duration{10}, duration{10}, 0};
  kernel k{std::move(options)};
  const clock_time start = k.now();
  const system_id id = k.add_system("node");
  std::set<std::int64_t> times;
  int done = 0;
  for (int i = 0; i < 50; ++i) {
    k.executor_of(id).submit(0, [&] {
      ++done;
      times.insert(k.now().ms - start.ms);
    });
  }
  CHECK(done == 0);
  CHECK(k.run() == 50);
  CHECK(done == 50);
  CHECK(times.size() > 5);
  CHECK(*times.begin() >= 0);
  CHECK(*times.rbegin() <= 10);
}

TEST_CASE("works of one lane keep their order, and lanes overtake each other", "[kernel][io]") {
  std::set<journal> orders;
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    kernel k{io_options(seed)};
    const system_id id = k.add_system("node");
    journal done;
    for (int i = 0; i < 4; ++i) {
      for (const char* lane : {"1", "2"}) {
        k.executor_of(id).submit(
            std::stoul(lane), [&done, name = lane + std::to_string(i)] { done.push_back(name); });
      }
    }
    k.run();
    REQUIRE(done.size() == 8);
    for (const char lane : {'1', '2'}) {
      journal of_lane;
      std::copy_if(done.begin(), done.end(), std::back_inserter(of_lane),
                   [lane](const std::string& name) { return name[0] == lane; });
      CHECK(std::is_sorted(of_lane.begin(), of_lane.end()));
    }
    orders.insert(done);
  }
  CHECK(orders.size() > 20);
}

TEST_CASE("a work submitted by a work of the same lane comes behind it", "[kernel][io]") {
  kernel k{io_options(1)};
  const system_id id = k.add_system("node");
  journal done;
  k.executor_of(id).submit(3, [&] {
    k.executor_of(id).submit(3, [&] { done.push_back("third"); });
    done.push_back("first");
  });
  k.executor_of(id).submit(3, [&] { done.push_back("second"); });
  k.run();
  CHECK(done == journal{"first", "second", "third"});
}

/// Three appends in a work that is in flight when its system dies: how many the disk saw.
int appends_done_at_crash(std::uint64_t seed) {
  memory_file_system disk;
  kernel k{io_options(seed)};
  const system_id id = k.add_system("node");
  gated_file_system files{disk, k.disk_gate(id)};
  int appends = 0;
  k.executor_of(id).submit(1, [&] {
    auto file = files.create("/f");
    for (int i = 0; file.ok() && i < 3; ++i) {
      if ((*file)->append("x").ok()) ++appends;
    }
  });
  k.kill(id);
  k.run();
  return appends;
}

TEST_CASE("a work in flight at a crash is lost, done, or half done, as the seed says",
          "[kernel][io]") {
  std::set<int> seen;
  for (std::uint64_t seed = 0; seed < 60; ++seed) seen.insert(appends_done_at_crash(seed));
  CHECK(seen == std::set<int>{0, 1, 2, 3});
}

TEST_CASE("nothing of a lane takes place behind a work that a crash stopped", "[kernel][io]") {
  std::set<std::size_t> lengths;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    kernel k{io_options(seed)};
    const system_id id = k.add_system("node");
    std::vector<int> whole;
    for (int i = 0; i < 4; ++i) {
      k.executor_of(id).submit(1, [&, i] {
        for (int p = 0; p < 4; ++p) k.point("p");
        if (!k.is_cut(id)) whole.push_back(i);
      });
    }
    k.kill(id);
    lengths.insert(whole.size());
    for (std::size_t i = 0; i < whole.size(); ++i) CHECK(whole[i] == static_cast<int>(i));
    k.executor_of(id).submit(1, [&] { whole.push_back(99); });
    k.run();
    CHECK((whole.empty() || whole.back() != 99));
  }
  CHECK(lengths.size() >= 3);
}

TEST_CASE("every operation of a gated disk is a point, and none passes after the crash",
          "[kernel][io]") {
  memory_file_system disk;
  kernel_options options = io_options(1);
  crash_fault crash;
  crash.point = "disk.append";
  crash.count = 2;
  crash.effect = crash_effect::cut;
  options.faults.crashes = {crash};
  kernel k{std::move(options)};
  const system_id id = k.add_system("node");
  gated_file_system files{disk, k.disk_gate(id)};
  std::vector<bool> outcomes;
  std::unique_ptr<writable_file> kept_open;
  const caf::actor a = k.actors(id).spawn<caller>("a", [&](caller&, int) {
    auto file = files.create("/f");
    if (!file.ok()) return;
    kept_open = std::move(*file);
    for (int i = 0; i < 3; ++i) outcomes.push_back(kept_open->append("x").ok());
    outcomes.push_back(kept_open->sync().ok());
    outcomes.push_back(files.create("/g").ok());
  });
  caf::anon_send(a, 0);
  k.run();
  CHECK(outcomes == std::vector<bool>{true, false, false, false, false});
  CHECK(k.passages("disk.append") == 2);
  CHECK_FALSE(k.is_alive(id));
  REQUIRE(kept_open != nullptr);
  const status late = kept_open->append("x");
  CHECK(late.error_text() == "simulated crash of node#0: disk is out of reach");
  CHECK(read_file(disk, "/f").value() == "x");
}

}  // namespace
}  // namespace weir::testing
