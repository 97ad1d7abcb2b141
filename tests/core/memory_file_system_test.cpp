// SPDX-License-Identifier: Apache-2.0
// What the simulated disk does beyond tests/core/file_system_test.cpp: fail on order, and crash.
#include "weir/core/memory_file_system.hpp"

#include <set>
#include <thread>

#include "support/catch.hpp"

namespace weir {
namespace {

using names = std::vector<std::string>;
using outcomes = std::set<std::string>;

std::string text(file_system& files, const std::string& path) {
  auto bytes = read_file(files, path);
  if (bytes) return *bytes;
  return bytes.failure().code() == errc::not_found ? "(none)" : bytes.error_text();
}

void put(file_system& files, const std::string& path, std::string_view bytes) {
  REQUIRE(write_file(files, path, bytes).error_text() == "");
}

void link_new_record(file_system& files) {
  put(files, "/log/tmp", "record");
  REQUIRE(files.link("/log/tmp", "/log/1").ok());
}

/// The names in a folder; for each its text too, where `with_text`.
std::string listing(file_system& files, const std::string& folder, bool with_text = false) {
  const auto entries = files.list(folder);
  REQUIRE(entries.ok());
  std::string all;
  for (const auto& name : *entries) {
    all += name + (with_text ? "=" + text(files, folder + "/" + name) + " " : " ");
  }
  return all;
}

/// All that crashes with many seeds can leave, of what `prepare` did, told by `look`.
template <class Prepare, class Look>
outcomes after_crashes(Prepare prepare, Look look) {
  outcomes seen;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    memory_file_system files;
    REQUIRE(files.create_folders("/log").ok());
    REQUIRE(files.create_folders("/pending").ok());
    REQUIRE(files.sync_folder("/").ok());
    prepare(files);
    random_generator random{seed};
    files.crash(random);
    seen.insert(look(files));
  }
  return seen;
}

}  // namespace

TEST_CASE("a crash keeps synced bytes and any first part of the others", "[memory_file_system]") {
  const auto seen = after_crashes(
      [](auto& files) {
        put(files, "/a", "ab");
        REQUIRE(files.sync_folder("/").ok());
        auto file = files.create("/b");
        REQUIRE((*file)->append("ab").ok());
        REQUIRE((*file)->sync().ok());
        REQUIRE((*file)->append("cd").ok());
        REQUIRE(files.sync_folder("/").ok());
      },
      [](auto& files) { return text(files, "/a") + " " + text(files, "/b"); });
  CHECK(seen == outcomes{"ab ab", "ab abc", "ab abcd"});
}

TEST_CASE("a crash undoes the emptying of a file, or what was written after it",
          "[memory_file_system]") {
  const auto seen = after_crashes(
      [](auto& files) {
        put(files, "/a", "old");
        REQUIRE(files.sync_folder("/").ok());
        auto file = files.create("/a");
        REQUIRE((*file)->append("N").ok());
      },
      [](auto& files) { return text(files, "/a"); });
  CHECK(seen == outcomes{"old", "", "N"});
}

TEST_CASE("a synced file is lost if its folder was not synced", "[memory_file_system]") {
  const auto seen = after_crashes([](auto& files) { put(files, "/a", "x"); },
                                  [](auto& files) { return text(files, "/a"); });
  CHECK(seen == outcomes{"x", "(none)"});
}

TEST_CASE("a name that survives does not bring the bytes that were not synced",
          "[memory_file_system]") {
  const auto seen = after_crashes(
      [](auto& files) {
        REQUIRE((*files.create("/tmp"))->append("x").ok());
        REQUIRE(files.rename("/tmp", "/a").ok());
        REQUIRE(files.sync_folder("/").ok());
      },
      [](auto& files) { return text(files, "/a"); });
  CHECK(seen == outcomes{"", "x"});
}

TEST_CASE("a link is lost or kept until its folder is synced", "[memory_file_system]") {
  const auto look = [](auto& files) { return text(files, "/log/tmp") + text(files, "/log/1"); };
  const auto unsynced = after_crashes([](auto& files) { link_new_record(files); }, look);
  CHECK(unsynced == outcomes{"(none)(none)", "record(none)", "recordrecord"});
  const auto synced = after_crashes(
      [](auto& files) {
        link_new_record(files);
        REQUIRE(files.sync_folder("/log").ok());
      },
      look);
  CHECK(synced == outcomes{"recordrecord"});
}

TEST_CASE("a rename is lost or kept as a whole", "[memory_file_system]") {
  const auto look = [](auto& files) {
    return text(files, "/pending/a") + " " + text(files, "/log/a");
  };
  const auto prepare = [](auto& files) {
    put(files, "/pending/a", "new");
    put(files, "/log/a", "old");
    REQUIRE(files.sync_folder("/pending").ok());
    REQUIRE(files.sync_folder("/log").ok());
    REQUIRE(files.rename("/pending/a", "/log/a").ok());
  };
  CHECK(after_crashes([&](auto& files) { prepare(files); }, look) ==
        outcomes{"new old", "(none) new"});
  const auto synced = after_crashes(
      [&](auto& files) {
        prepare(files);
        REQUIRE(files.sync_folder("/log").ok());
      },
      look);
  CHECK(synced == outcomes{"(none) new"});
}

TEST_CASE("syncing one folder of a rename syncs what came before it in the other",
          "[memory_file_system]") {
  const auto seen = after_crashes(
      [](auto& files) {
        put(files, "/pending/b", "b");
        put(files, "/pending/a", "a");
        REQUIRE(files.rename("/pending/a", "/log/a").ok());
        REQUIRE(files.sync_folder("/log").ok());
      },
      [](auto& files) { return listing(files, "/log", true) + listing(files, "/pending", true); });
  CHECK(seen == outcomes{"a=a b=b "});
}

TEST_CASE("of the changes of a folder a crash keeps the first ones", "[memory_file_system]") {
  const auto seen = after_crashes(
      [](auto& files) {
        put(files, "/log/1", "");
        put(files, "/log/2", "");
        REQUIRE(files.remove("/log/1").ok());
      },
      [](auto& files) { return listing(files, "/log"); });
  CHECK(seen == outcomes{"", "1 ", "1 2 ", "2 "});
}

TEST_CASE("a removal that was not synced may come back after a crash", "[memory_file_system]") {
  const auto seen = after_crashes(
      [](auto& files) {
        put(files, "/log/1", "x");
        REQUIRE(files.sync_folder("/log").ok());
        REQUIRE(files.remove("/log/1").ok());
        REQUIRE(files.remove_folder("/log").ok());
      },
      [](auto& files) { return text(files, "/log/1"); });
  CHECK(seen == outcomes{"x", "(none)"});
}

TEST_CASE("a folder that was removed durably does not come back", "[memory_file_system]") {
  const auto seen = after_crashes(
      [](auto& files) {
        put(files, "/log/1", "x");
        REQUIRE(files.sync_folder("/log").ok());
        REQUIRE(files.remove("/log/1").ok());
        REQUIRE(files.remove_folder("/log").ok());
        REQUIRE(files.sync_folder("/").ok());
      },
      [](auto& files) { return *files.exists("/log") ? "there" : "gone"; });
  CHECK(seen == outcomes{"gone"});
}

TEST_CASE("a new folder is lost with all it holds if the one above was not synced",
          "[memory_file_system]") {
  const auto seen = after_crashes(
      [](auto& files) {
        REQUIRE(files.create_folders("/log/new").ok());
        put(files, "/log/new/a", "x");
        REQUIRE(files.sync_folder("/log/new").ok());
      },
      [](auto& files) { return text(files, "/log/new/a"); });
  CHECK(seen == outcomes{"x", "(none)"});
}

TEST_CASE("crashes never put folders into each other", "[memory_file_system]") {
  const auto seen = after_crashes(
      [](auto& files) {
        REQUIRE(files.create_folders("/log/x/y").ok());
        put(files, "/log/x/y/a", "kept");
        for (const auto* folder : {"/log", "/log/x", "/log/x/y"}) {
          REQUIRE(files.sync_folder(folder).ok());
        }
        REQUIRE(files.rename("/log/x/y", "/pending/y").ok());
        REQUIRE(files.rename("/log/x", "/pending/y/x").ok());
      },
      [](auto& files) {
        return text(files, "/log/x/y/a") + text(files, "/pending/y/a") +
               (*files.is_folder("/pending/y/x") ? "inside" : "");
      });
  CHECK(seen == outcomes{"kept(none)", "(none)kept", "(none)keptinside"});
}

TEST_CASE("files that were open when the disk crashed fail for good", "[memory_file_system]") {
  memory_file_system files;
  put(files, "/a", "x");
  REQUIRE(files.sync_folder("/").ok());
  auto writer = files.create("/b");
  auto reader = files.open("/a");
  REQUIRE(writer.ok());
  REQUIRE(reader.ok());
  random_generator random{1};
  files.crash(random);
  const auto appended = (*writer)->append("lost");
  REQUIRE_FALSE(appended.ok());
  CHECK(appended.failure() ==
        error{errc::io_error, "append /b: the disk crashed since the file was opened"});
  CHECK_FALSE((*writer)->sync().ok());
  CHECK_FALSE((*reader)->read(0, 1).ok());
  CHECK_FALSE((*reader)->size().ok());
  CHECK(text(files, "/a") == "x");
}

TEST_CASE("the same seed leaves the same after a crash", "[memory_file_system]") {
  const auto left = [](std::uint64_t seed) {
    memory_file_system files;
    for (const auto* path : {"/a", "/b", "/c", "/d"}) {
      REQUIRE((*files.create(path))->append("0123456789").ok());
    }
    random_generator random{seed};
    files.crash(random);
    return listing(files, "/", true);
  };
  outcomes different;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    CHECK(left(seed) == left(seed));
    different.insert(left(seed));
  }
  CHECK(different.size() > 5);
}

TEST_CASE("what survived one crash survives the next", "[memory_file_system]") {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    memory_file_system files;
    REQUIRE((*files.create("/a"))->append("0123456789").ok());
    random_generator random{seed};
    files.crash(random);
    const auto left = text(files, "/a");
    files.crash(random);
    CHECK(text(files, "/a") == left);
  }
}

TEST_CASE("the fault plan sees every operation once, with its paths and number",
          "[memory_file_system]") {
  memory_file_system files;
  std::vector<std::string> seen;
  files.set_faults([&](const file_operation& operation) -> std::optional<file_fault> {
    seen.push_back(std::to_string(operation.ordinal) + " " +
                   std::string{to_string(operation.kind)} + " " + std::string{operation.path} +
                   "," + std::string{operation.target} + "," + std::to_string(operation.bytes));
    return std::nullopt;
  });
  REQUIRE(files.create_folders("/f").ok());
  auto writer = files.create("/f/a");
  REQUIRE((*writer)->append("abc").ok());
  REQUIRE((*writer)->sync().ok());
  auto reader = files.open("/f/a");
  REQUIRE((*reader)->size().ok());
  REQUIRE((*reader)->read(0, 7).ok());
  REQUIRE(files.link("/f/a", "/f/b").ok());
  REQUIRE(files.rename("/f/b", "/f/c").ok());
  REQUIRE(files.rename_new("/f/c", "/f/d").ok());
  REQUIRE(files.list("/f").ok());
  REQUIRE(files.exists("/f").ok());
  REQUIRE(files.is_folder("/f").ok());
  REQUIRE(files.sync_folder("/f").ok());
  REQUIRE(files.remove("/f/a").ok());
  CHECK_FALSE(files.remove_folder("/f").ok());
  CHECK(files.operations() == 16);
  CHECK(seen == std::vector<std::string>{
                    "1 create folders /f,,0", "2 create /f/a,,0", "3 append /f/a,,3",
                    "4 sync /f/a,,0", "5 open /f/a,,0", "6 size /f/a,,0", "7 read /f/a,,7",
                    "8 link /f/a,/f/b,0", "9 rename /f/b,/f/c,0", "10 rename new /f/c,/f/d,0",
                    "11 list /f,,0", "12 exists /f,,0", "13 is folder /f,,0",
                    "14 sync folder /f,,0", "15 remove /f/a,,0", "16 remove folder /f,,0"});
}

TEST_CASE("an operation that the fault plan refuses does nothing", "[memory_file_system]") {
  memory_file_system files;
  const error refused{errc::io_error, "the cable is out"};
  for (std::uint64_t failing = 1; failing <= 6; ++failing) {
    CAPTURE(failing);
    const auto start = files.operations();
    files.set_faults([&](const file_operation& operation) -> std::optional<file_fault> {
      if (operation.ordinal == start + failing) return refused;
      return std::nullopt;
    });
    const auto publish = [&]() -> status {
      if (auto written = write_file(files, "/tmp", "x"); !written) return written;
      if (auto linked = files.link("/tmp", "/1"); !linked) return linked;
      if (auto removed = files.remove("/tmp"); !removed) return removed;
      return files.sync_folder("/");
    };
    const auto published = publish();
    REQUIRE_FALSE(published.ok());
    CHECK(published.failure() == refused);
    CHECK(files.operations() == start + failing);
    files.set_faults({});
    CHECK(*files.exists("/1") == (failing > 4));
    if (failing > 4) REQUIRE(files.remove("/1").ok());
  }
}

TEST_CASE("a full disk takes the first bytes of an append", "[memory_file_system]") {
  memory_file_system files;
  auto file = files.create("/a");
  files.set_faults([](const file_operation& operation) -> std::optional<file_fault> {
    if (operation.kind != file_operation_kind::append) return std::nullopt;
    return file_fault{{errc::io_error, "append /a: No space left on device"}, 2};
  });
  CHECK((*file)->append("abc").error_text() == "append /a: No space left on device");
  CHECK(text(files, "/a") == "ab");
  CHECK_FALSE((*file)->append("d").ok());
  CHECK(text(files, "/a") == "abd");
}

TEST_CASE("a sync that failed once fails for good and saves nothing", "[memory_file_system]") {
  const auto seen = after_crashes(
      [](auto& files) {
        auto file = files.create("/a");
        REQUIRE(files.sync_folder("/").ok());
        REQUIRE((*file)->append("x").ok());
        files.set_faults(
            [](const file_operation&) { return error{errc::io_error, "sync failed"}; });
        CHECK((*file)->sync().error_text() == "sync failed");
        files.set_faults({});
        CHECK((*file)->sync().error_text() == "sync failed");
      },
      [](auto& files) { return text(files, "/a"); });
  CHECK(seen == outcomes{"", "x"});
}

TEST_CASE("the fault plan may crash the disk under the operation", "[memory_file_system]") {
  memory_file_system files;
  random_generator random{3};
  auto file = files.create("/a");
  files.set_faults([&](const file_operation& operation) -> std::optional<file_fault> {
    if (operation.kind == file_operation_kind::sync) files.crash(random);
    return std::nullopt;
  });
  REQUIRE((*file)->append("x").ok());
  CHECK_FALSE((*file)->sync().ok());
}

TEST_CASE("a file keeps its inode number for life", "[memory_file_system]") {
  memory_file_system files;
  put(files, "/a", "1");
  const auto first = *files.inode_of("/a");
  put(files, "/a", "2");
  CHECK(*files.inode_of("/a") == first);
  REQUIRE(files.link("/a", "/b").ok());
  CHECK(*files.inode_of("/b") == first);
  put(files, "/tmp", "3");
  REQUIRE(files.rename("/tmp", "/a").ok());
  CHECK(*files.inode_of("/a") != first);
  REQUIRE(files.remove("/b").ok());
  put(files, "/b", "4");
  CHECK(*files.inode_of("/b") != first);
  REQUIRE_FALSE(files.inode_of("/missing").ok());
  CHECK(files.inode_of("/missing").failure().code() == errc::not_found);
}

TEST_CASE("paths of the simulated disk start at the root", "[memory_file_system]") {
  memory_file_system files;
  put(files, "a", "x");
  const auto path = GENERATE(as<std::string>{}, "/a", "//a", "./a", "/../a", "/b/../a", "/./a/.");
  CAPTURE(path);
  CHECK(text(files, path) == "x");
}

TEST_CASE("the root stays where it is", "[memory_file_system]") {
  memory_file_system files;
  REQUIRE(files.create_folders("/a").ok());
  CHECK(*files.is_folder("/"));
  CHECK_FALSE(files.remove_folder("/").ok());
  CHECK_FALSE(files.remove("/").ok());
  CHECK_FALSE(files.rename("/", "/a/b").ok());
  CHECK_FALSE(files.rename("/a", "/").ok());
  CHECK_FALSE(files.rename_new("/a", "/").ok());
  CHECK_FALSE(files.link("/", "/b").ok());
  CHECK_FALSE(files.create("/").ok());
  CHECK(*files.list("/") == names{"a"});
}

TEST_CASE("an open file may outlive the file system", "[memory_file_system]") {
  auto files = std::make_unique<memory_file_system>();
  auto file = files->create("/a");
  files.reset();
  CHECK((*file)->append("x").ok());
}

TEST_CASE("many threads can use one simulated disk", "[memory_file_system]") {
  memory_file_system files;
  constexpr int threads = 4;
  constexpr int rounds = 100;
  {
    std::vector<std::jthread> workers;
    for (int t = 0; t < threads; ++t) {
      workers.emplace_back([&files, t] {
        for (int i = 0; i < rounds; ++i) {
          const auto path = "/" + std::to_string(t) + "_" + std::to_string(i);
          if (write_file(files, path, "x").ok()) (void)files.link(path, "/" + std::to_string(i));
        }
      });
    }
  }
  CHECK(files.list("/")->size() == threads * rounds + rounds);
  CHECK(files.operations() == threads * rounds * 4 + 1);
}

}  // namespace weir
