// SPDX-License-Identifier: Apache-2.0
#include "weir/checkpoint/state_folder.hpp"

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "weir/checkpoint/state_file_writer.hpp"
#include "weir/core/checksum.hpp"
#include "weir/core/memory_file_system.hpp"

#include "support/catch.hpp"

namespace weir::checkpoint {
namespace {

const std::string root = "/data";

TEST_CASE("a closed state file survives a crash of the machine", "[state_folder]") {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    memory_file_system disk;
    REQUIRE(disk.create_folders(root).ok());
    REQUIRE(disk.sync_folder("/").ok());
    const state_folder states{disk, root, {2}, {3}};
    auto file = states.create({7}, state_file_name({.task = 4, .index = {5}})).value();
    REQUIRE(file->append("hello ").ok());
    REQUIRE(file->append("world").ok());
    const auto written = file->close().value();
    CHECK(written.path == "chk-7/2-3-4-5.state");
    CHECK(written.length == 11);
    CHECK(written.checksum == checksum("hello world"));
    random_generator random{seed};
    disk.crash(random);
    CHECK(read_file(disk, root + "/" + written.path).value() == "hello world");
  }
}

TEST_CASE("a state file's name must be plain", "[state_folder]") {
  memory_file_system disk;
  const state_folder states{disk, root, {1}, {1}};
  const auto name = GENERATE(as<std::string>{}, "", "a/b", "..", "a b");
  CHECK(states.create({1}, name).error_text() == "'" + name + "' cannot name a state file");
}

TEST_CASE("small pieces of a state file are appended together, large ones alone",
          "[state_folder]") {
  memory_file_system disk;
  std::size_t appends = 0;
  disk.set_faults([&appends](const file_operation& operation) -> std::optional<file_fault> {
    if (operation.kind == file_operation_kind::append) ++appends;
    return std::nullopt;
  });
  const state_folder states{disk, root, {1}, {1}};
  const std::size_t mebibyte = std::size_t{1} << 20;
  const auto [sizes, expected] = GENERATE_COPY(
      std::pair{std::vector<std::size_t>(100, 1000), std::size_t{1}},
      std::pair{std::vector<std::size_t>{}, std::size_t{0}},
      std::pair{std::vector<std::size_t>{1, mebibyte / 2, mebibyte / 2, 1}, std::size_t{2}},
      std::pair{std::vector<std::size_t>{1, mebibyte, 1}, std::size_t{4}},
      std::pair{std::vector<std::size_t>{2 * mebibyte, 3 * mebibyte}, std::size_t{4}});
  state_file_writer one_by_one;
  state_file_writer together;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const std::string bytes(sizes[i], static_cast<char>('a' + i % 26));
    one_by_one.put("op", {.section = "s", .group = {}, .bytes = bytes});
    together.put("op", {.section = "s", .group = {}, .bytes = bytes});
  }
  auto file = states.create({1}, "x").value();
  auto pieces = together.take_pieces();
  REQUIRE(file->append(pieces).ok());
  CHECK(appends == expected);
  const auto written = file->close().value();
  const auto whole = sizes.empty() ? std::string{} : one_by_one.take();
  CHECK(written.length == whole.size());
  CHECK(written.checksum == checksum(whole));
  CHECK((read_file(disk, root + "/" + written.path).value() == whole));
}

TEST_CASE("each failing operation of a state file is reported", "[state_folder]") {
  memory_file_system disk;
  const state_folder states{disk, root, {1}, {1}};
  const auto failing = GENERATE(file_operation_kind::create_folders, file_operation_kind::create,
                                file_operation_kind::append, file_operation_kind::sync,
                                file_operation_kind::sync_folder);
  disk.set_faults([failing](const file_operation& operation) -> std::optional<file_fault> {
    if (operation.kind != failing) return std::nullopt;
    return file_fault{{errc::io_error, "disk full"}};
  });
  const auto write = [&states]() -> result<state_file> {
    auto file = states.create({1}, "x");
    if (!file) return std::move(file).failure();
    if (auto added = (*file)->append("x"); !added) return std::move(added).failure();
    return (*file)->close();
  };
  CHECK(write().error_text() == "disk full");
}

/// Writes chunks of two operators, and names the file for "a".
state_file write_chunks(memory_file_system& disk) {
  state_file_writer writer;
  for (std::uint32_t group = 0; group < 8; ++group) {
    writer.put("a",
               {.section = "rows", .group = key_group{group}, .bytes = std::string(300'000, 'r')});
    writer.put("b", {.section = "rows", .group = key_group{group}, .bytes = "other"});
  }
  writer.put("a", {.section = "list", .group = {}, .bytes = "1"});
  writer.finish();
  const state_folder states{disk, root, {1}, {1}};
  auto file = states.create({1}, "0-0.state").value();
  REQUIRE(file->append(writer.take()).ok());
  auto written = file->close().value();
  return name_contents(writer.contents(), written).front().files.front();
}

TEST_CASE("the chunks of a state file are shown in their order, with their operators",
          "[state_folder]") {
  memory_file_system disk;
  const auto written = write_chunks(disk);
  CHECK(written.length > 2'000'000);
  std::vector<std::string> seen;
  const auto read = read_state_chunks(disk, root, written, [&](const state_chunk_view& chunk) {
    const auto group = chunk.group ? std::to_string(chunk.group->value) : "none";
    seen.push_back(std::string{chunk.uid} + " " + std::string{chunk.section} + " " + group + " " +
                   std::to_string(chunk.bytes.size()));
  });
  REQUIRE(read.ok());
  REQUIRE(seen.size() == 17);
  CHECK(seen[6] == "a rows 3 300000");
  CHECK(seen[7] == "b rows 3 5");
  CHECK(seen[16] == "a list none 1");
}

TEST_CASE("a state file that is not as it is named is not read", "[state_folder]") {
  memory_file_system disk;
  auto named = write_chunks(disk);
  const auto path = root + "/" + named.path;
  const auto take = [](std::string_view) { return status{}; };
  CHECK(read_state_file(disk, root, named, take).ok());
  SECTION("another length") {
    ++named.length;
    CHECK(read_state_file(disk, root, named, take).error_text() ==
          path + ": " + std::to_string(named.length) + " bytes expected, " +
              std::to_string(named.length - 1) + " found");
  }
  SECTION("another checksum") {
    ++named.checksum;
    CHECK(read_state_file(disk, root, named, take).error_text() ==
          path + ": its checksum does not match");
  }
  SECTION("missing") {
    REQUIRE(disk.remove(path).ok());
    const auto read = read_state_file(disk, root, named, take);
    CHECK(read.failure() == error{errc::corrupt, path + ": it is missing"});
  }
  SECTION("cut short while it is read") {
    disk.set_faults([&](const file_operation& operation) -> std::optional<file_fault> {
      if (operation.kind == file_operation_kind::read) {
        (void)disk.create(path);
      }
      return std::nullopt;
    });
    CHECK(read_state_file(disk, root, named, take).error_text() ==
          path + ": it got shorter while it was read");
  }
}

}  // namespace
}  // namespace weir::checkpoint
