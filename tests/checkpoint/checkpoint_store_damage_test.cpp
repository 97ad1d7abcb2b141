// SPDX-License-Identifier: Apache-2.0
#include <functional>
#include <string>

#include "weir/core/memory_file_system.hpp"

#include "checkpoint/store_harness.hpp"
#include "support/catch.hpp"

namespace weir::checkpoint {
namespace {

using bytes_change = std::function<std::string(std::string)>;

struct damage {
  const char* what;
  bytes_change change;  ///< null: the file is removed
};

damage any_damage() {
  return GENERATE(damage{"one bit flipped at the start",
                         [](std::string bytes) {
                           bytes.front() = static_cast<char>(bytes.front() ^ 0x10);
                           return bytes;
                         }},
                  damage{"one bit flipped at the end",
                         [](std::string bytes) {
                           bytes.back() = static_cast<char>(bytes.back() ^ 1);
                           return bytes;
                         }},
                  damage{"one byte short",
                         [](std::string bytes) {
                           bytes.pop_back();
                           return bytes;
                         }},
                  damage{"one byte more", [](std::string bytes) { return bytes + '\0'; }},
                  damage{"empty", [](std::string) { return std::string{}; }},
                  damage{"missing", nullptr});
}

void apply(memory_file_system& disk, const std::string& path, const damage& how) {
  if (how.change) {
    REQUIRE(write_file(disk, path, how.change(read_file(disk, path).value())).ok());
  } else {
    REQUIRE(disk.remove(path).ok());
  }
}

store_options accepting(const std::string& owner) {
  auto options = options_of(owner);
  options.damaged = on_damaged::previous;
  return options;
}

/// Checkpoint 2 with count 200 in record 2 of the log, and the newer 3 in record 3.
void make_two_checkpoints(memory_file_system& disk) {
  const auto opened = checkpoint_store::open(disk, folder, options_of("a"));
  REQUIRE(make_checkpoint(disk, *opened->store, {2}, 200).ok());
  REQUIRE(make_checkpoint(disk, *opened->store, {3}, 300).ok());
}

const std::string manifest_path = folder + "/log/0000000003";

std::string any_file_of_checkpoint_3() {
  return GENERATE(as<std::string>{}, manifest_path, folder + "/chk-3/1-1-0-0.state",
                  folder + "/chk-3/1-1-0-1.state");
}

TEST_CASE("C096: a damaged newest checkpoint stops the start and its file is named",
          "[checkpoint_store]") {
  memory_file_system disk;
  make_two_checkpoints(disk);
  const auto path = any_file_of_checkpoint_3();
  const auto how = any_damage();
  CAPTURE(path, how.what);
  apply(disk, path, how);
  const auto before = all_files(disk);
  const auto opened = checkpoint_store::open(disk, folder, options_of("b"));
  REQUIRE_FALSE(opened.ok());
  CHECK(opened.failure().code() == errc::corrupt);
  CHECK(opened.error_text().find("the newest checkpoint is damaged: " + path + ": ") == 0);
  CHECK(all_files(disk) == before);
}

TEST_CASE("C096: if that is allowed the checkpoint before a damaged one is taken, with a warning",
          "[checkpoint_store]") {
  memory_file_system disk;
  make_two_checkpoints(disk);
  const auto path = any_file_of_checkpoint_3();
  const auto how = any_damage();
  CAPTURE(path, how.what);
  apply(disk, path, how);
  const auto before = all_files(disk);
  const auto opened = checkpoint_store::open(disk, folder, accepting("b"));
  REQUIRE(opened.ok());
  CHECK(opened->kind == start_kind::restored);
  CHECK(opened->restored->id == checkpoint_id{2});
  CHECK(restored_count(disk, *opened->restored) == 200);
  REQUIRE(opened->warnings.size() == 1);
  CHECK(opened->warnings[0].find("the newest checkpoint is damaged: " + path) == 0);
  CHECK(opened->warnings[0].find("starting from checkpoint 2 instead: what sinks have committed "
                                 "since then may appear twice") != std::string::npos);
  // Nothing is touched: somebody may yet repair it.
  auto expected = before;
  expected.erase("last-id-1");
  expected.merge(std::set<std::string>{"last-id-2", "log/0000000004"});
  CHECK(all_files(disk) == expected);
  CHECK(opened->store->last_id() == checkpoint_id{3});

  // The next one takes its place, and what is damaged goes.
  REQUIRE(make_checkpoint(disk, *opened->store, {4}, 400).ok());
  REQUIRE(opened->store->retain(1).ok());
  const auto next = checkpoint_store::open(disk, folder, options_of("c"));
  REQUIRE(next.ok());
  CHECK(restored_count(disk, *next->restored) == 400);
  CHECK(state_files(disk) == named_files(*next->restored));
  CHECK(next->warnings.empty());
}

TEST_CASE("damage of an older checkpoint does not matter", "[checkpoint_store]") {
  memory_file_system disk;
  make_two_checkpoints(disk);
  const auto path =
      GENERATE(as<std::string>{}, folder + "/log/0000000002", folder + "/chk-2/1-1-0-0.state");
  const auto how = any_damage();
  CAPTURE(path, how.what);
  apply(disk, path, how);
  const auto opened = checkpoint_store::open(disk, folder, options_of("b"));
  REQUIRE(opened.ok());
  CHECK(restored_count(disk, *opened->restored) == 300);
}

TEST_CASE("a start never passes over all checkpoints to begin from nothing", "[checkpoint_store]") {
  memory_file_system disk;
  make_two_checkpoints(disk);
  apply(disk, folder + "/chk-2/1-1-0-0.state", any_damage());
  apply(disk, manifest_path, any_damage());
  const auto opened = checkpoint_store::open(disk, folder, accepting("b"));
  CHECK(opened.failure().code() == errc::corrupt);
  CHECK(opened.error_text().find("and there is no undamaged one before it") != std::string::npos);
}

TEST_CASE("a fresh start refuses a damaged checkpoint too", "[checkpoint_store]") {
  memory_file_system disk;
  make_two_checkpoints(disk);
  apply(disk, folder + "/log/0000000002", any_damage());
  apply(disk, manifest_path, any_damage());
  auto options = accepting("b");
  options.mode = start_mode::fresh;
  CHECK(checkpoint_store::open(disk, folder, options).failure().code() == errc::already_exists);
}

TEST_CASE("a file that cannot be read is no damage: the start fails, whatever is allowed",
          "[checkpoint_store]") {
  memory_file_system disk;
  make_two_checkpoints(disk);
  const auto path = any_file_of_checkpoint_3();
  disk.set_faults([path](const file_operation& operation) -> std::optional<file_fault> {
    if (operation.kind != file_operation_kind::read || operation.path != path) return std::nullopt;
    return file_fault{{errc::io_error, "read " + path + ": Input/output error"}};
  });
  const auto opened = checkpoint_store::open(disk, folder, accepting("b"));
  CHECK(opened.failure().code() == errc::io_error);
  CHECK(opened.error_text().find(path) != std::string::npos);
}

TEST_CASE("a damaged last id stops the start, or is warned of", "[checkpoint_store]") {
  memory_file_system disk;
  make_two_checkpoints(disk);
  const auto path = folder + "/last-id-1";
  REQUIRE(write_file(disk, path, "WEIR").ok());
  const auto strict = checkpoint_store::open(disk, folder, options_of("b"));
  CHECK(strict.error_text() == "the last checkpoint id is not known: " + path +
                                   ": it is cut short: no whole header, restore the file or allow "
                                   "damage");
  const auto opened = checkpoint_store::open(disk, folder, accepting("c"));
  REQUIRE(opened.ok());
  CHECK(opened->restored->id == checkpoint_id{3});
  CHECK(opened->store->last_id() == checkpoint_id{3});
  REQUIRE(opened->warnings.size() == 1);
  CHECK(opened->warnings[0].find("ids of failed checkpoints may be used again") !=
        std::string::npos);
}

TEST_CASE("C095: a state file with a chunk missing is never read in part", "[checkpoint_store]") {
  memory_file_system disk;
  // A writer that lost a chunk, and made the manifest of what it had.
  state_file_writer full;
  for (int i = 0; i < 8; ++i) full.put("count", {.section = "n", .group = {}, .bytes = "1"});
  const auto chunks = full.take();
  full.finish();
  const auto end = full.take();
  constexpr std::size_t file_header = 9;
  const auto one = (chunks.size() - file_header) / 8;
  const auto torn = chunks.substr(0, chunks.size() - one) + end;
  const state_folder states{disk, folder, {2}, {1}};
  auto file = states.create({9}, "0-0.state").value();
  REQUIRE(file->append(torn).ok());
  const auto written = file->close().value();
  const auto read = read_state_chunks(disk, folder, written, [](const state_chunk_view&) {});
  CHECK(read.failure().code() == errc::corrupt);
  CHECK(read.error_text().find(folder + "/chk-9/2-1-0-0.state: 8 chunks expected, 7 found") == 0);
}

}  // namespace
}  // namespace weir::checkpoint
