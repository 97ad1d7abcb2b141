// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <optional>
#include <string>

#include "weir/checkpoint/internal/record_log.hpp"
#include "weir/core/memory_file_system.hpp"

#include "checkpoint/store_harness.hpp"
#include "support/catch.hpp"

namespace weir::checkpoint {
namespace {

/// What a coordinator knows at its end.
struct run_result {
  checkpoint_id complete{};   ///< the newest one that was published
  checkpoint_id uncertain{};  ///< one whose publication ended in errc::fenced
  checkpoint_id used{};       ///< the highest id it could use
  bool opened = false;
};

/// A coordinator that does what the logic would tell it: four checkpoints, the third of them
/// aborted, one kept. Ends early if it is fenced.
run_result run_coordinator(file_system& disk, const std::string& owner) {
  run_result result;
  const auto opened = checkpoint_store::open(disk, folder, options_of(owner));
  if (!opened) return result;
  result.opened = true;
  auto& store = *opened->store;
  auto id = result.used = store.last_id();
  result.complete = store.newest();
  for (int round = 1; round <= 4; ++round) {
    ++id.value;
    if (!store.record_last_id(id)) continue;
    result.used = id;
    const auto content = write_state(disk, store.epoch(), id, id.value);
    const auto published = !content     ? status{content.failure()}
                           : round == 3 ? status{error{errc::cancelled, "declined"}}
                                        : store.publish(*content);
    if (published) {
      result.complete = id;
      (void)store.retain(1);
    } else if (published.failure().code() == errc::fenced) {
      result.uncertain = id;
      return result;
    } else {
      (void)store.discard(id);
    }
  }
  return result;
}

/// No manifest that can be found names a file that is not there.
void check_all_whole(memory_file_system& disk) {
  internal::record_log log{disk, folder + "/log", "reader"};
  const auto entries = log.read(0);
  if (!entries) return;  // not even the folder is there
  for (const auto& entry : *entries) {
    const auto* content = std::get_if<manifest>(&entry.content);
    if (!content) continue;
    for (const auto& path : named_files(*content)) {
      CAPTURE(entry.number, path);
      CHECK(disk.exists(folder + "/" + path).value());
    }
  }
}

/// Opens the folder after the faults are over: what is found must be what `before` left, and a
/// next checkpoint must leave nothing else.
void check_reopened(memory_file_system& disk, const run_result& before) {
  check_all_whole(disk);
  const auto opened = checkpoint_store::open(disk, folder, options_of("last"));
  INFO(opened.error_text());
  REQUIRE(opened.ok());
  const auto found = opened->restored ? opened->restored->id : checkpoint_id{};
  CAPTURE(found.value, before.complete.value, before.uncertain.value);
  CHECK((found == before.complete || (found == before.uncertain && found > before.complete)));
  if (opened->restored) CHECK(restored_count(disk, *opened->restored) == found.value);
  CHECK(opened->warnings.empty());
  CHECK(opened->store->last_id() >= before.used);

  const checkpoint_id next{opened->store->last_id().value + 1};
  REQUIRE(make_checkpoint(disk, *opened->store, next, next.value).ok());
  REQUIRE(opened->store->retain(1).ok());
  const std::set<std::string> states{"chk-" + std::to_string(next.value)};
  const auto names = disk.list(folder).value();
  for (const auto& name : names) {
    if (name.compare(0, 4, "chk-") == 0) CHECK(states.count(name) == 1);
  }
  CHECK(state_files(disk).size() == 2);
}

std::uint64_t operations_of_a_run() {
  memory_file_system disk;
  run_coordinator(disk, "a");
  return disk.operations();
}

TEST_CASE("whichever file operation fails, the folder keeps what was published",
          "[checkpoint_store]") {
  const auto operations = operations_of_a_run();
  REQUIRE(operations > 100);
  std::size_t uncertain = 0;
  for (std::uint64_t n = 1; n <= operations; ++n) {
    const auto torn = static_cast<std::size_t>(n % 7);
    memory_file_system disk;
    disk.set_faults([n, torn](const file_operation& operation) -> std::optional<file_fault> {
      if (operation.ordinal != n) return std::nullopt;
      return file_fault{{errc::io_error, "disk full"}, torn};
    });
    CAPTURE(n);
    const auto before = run_coordinator(disk, "a");
    disk.set_faults({});
    uncertain += before.uncertain > checkpoint_id{} ? 1 : 0;
    check_reopened(disk, before);
  }
  CHECK(uncertain > 0);
}

TEST_CASE("from whichever file operation on all fail, the folder keeps what was published",
          "[checkpoint_store]") {
  const auto operations = operations_of_a_run();
  for (std::uint64_t n = 1; n <= operations; ++n) {
    memory_file_system disk;
    disk.set_faults([n](const file_operation& operation) -> std::optional<file_fault> {
      if (operation.ordinal < n) return std::nullopt;
      return file_fault{{errc::io_error, "Stale file handle"}};
    });
    CAPTURE(n);
    const auto before = run_coordinator(disk, "a");
    disk.set_faults({});
    check_reopened(disk, before);
  }
}

/// Runs a coordinator on `disk` up to its operation `n`, before which the machine crashes.
/// Nothing is heard of it afterwards, so what it would have made of its errors does not count.
run_result run_until_crash(memory_file_system& disk, const std::string& owner, std::uint64_t n,
                           random_generator& random) {
  bool crashed = false;
  const auto first = disk.operations();
  disk.set_faults([&, n](const file_operation& operation) -> std::optional<file_fault> {
    if (operation.ordinal == first + n) {
      crashed = true;
      disk.crash(random);
    }
    if (!crashed) return std::nullopt;
    return file_fault{{errc::io_error, "the machine is down"}};
  });
  const auto result = run_coordinator(disk, owner);
  disk.set_faults({});
  return result;
}

/// The checkpoint that would be published next by a coordinator that has come as far as `known`.
void accept_one_in_flight(run_result& known) {
  if (known.uncertain == checkpoint_id{} && known.used > known.complete) {
    known.uncertain = known.used;
  }
}

TEST_CASE("after a crash at any file operation the newest published checkpoint is found",
          "[checkpoint_store]") {
  const auto operations = operations_of_a_run();
  std::size_t restored = 0;
  for (std::uint64_t n = 1; n <= operations; ++n) {
    for (std::uint64_t seed = 0; seed < 6; ++seed) {
      random_generator random{n * 100 + seed};
      memory_file_system disk;
      CAPTURE(n, seed);
      auto before = run_until_crash(disk, "a", n, random);
      accept_one_in_flight(before);
      restored += before.complete > checkpoint_id{} ? 1 : 0;
      check_reopened(disk, before);
    }
  }
  CHECK(restored > operations);
}

TEST_CASE("after a crash during a start that follows a crash nothing is lost either",
          "[checkpoint_store]") {
  const auto operations = operations_of_a_run();
  random_generator random{42};
  for (std::uint64_t n = 1; n <= operations; n += 3) {
    for (std::uint64_t m = 1; m <= 40; ++m) {
      memory_file_system disk;
      CAPTURE(n, m);
      auto first = run_until_crash(disk, "a", n, random);
      accept_one_in_flight(first);
      const auto second = run_until_crash(disk, "b", m, random);
      if (second.opened) {
        CHECK((second.complete >= first.complete || second.complete == first.uncertain));
        first.complete = second.complete;
        first.used = std::max(first.used, second.used);
        first.uncertain = second.uncertain;
        accept_one_in_flight(first);
      }
      check_reopened(disk, first);
    }
  }
}

}  // namespace
}  // namespace weir::checkpoint
