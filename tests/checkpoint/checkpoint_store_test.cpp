// SPDX-License-Identifier: Apache-2.0
#include "weir/checkpoint/checkpoint_store.hpp"

#include <filesystem>
#include <string>

#include <unistd.h>

#include "weir/core/memory_file_system.hpp"

#include "checkpoint/store_harness.hpp"
#include "support/catch.hpp"
#include "support/temp_dir.hpp"

namespace weir::checkpoint {
namespace {

using names = std::set<std::string>;

TEST_CASE("the first start of a job is fresh", "[checkpoint_store]") {
  memory_file_system disk;
  const auto opened = checkpoint_store::open(disk, folder, options_of("a"));
  REQUIRE(opened.ok());
  CHECK(opened->kind == start_kind::fresh);
  CHECK_FALSE(opened->restored.has_value());
  CHECK(opened->warnings.empty());
  CHECK(opened->store->epoch() == epoch_id{1});
  CHECK(opened->store->last_id() == checkpoint_id{0});
  CHECK(opened->store->newest() == checkpoint_id{0});
  CHECK(all_files(disk) == names{"last-id-1", "log/0000000001"});
}

TEST_CASE("a start restores the newest complete checkpoint", "[checkpoint_store]") {
  memory_file_system disk;
  {
    const auto first = checkpoint_store::open(disk, folder, options_of("a"));
    REQUIRE(make_checkpoint(disk, *first->store, {1}, 100).ok());
    REQUIRE(make_checkpoint(disk, *first->store, {2}, 200).ok());
    CHECK(first->store->newest() == checkpoint_id{2});
    REQUIRE(first->store->record_last_id({3}).ok());
    REQUIRE(write_state(disk, {1}, {3}, 300).ok());
  }
  const auto second = checkpoint_store::open(disk, folder, options_of("b"));
  REQUIRE(second.ok());
  CHECK(second->kind == start_kind::restored);
  CHECK(second->restored->id == checkpoint_id{2});
  CHECK(restored_count(disk, *second->restored) == 200);
  CHECK(second->store->epoch() == epoch_id{2});
  CHECK(second->store->newest() == checkpoint_id{2});
  CHECK(all_files(disk) == names{"chk-1/1-1-0-0.state", "chk-1/1-1-0-1.state",
                                 "chk-2/1-1-0-0.state", "chk-2/1-1-0-1.state", "last-id-2",
                                 "log/0000000001", "log/0000000002", "log/0000000003",
                                 "log/0000000004"});
}

TEST_CASE("C100: ids go on after a restart above all that were used", "[checkpoint_store]") {
  memory_file_system disk;
  {
    const auto first = checkpoint_store::open(disk, folder, options_of("a"));
    REQUIRE(make_checkpoint(disk, *first->store, {4}).ok());
    REQUIRE(first->store->record_last_id({5}).ok());
    REQUIRE(first->store->record_last_id({6}).ok());
    CHECK(first->store->record_last_id({6}).failure().code() == errc::invalid_argument);
    CHECK(first->store->discard({6}).ok());
  }
  for (const auto owner : {"b", "c"}) {
    const auto next = checkpoint_store::open(disk, folder, options_of(owner));
    CHECK(next->restored->id == checkpoint_id{4});
    CHECK(next->store->last_id() == checkpoint_id{6});
    CHECK(next->store->record_last_id({6}).error_text() ==
          "checkpoint id 6 is used: the last one was 6");
  }
}

TEST_CASE("C102: a checkpoint that was not complete at the crash is not there afterwards",
          "[checkpoint_store]") {
  memory_file_system disk;
  {
    const auto first = checkpoint_store::open(disk, folder, options_of("a"));
    REQUIRE(first->store->record_last_id({1}).ok());
    REQUIRE(write_state(disk, {1}, {1}, 100).ok());
  }
  const auto second = checkpoint_store::open(disk, folder, options_of("b"));
  CHECK(second->kind == start_kind::fresh);
  CHECK(second->store->last_id() == checkpoint_id{1});
  CHECK(state_files(disk).empty());
  CHECK(all_files(disk) == names{"last-id-2", "log/0000000001", "log/0000000002"});
}

TEST_CASE("a fresh start refuses a folder with a checkpoint, and leaves it as it was",
          "[checkpoint_store]") {
  memory_file_system disk;
  REQUIRE(make_checkpoint(disk, *checkpoint_store::open(disk, folder, options_of("a"))->store, {1})
              .ok());
  const auto before = all_files(disk);
  auto options = options_of("b");
  options.mode = start_mode::fresh;
  const auto opened = checkpoint_store::open(disk, folder, options);
  CHECK(opened.failure().code() == errc::already_exists);
  CHECK(opened.error_text() ==
        "checkpoint folder '/data/job' already holds a checkpoint: start from it, or give a fresh "
        "start another folder");
  CHECK(all_files(disk) == before);
}

TEST_CASE("a fresh start takes a folder in which no checkpoint was completed",
          "[checkpoint_store]") {
  memory_file_system disk;
  REQUIRE(checkpoint_store::open(disk, folder, options_of("a")).ok());
  auto options = options_of("b");
  options.mode = start_mode::fresh;
  CHECK(checkpoint_store::open(disk, folder, options)->kind == start_kind::fresh);
}

TEST_CASE("a job that has finished is not started again", "[checkpoint_store]") {
  memory_file_system disk;
  {
    const auto first = checkpoint_store::open(disk, folder, options_of("a"));
    REQUIRE(first->store->record_last_id({1}).ok());
    auto content = write_state(disk, {1}, {1}, 100);
    content->finished = true;
    REQUIRE(first->store->publish(*content).ok());
  }
  const auto before = all_files(disk);
  const auto second = checkpoint_store::open(disk, folder, options_of("b"));
  REQUIRE(second.ok());
  CHECK(second->kind == start_kind::finished);
  CHECK(second->store == nullptr);
  CHECK(second->restored->id == checkpoint_id{1});
  CHECK(all_files(disk) == before);
}

TEST_CASE("C098: after many checkpoints, half of them aborted, only the named files are left",
          "[checkpoint_store]") {
  memory_file_system disk;
  const auto opened = checkpoint_store::open(disk, folder, options_of("a"));
  auto& store = *opened->store;
  manifest newest;
  for (std::uint64_t id = 1; id <= 100; ++id) {
    REQUIRE(store.record_last_id({id}).ok());
    const auto content = write_state(disk, store.epoch(), {id}, id);
    REQUIRE(content.ok());
    if (id % 2 == 0) {
      REQUIRE(store.discard({id}).ok());
      // A subtask that has not heard of it yet.
      if (id % 10 == 0) REQUIRE(write_state(disk, store.epoch(), {id}, id).ok());
      continue;
    }
    REQUIRE(store.publish(*content).ok());
    REQUIRE(store.retain(1).ok());
    CHECK(state_files(disk) == named_files(*content));
    newest = *content;
  }
  CHECK(disk.list(folder).value() ==
        std::vector<std::string>{"chk-100", "chk-99", "last-id-1", "log"});
  CHECK(disk.list(folder + "/log").value().size() == 2);
  const auto again = checkpoint_store::open(disk, folder, options_of("b"));
  CHECK(again->restored == newest);
  CHECK(state_files(disk) == named_files(newest));
  CHECK_FALSE(disk.exists(folder + "/chk-100").value());
}

TEST_CASE("as many checkpoints are kept as are wanted", "[checkpoint_store]") {
  memory_file_system disk;
  const auto opened = checkpoint_store::open(disk, folder, options_of("a"));
  CHECK(opened->store->retain(1).ok());
  for (std::uint64_t id = 1; id <= 5; ++id) {
    REQUIRE(make_checkpoint(disk, *opened->store, {id}).ok());
    REQUIRE(opened->store->retain(3).ok());
  }
  CHECK(disk.list(folder).value() ==
        std::vector<std::string>{"chk-3", "chk-4", "chk-5", "last-id-1", "log"});
}

TEST_CASE("a file of an earlier checkpoint is kept while a kept one names it",
          "[checkpoint_store]") {
  memory_file_system disk;
  const auto opened = checkpoint_store::open(disk, folder, options_of("a"));
  auto& store = *opened->store;
  REQUIRE(store.record_last_id({1}).ok());
  const auto first = write_state(disk, {1}, {1}, 1);
  REQUIRE(store.publish(*first).ok());
  REQUIRE(store.record_last_id({2}).ok());
  auto second = write_state(disk, {1}, {2}, 2);
  const auto shared = first->operators[0].subtasks[0].files[0];
  second->operators[0].subtasks[0].files.push_back(shared);
  REQUIRE(store.publish(*second).ok());
  REQUIRE(store.retain(1).ok());
  CHECK(state_files(disk) == named_files(*second));
  CHECK(store.discard({1}).ok());
  CHECK(store.discard({2}).ok());
  CHECK(state_files(disk) == named_files(*second));

  REQUIRE(store.record_last_id({3}).ok());
  auto third = write_state(disk, {1}, {3}, 3);
  REQUIRE(store.publish(*third).ok());
  REQUIRE(store.retain(1).ok());
  CHECK(state_files(disk) == named_files(*third));
  REQUIRE(store.record_last_id({4}).ok());
  auto fourth = write_state(disk, {1}, {4}, 4);
  fourth->operators[0].subtasks[0].files.push_back(shared);
  const auto refused = store.publish(*fourth);
  CHECK(refused.failure().code() == errc::corrupt);
  CHECK(refused.error_text() ==
        "checkpoint 4: it names 'chk-1/1-1-0-0.state', which is of no "
        "complete checkpoint that is kept");
  CHECK(store.newest() == checkpoint_id{3});
}

TEST_CASE("a manifest that is not what it should be is not published", "[checkpoint_store]") {
  memory_file_system disk;
  const auto opened = checkpoint_store::open(disk, folder, options_of("a"));
  auto& store = *opened->store;
  REQUIRE(make_checkpoint(disk, store, {3}).ok());
  REQUIRE(store.record_last_id({4}).ok());
  struct row {
    manifest content;
    const char* message;
  };
  const auto [content, message] = GENERATE(
      row{{.id = {4}, .epoch = {2}}, "checkpoint 4: it is of another epoch than the store"},
      row{{.id = {3}, .epoch = {1}}, "checkpoint 3: a newer checkpoint is complete"},
      row{{.id = {5}, .epoch = {1}}, "checkpoint 5: its id was not recorded"},
      row{{.id = {4}}, "checkpoint 4: it has no epoch"});
  CHECK(store.publish(content).error_text() == message);
  CHECK(store.publish({.id = {4}, .epoch = {1}}).ok());
}

TEST_CASE("a folder that cannot be used is refused in one line", "[checkpoint_store]") {
  memory_file_system disk;
  REQUIRE(write_file(disk, "/data", "a file").ok());
  const auto opened = checkpoint_store::open(disk, folder, options_of("a"));
  CHECK(opened.error_text().find("checkpoint folder '/data/job' cannot be used: ") == 0);
  CHECK(opened.error_text().find('\n') == std::string::npos);
}

TEST_CASE("options that make no sense are refused", "[checkpoint_store]") {
  memory_file_system disk;
  const auto owner = GENERATE(as<std::string>{}, "", "a/b", ".a", "a b");
  const auto opened = checkpoint_store::open(disk, folder, options_of(owner));
  CHECK(opened.error_text() == "checkpoint store: '" + owner + "' cannot name its owner");
  auto options = options_of("a");
  options.kept_epochs = 0;
  CHECK(checkpoint_store::open(disk, folder, options).failure().code() == errc::invalid_argument);
}

TEST_CASE("files that are not weir's are left alone", "[checkpoint_store]") {
  memory_file_system disk;
  REQUIRE(disk.create_folders(folder + "/chk-1").ok());
  for (const auto name : {"/notes.txt", "/chk-1/notes.txt", "/chk-01", "/last-id-x", "/tmp-x"}) {
    REQUIRE(write_file(disk, folder + name, "mine").ok());
  }
  const auto before = all_files(disk);
  {
    const auto opened = checkpoint_store::open(disk, folder, options_of("a"));
    REQUIRE(make_checkpoint(disk, *opened->store, {2}).ok());
    REQUIRE(opened->store->retain(1).ok());
  }
  REQUIRE(checkpoint_store::open(disk, folder, options_of("b")).ok());
  const auto after = all_files(disk);
  for (const auto& path : before) CHECK(after.count(path) == 1);
}

TEST_CASE("what crashed coordinators left over is removed at the next start",
          "[checkpoint_store]") {
  memory_file_system disk;
  REQUIRE(make_checkpoint(disk, *checkpoint_store::open(disk, folder, options_of("a"))->store, {1})
              .ok());
  REQUIRE(write_file(disk, folder + "/log/tmp-3-a", "torn").ok());
  REQUIRE(write_file(disk, folder + "/tmp-1-last-id", "torn").ok());
  REQUIRE(write_file(disk, folder + "/chk-1/1-1-9-9.state", "torn").ok());
  const auto opened = checkpoint_store::open(disk, folder, options_of("b"));
  CHECK(opened->warnings.empty());
  CHECK(all_files(disk) == names{"chk-1/1-1-0-0.state", "chk-1/1-1-0-1.state", "last-id-2",
                                 "log/0000000001", "log/0000000002", "log/0000000003"});
}

TEST_CASE("what cannot be removed at a start is a warning", "[checkpoint_store]") {
  memory_file_system disk;
  REQUIRE(checkpoint_store::open(disk, folder, options_of("a")).ok());
  disk.set_faults([](const file_operation& operation) -> std::optional<file_fault> {
    if (operation.path != folder + "/last-id-1") return std::nullopt;
    if (operation.kind != file_operation_kind::remove) return std::nullopt;
    return file_fault{{errc::io_error, "read only"}};
  });
  const auto opened = checkpoint_store::open(disk, folder, options_of("b"));
  REQUIRE(opened.ok());
  CHECK(opened->warnings ==
        std::vector<std::string>{"what is left over cannot be removed: read only"});
}

TEST_CASE("a store lives on a real disk", "[checkpoint_store]") {
  const testing::temp_dir root;
  auto& disk = real_file_system();
  const auto where = root.path() + "/a/b";
  {
    const auto first = checkpoint_store::open(disk, where, options_of("a"));
    REQUIRE(first.ok());
    for (std::uint64_t id = 1; id <= 3; ++id) {
      CHECK(make_checkpoint(disk, *first->store, {id}, 7, where).error_text().empty());
      CHECK(first->store->retain(1).ok());
    }
  }
  const auto second = checkpoint_store::open(disk, where, options_of("b"));
  REQUIRE(second.ok());
  CHECK(second->restored->id == checkpoint_id{3});
  CHECK(disk.list(where).value() == std::vector<std::string>{"chk-3", "last-id-2", "log"});
}

}  // namespace
}  // namespace weir::checkpoint
