// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <limits>
#include <set>
#include <string>
#include <vector>

#include "weir/core/memory_file_system.hpp"
#include "weir/core/random.hpp"

#include "checkpoint/store_harness.hpp"
#include "checkpoint/two_processes.hpp"
#include "support/catch.hpp"

namespace weir::checkpoint {
namespace {

constexpr auto never = std::numeric_limits<std::uint64_t>::max();

/// Removes epochs from the log as early as can be.
store_options forgetful(const std::string& owner) {
  auto options = options_of(owner);
  options.kept_epochs = 1;
  return options;
}

/// What a coordinator has been told, in the order in which it happened.
struct event {
  enum class kind { started, lost_start, used, published, fenced, failed } what;
  epoch_id epoch{};
  checkpoint_id id{};  ///< of `started` the one restored
  std::string text{};
};
using trace = std::vector<event>;
using kind = event::kind;

/// Starts, and makes `checkpoints`, each the only one kept.
void run_coordinator(file_system& files, const std::string& owner, int checkpoints, trace& seen) {
  const auto opened = checkpoint_store::open(files, folder, forgetful(owner));
  if (!opened) {
    const bool fenced = opened.failure().code() == errc::fenced;
    seen.push_back({fenced ? kind::fenced : kind::lost_start, {}, {}, opened.error_text()});
    return;
  }
  auto& store = *opened->store;
  const auto say = [&](kind what, checkpoint_id id) { seen.push_back({what, store.epoch(), id}); };
  say(kind::started, opened->restored ? opened->restored->id : checkpoint_id{});
  for (int i = 0; i < checkpoints; ++i) {
    const checkpoint_id id{store.last_id().value + 1};
    auto made = store.record_last_id(id);
    if (made) {
      say(kind::used, id);
      const auto content = write_state(files, store.epoch(), id, id.value);
      made = content ? store.publish(*content) : status{content.failure()};
    }
    if (made) {
      say(kind::published, id);
      made = store.retain(1);
    }
    if (made) continue;
    if (made.failure().code() == errc::fenced) return say(kind::fenced, id);
    seen.push_back({kind::failed, store.epoch(), id, made.error_text()});
    (void)store.discard(id);
  }
}

checkpoint_id newest_published(const trace& seen) {
  checkpoint_id newest;
  for (const auto& e : seen) {
    if (e.what == kind::published) newest = std::max(newest, e.id);
  }
  return newest;
}

std::string text(const trace& seen) {
  const char* names[] = {"started", "lost", "used", "published", "fenced", "failed"};
  std::string out;
  for (const auto& e : seen) {
    out += "e" + std::to_string(e.epoch.value) + " " + names[static_cast<int>(e.what)] + " " +
           std::to_string(e.id.value) + " " + e.text + "\n";
  }
  return out;
}

/// What must hold however the processes came between each other, and wherever they died.
void check_safe(memory_file_system& disk, const trace& seen) {
  std::set<checkpoint_id> used;
  for (const auto& e : seen) {
    if (e.what == kind::used) CHECK(used.insert(e.id).second);
  }
  for (const auto& start : seen) {
    if (start.what != kind::started) continue;
    for (const auto& e : seen) {
      // Before the start or after it: nobody is told of a checkpoint that a newer coordinator
      // has not seen.
      if (e.what == kind::published && e.epoch < start.epoch) CHECK(e.id <= start.id);
    }
  }
  const auto opened = checkpoint_store::open(disk, folder, forgetful("last"));
  INFO(opened.error_text());
  REQUIRE(opened.ok());
  CHECK(opened->warnings.empty());
  REQUIRE(opened->restored.has_value());
  const auto found = opened->restored->id;
  CHECK(found >= newest_published(seen));
  CHECK((found == checkpoint_id{1} || used.count(found) == 1));
  CHECK(restored_count(disk, *opened->restored) == found.value);
  if (!used.empty()) CHECK(opened->store->last_id() >= *used.rbegin());
  CHECK(opened->store->retain(1).ok());
  CHECK(state_files(disk) == named_files(*opened->restored));
}

/// While nobody dies: a start is lost only to a newer one, and the newest one gets its way.
void check_live(const trace& seen, int checkpoints_of_old, int checkpoints_of_new) {
  epoch_id newest;
  INFO(text(seen));
  for (const auto& e : seen) {
    CHECK(e.what != kind::lost_start);
    if (e.what == kind::started) newest = std::max(newest, e.epoch);
  }
  int published = 0;
  for (const auto& e : seen) {
    if (e.epoch != newest) continue;
    CHECK(e.what != kind::fenced);
    published += e.what == kind::published ? 1 : 0;
  }
  CHECK((published == checkpoints_of_old || published == checkpoints_of_new));
}

struct scenario {
  int starts = 1;  ///< of process 1, one after the other, each with one checkpoint
  two_processes::schedule next;
  std::size_t victim = 2;  ///< who dies before its step `death`
  std::uint64_t death = never;
};

constexpr int checkpoints_of_old = 2;

struct outcome {
  trace seen;
  std::uint64_t steps[2];
};

/// Process 0 starts and makes checkpoints, and so does process 1, on a disk with checkpoint 1.
outcome run(memory_file_system& disk, const scenario& plan) {
  {
    const auto seed = checkpoint_store::open(disk, folder, forgetful("seed"));
    REQUIRE(make_checkpoint(disk, *seed->store, {1}, 1).ok());
  }
  two_processes* control = nullptr;
  two_processes processes{[&](std::size_t who, std::uint64_t step) {
    if (who == plan.victim && step == plan.death) control->kill(who);
    return plan.next(who, step);
  }};
  control = &processes;
  process_files old_files{disk, processes, 0};
  process_files new_files{disk, processes, 1};
  outcome all;
  processes.run([&] { run_coordinator(old_files, "old", checkpoints_of_old, all.seen); },
                [&] {
                  for (int i = 0; i < plan.starts; ++i) {
                    run_coordinator(new_files, "new-" + std::to_string(i), 1, all.seen);
                  }
                });
  all.steps[0] = processes.steps(0);
  all.steps[1] = processes.steps(1);
  return all;
}

/// Process 0 goes `first` steps, process 1 `second`, then 0 to its end and 1 to its.
two_processes::schedule turns(std::uint64_t first, std::uint64_t second) {
  return [first, second](std::size_t who, std::uint64_t step) -> std::size_t {
    if (who == 0) return step == first + 1 ? 1 : 0;
    return step == second + 1 ? 0 : 1;
  };
}

/// How many steps each process takes when they do not meet.
outcome undisturbed(int starts) {
  memory_file_system disk;
  return run(disk, {.starts = starts, .next = turns(never - 1, never - 1)});
}

bool has(const trace& seen, kind what) {
  return std::any_of(seen.begin(), seen.end(), [what](const event& e) { return e.what == what; });
}

TEST_CASE("a coordinator that pauses at any operation while another comes and goes is fenced",
          "[checkpoint_store]") {
  const auto starts = GENERATE(1, 2, 4);
  const auto steps = undisturbed(starts).steps[0];
  std::size_t fenced = 0;
  for (std::uint64_t pause = 0; pause <= steps; ++pause) {
    CAPTURE(starts, pause);
    memory_file_system disk;
    const auto all = run(disk, {.starts = starts, .next = turns(pause, never - 1)});
    check_safe(disk, all.seen);
    check_live(all.seen, checkpoints_of_old, 1);
    fenced += has(all.seen, kind::fenced) ? 1 : 0;
  }
  CHECK(fenced > steps / 2);
}

TEST_CASE("two coordinators that pause at any of their operations never both publish",
          "[checkpoint_store]") {
  const auto alone = undisturbed(1);
  for (std::uint64_t first = 0; first <= alone.steps[0]; ++first) {
    // Each pause of the one meets every fifth of the other, and its neighbour the next ones.
    for (std::uint64_t second = 1 + first % 5; second <= alone.steps[1]; second += 5) {
      CAPTURE(first, second);
      memory_file_system disk;
      const auto all = run(disk, {.next = turns(first, second)});
      check_safe(disk, all.seen);
      check_live(all.seen, checkpoints_of_old, 1);
    }
  }
}

TEST_CASE("coordinators that die at any operation, paused or not, leave a sound folder",
          "[checkpoint_store]") {
  const auto starts = 3;
  const auto alone = undisturbed(starts);
  SECTION("the old one, woken after the newer ones") {
    for (std::uint64_t pause = 0; pause <= alone.steps[0]; ++pause) {
      for (std::uint64_t more = 1; more <= 8; ++more) {
        CAPTURE(pause, more);
        memory_file_system disk;
        const auto all = run(disk, {.starts = starts,
                                    .next = turns(pause, never - 1),
                                    .victim = 0,
                                    .death = pause + more});
        check_safe(disk, all.seen);
      }
    }
  }
  SECTION("the newer one, and the old one goes on") {
    for (std::uint64_t pause = 0; pause <= alone.steps[0]; pause += 7) {
      for (std::uint64_t death = 1; death <= alone.steps[1]; death += 3) {
        CAPTURE(pause, death);
        memory_file_system disk;
        const auto all =
            run(disk, {.starts = starts, .next = turns(pause, death), .victim = 1, .death = death});
        check_safe(disk, all.seen);
      }
    }
  }
}

TEST_CASE("coordinators that take turns at random never both publish", "[checkpoint_store]") {
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    CAPTURE(seed);
    random_generator random{seed};
    const auto one_in = 1 + random.below(20);
    memory_file_system disk;
    const auto all = run(disk, {.starts = 3, .next = [&](std::size_t who, std::uint64_t) {
                                  return random.chance(1, one_in) ? 1 - who : who;
                                }});
    check_safe(disk, all.seen);
    check_live(all.seen, checkpoints_of_old, 1);
  }
}

TEST_CASE("a record that a stale coordinator adds in a gap of the log does not count",
          "[checkpoint_store]") {
  memory_file_system disk;
  const auto old = checkpoint_store::open(disk, folder, forgetful("old"));
  REQUIRE(make_checkpoint(disk, *old->store, {1}, 1).ok());
  REQUIRE(old->store->record_last_id({2}).ok());
  const auto stale = write_state(disk, old->store->epoch(), {2}, 2);
  for (int i = 0; i < 3; ++i) {
    const auto next = checkpoint_store::open(disk, folder, forgetful("new-" + std::to_string(i)));
    const checkpoint_id id{next->store->last_id().value + 1};
    REQUIRE(make_checkpoint(disk, *next->store, id, id.value).ok());
    REQUIRE(next->store->retain(1).ok());
  }
  // The number that stopped the old one is free again.
  const auto gap = folder + "/log/0000000003";
  REQUIRE_FALSE(disk.exists(gap).value());
  const auto before = all_files(disk);
  SECTION("it finds out, and takes its record back") {
    CHECK(old->store->publish(*stale).failure().code() == errc::fenced);
    CHECK(old->store->discard({2}).failure().code() == errc::fenced);
    CHECK(old->store->retain(1).failure().code() == errc::fenced);
    CHECK(old->store->record_last_id({9}).failure().code() == errc::fenced);
    CHECK(all_files(disk) == before);
  }
  SECTION("it dies before it finds out, and the newest checkpoint is damaged") {
    disk.set_faults([](const file_operation& operation) -> std::optional<file_fault> {
      if (operation.kind == file_operation_kind::link) return std::nullopt;
      if (operation.path.find("tmp-") != std::string_view::npos) return std::nullopt;
      return file_fault{{errc::io_error, "dead"}};
    });
    CHECK(old->store->publish(*stale).failure().code() == errc::fenced);
    disk.set_faults({});
    REQUIRE(disk.exists(gap).value());
    REQUIRE(write_state(disk, old->store->epoch(), {2}, 2).ok());
    REQUIRE(disk.remove(folder + "/chk-5/4-1-0-0.state").ok());
    auto options = forgetful("last");
    options.damaged = on_damaged::previous;
    CHECK(checkpoint_store::open(disk, folder, options).failure().code() == errc::corrupt);
  }
}

TEST_CASE("a start succeeds at once, however fast the coordinator it fences is",
          "[checkpoint_store]") {
  for (std::uint64_t pause = 0; pause < 60; ++pause) {
    CAPTURE(pause);
    memory_file_system disk;
    const auto fast = checkpoint_store::open(disk, folder, forgetful("fast"));
    REQUIRE(make_checkpoint(disk, *fast->store, {1}, 1).ok());
    two_processes processes{turns(pause, never - 1)};
    process_files slow_files{disk, processes, 0};
    result<opened_store> slow = error{errc::cancelled, ""};
    checkpoint_id newest;
    processes.run([&] { slow = checkpoint_store::open(slow_files, folder, forgetful("slow")); },
                  [&] {
                    for (std::uint64_t id = 2; id <= 6; ++id) {
                      if (!make_checkpoint(disk, *fast->store, {id}, id)) return;
                      newest = {id};
                      (void)fast->store->retain(1);
                    }
                  });
    INFO(slow.error_text());
    REQUIRE(slow.ok());
    CHECK(slow->restored->id >= newest);
    CHECK(restored_count(disk, *slow->restored) == slow->restored->id.value);
  }
}

TEST_CASE("a fenced coordinator removes nothing that its successor may need",
          "[checkpoint_store]") {
  memory_file_system disk;
  const auto old = checkpoint_store::open(disk, folder, options_of("old"));
  REQUIRE(make_checkpoint(disk, *old->store, {1}, 1).ok());
  auto options = options_of("new");
  options.damaged = on_damaged::previous;
  SECTION("a checkpoint before the newest, which is damaged") {
    REQUIRE(make_checkpoint(disk, *old->store, {2}, 2).ok());
    REQUIRE(disk.remove(folder + "/chk-2/1-1-0-0.state").ok());
    const auto next = checkpoint_store::open(disk, folder, options);
    REQUIRE(next->restored->id == checkpoint_id{1});
    CHECK(old->store->retain(1).failure().code() == errc::fenced);
    CHECK(restored_count(disk, *next->restored) == 1);
  }
  SECTION("files of an id that came twice, for the last one was lost") {
    REQUIRE(old->store->record_last_id({2}).ok());
    REQUIRE(disk.remove(folder + "/last-id-1").ok());
    const auto next = checkpoint_store::open(disk, folder, options);
    REQUIRE(make_checkpoint(disk, *next->store, {2}, 2).ok());
    (void)old->store->discard({2});
    CHECK(state_files(disk).count("chk-2/2-1-0-0.state") == 1);
  }
}

TEST_CASE("a start that was overtaken leaves a folder alone in which nothing is yet",
          "[checkpoint_store]") {
  memory_file_system disk;
  REQUIRE(checkpoint_store::open(disk, folder, options_of("first")).ok());
  result<opened_store> newest = error{errc::cancelled, ""};
  int lists = 0;
  disk.set_faults([&](const file_operation& operation) -> std::optional<file_fault> {
    const bool is_list = operation.kind == file_operation_kind::list && operation.path == folder;
    // The second time the start looks for ids, it has published its epoch.
    if (!is_list || ++lists != 2) return std::nullopt;
    newest = checkpoint_store::open(disk, folder, options_of("newest"));
    REQUIRE(newest.ok());
    REQUIRE(newest->store->record_last_id({1}).ok());
    REQUIRE(disk.create_folders(folder + "/chk-1").ok());
    return std::nullopt;
  });
  (void)checkpoint_store::open(disk, folder, options_of("overtaken"));
  disk.set_faults({});
  REQUIRE(newest.ok());
  CHECK(disk.exists(folder + "/chk-1").value());
}

TEST_CASE("a kept checkpoint counts, however many coordinators came after its own",
          "[checkpoint_store]") {
  memory_file_system disk;
  REQUIRE(
      make_checkpoint(disk, *checkpoint_store::open(disk, folder, forgetful("a"))->store, {1}, 1)
          .ok());
  for (const auto owner : {"b", "c", "d"}) {
    const auto opened = checkpoint_store::open(disk, folder, forgetful(owner));
    CHECK(opened->store->retain(2).ok());
  }
  const auto last = checkpoint_store::open(disk, folder, forgetful("e"));
  REQUIRE(last->restored->id == checkpoint_id{1});
  REQUIRE(make_checkpoint(disk, *last->store, {2}, 2).ok());
  REQUIRE(last->store->retain(2).ok());
  REQUIRE(disk.remove(folder + "/chk-2/5-1-0-0.state").ok());
  auto options = forgetful("f");
  options.damaged = on_damaged::previous;
  const auto again = checkpoint_store::open(disk, folder, options);
  REQUIRE(again.ok());
  CHECK(restored_count(disk, *again->restored) == 1);
}

}  // namespace
}  // namespace weir::checkpoint
