// SPDX-License-Identifier: Apache-2.0
// What every file system does, real or not.
#include "weir/core/file_system.hpp"

#include <limits>

#include "weir/core/memory_file_system.hpp"

#include "support/catch.hpp"
#include "support/temp_dir.hpp"

namespace weir {
namespace {

using names = std::vector<std::string>;

struct real_files {
  testing::temp_dir folder;
  file_system& files = real_file_system();
  std::string root = folder.path();
};

struct memory_files {
  memory_file_system memory;
  file_system& files = memory;
  std::string root;  // the one above /a is "/"
};

/// A file system with short words for what the cases do most.
template <class Fixture>
struct scene : Fixture {
  using Fixture::files;
  using Fixture::root;

  std::string at(const std::string& name) const { return root + "/" + name; }
  std::string text(const std::string& name) {
    auto bytes = read_file(files, at(name));
    return bytes ? *bytes : bytes.error_text();
  }
  void put(const std::string& name, std::string_view bytes) {
    REQUIRE(write_file(files, at(name), bytes).error_text() == "");
  }
  void folder(const std::string& name) {
    REQUIRE(files.create_folders(at(name)).error_text() == "");
  }
  names in(const std::string& name) {
    auto entries = files.list(at(name));
    REQUIRE(entries.error_text() == "");
    return *entries;
  }
};

template <class Outcome>
errc code_of(const Outcome& outcome) {
  REQUIRE_FALSE(outcome.ok());
  return outcome.failure().code();
}

}  // namespace

TEMPLATE_TEST_CASE("a file has the bytes that were appended, in order", "[file_system]", real_files,
                   memory_files) {
  scene<TestType> on;
  auto file = on.files.create(on.at("a"));
  REQUIRE(file.ok());
  REQUIRE((*file)->append("one").ok());
  REQUIRE((*file)->append("").ok());
  REQUIRE((*file)->append(std::string_view{"\0two", 4}).ok());
  CHECK(on.text("a") == std::string{"one\0two", 7});
  CHECK((*file)->sync().ok());
  const std::string large(3 << 20, 'x');
  REQUIRE((*file)->append(large).ok());
  CHECK(on.text("a") == std::string{"one\0two", 7} + large);
}

TEMPLATE_TEST_CASE("create empties a file that is there and keeps its other names", "[file_system]",
                   real_files, memory_files) {
  scene<TestType> on;
  on.put("a", "old");
  REQUIRE(on.files.link(on.at("a"), on.at("b")).ok());
  REQUIRE(on.files.create(on.at("a")).ok());
  CHECK(on.text("a") == "");
  CHECK(on.text("b") == "");
  on.put("a", "new");
  CHECK(on.text("b") == "new");
}

TEMPLATE_TEST_CASE("a read gives fewer bytes only at the end of the file", "[file_system]",
                   real_files, memory_files) {
  scene<TestType> on;
  on.put("a", "0123456789");
  auto file = on.files.open(on.at("a"));
  REQUIRE(file.ok());
  const auto read = [&](std::uint64_t offset, std::size_t length) {
    auto bytes = (*file)->read(offset, length);
    return bytes ? *bytes : bytes.error_text();
  };
  CHECK(read(0, 10) == "0123456789");
  CHECK(read(3, 4) == "3456");
  CHECK(read(8, 4) == "89");
  CHECK(read(10, 1) == "");
  CHECK(read(11, 1) == "");
  CHECK(read(3, 0) == "");
  CHECK(read(std::numeric_limits<std::uint64_t>::max(), 2) == "");
  CHECK(read(4, std::numeric_limits<std::size_t>::max()) == "456789");
  REQUIRE((*file)->size().ok());
  CHECK(*(*file)->size() == 10);
}

TEMPLATE_TEST_CASE("an open file outlives its name", "[file_system]", real_files, memory_files) {
  scene<TestType> on;
  on.put("a", "kept");
  auto file = on.files.open(on.at("a"));
  REQUIRE(file.ok());
  REQUIRE(on.files.remove(on.at("a")).ok());
  on.put("a", "other");
  auto bytes = (*file)->read(0, 10);
  REQUIRE(bytes.ok());
  CHECK(*bytes == "kept");
}

TEMPLATE_TEST_CASE("errors of files name the operation, the path and the reason", "[file_system]",
                   real_files, memory_files) {
  scene<TestType> on;
  const auto missing = on.files.open(on.at("a/b"));
  CHECK(code_of(missing) == errc::not_found);
  CHECK(missing.error_text() == "open " + on.at("a/b") + ": No such file or directory");
  CHECK(code_of(on.files.create(on.at("a/b"))) == errc::not_found);
  CHECK(code_of(read_file(on.files, on.at("a"))) == errc::not_found);
  CHECK(code_of(write_file(on.files, on.at("a/b"), "x")) == errc::not_found);

  on.folder("folder");
  on.put("file", "");
  CHECK(on.files.open(on.at("folder")).error_text() == "open " + on.at("folder: Is a directory"));
  CHECK(on.files.create(on.at("folder")).error_text() ==
        "create " + on.at("folder: Is a directory"));
  const auto below = on.files.open(on.at("file/x"));
  CHECK(code_of(below) == errc::io_error);
  CHECK(below.error_text() == "open " + on.at("file/x: Not a directory"));
  CHECK(code_of(on.files.create("")) == errc::not_found);
}

TEMPLATE_TEST_CASE("link gives a file a further name and never takes one", "[file_system]",
                   real_files, memory_files) {
  scene<TestType> on;
  on.put("a", "one");
  on.put("b", "two");
  const auto taken = on.files.link(on.at("a"), on.at("b"));
  CHECK(code_of(taken) == errc::already_exists);
  CHECK(taken.error_text() == "link " + on.at("a") + " to " + on.at("b") + ": File exists");
  CHECK(on.text("b") == "two");
  CHECK(code_of(on.files.link(on.at("missing"), on.at("b"))) == errc::not_found);
  CHECK(code_of(on.files.link(on.at("a"), on.at("missing/c"))) == errc::not_found);
  on.folder("folder");
  CHECK(code_of(on.files.link(on.at("folder"), on.at("c"))) == errc::io_error);

  REQUIRE(on.files.link(on.at("a"), on.at("folder/c")).ok());
  REQUIRE(on.files.remove(on.at("a")).ok());
  CHECK(on.text("folder/c") == "one");
}

TEMPLATE_TEST_CASE("rename moves a file in place of what was there", "[file_system]", real_files,
                   memory_files) {
  scene<TestType> on;
  on.folder("folder");
  on.put("a", "one");
  on.put("folder/b", "two");
  REQUIRE(on.files.rename(on.at("a"), on.at("folder/b")).ok());
  CHECK(on.text("folder/b") == "one");
  CHECK(on.in("") == names{"folder"});

  CHECK(code_of(on.files.rename(on.at("missing"), on.at("a"))) == errc::not_found);
  CHECK(code_of(on.files.rename(on.at("folder/b"), on.at("missing/b"))) == errc::not_found);
  CHECK(on.files.rename(on.at("folder/b"), on.at("folder/b")).ok());
  CHECK(on.text("folder/b") == "one");
  REQUIRE(on.files.link(on.at("folder/b"), on.at("c")).ok());
  CHECK(on.files.rename(on.at("c"), on.at("folder/b")).ok());
  CHECK(on.in("") == names{"c", "folder"});
}

TEMPLATE_TEST_CASE("rename_new moves to a free name only", "[file_system]", real_files,
                   memory_files) {
  scene<TestType> on;
  on.put("a", "one");
  on.put("b", "two");
  const auto taken = on.files.rename_new(on.at("a"), on.at("b"));
  CHECK(code_of(taken) == errc::already_exists);
  CHECK(taken.error_text() == "rename " + on.at("a") + " to " + on.at("b") + ": File exists");
  CHECK(on.text("a") == "one");
  CHECK(on.text("b") == "two");
  CHECK(code_of(on.files.rename_new(on.at("missing"), on.at("b"))) == errc::not_found);
  CHECK(code_of(on.files.rename_new(on.at("a"), on.at("a"))) == errc::already_exists);

  REQUIRE(on.files.rename_new(on.at("a"), on.at("c")).ok());
  CHECK(on.text("c") == "one");
  CHECK(on.in("") == names{"b", "c"});
}

TEMPLATE_TEST_CASE("rename moves folders with what is in them", "[file_system]", real_files,
                   memory_files) {
  scene<TestType> on;
  on.folder("a/inner");
  on.folder("empty");
  on.folder("full");
  on.put("a/inner/f", "x");
  on.put("full/f", "y");
  CHECK(code_of(on.files.rename(on.at("a"), on.at("full"))) == errc::io_error);
  CHECK(code_of(on.files.rename(on.at("a"), on.at("full/f"))) == errc::io_error);
  CHECK(code_of(on.files.rename(on.at("full/f"), on.at("a"))) == errc::io_error);
  CHECK(code_of(on.files.rename(on.at("a"), on.at("a/inner/b"))) == errc::io_error);
  CHECK(code_of(on.files.rename_new(on.at("a"), on.at("a/inner/b"))) == errc::io_error);
  REQUIRE(on.files.rename(on.at("a"), on.at("empty")).ok());
  CHECK(on.text("empty/inner/f") == "x");
  CHECK(on.in("") == names{"empty", "full"});
}

TEMPLATE_TEST_CASE("remove takes a name from a file and not from a folder", "[file_system]",
                   real_files, memory_files) {
  scene<TestType> on;
  on.folder("folder");
  on.put("a", "");
  CHECK(code_of(on.files.remove(on.at("folder"))) == errc::io_error);
  REQUIRE(on.files.remove(on.at("a")).ok());
  CHECK(code_of(on.files.remove(on.at("a"))) == errc::not_found);
  CHECK(on.in("") == names{"folder"});
}

TEMPLATE_TEST_CASE("remove_folder removes a folder that is empty", "[file_system]", real_files,
                   memory_files) {
  scene<TestType> on;
  on.folder("folder");
  on.put("folder/a", "");
  const auto full = on.files.remove_folder(on.at("folder"));
  CHECK(full.error_text() == "remove folder " + on.at("folder: Directory not empty"));
  CHECK(code_of(on.files.remove_folder(on.at("folder/a"))) == errc::io_error);
  REQUIRE(on.files.remove(on.at("folder/a")).ok());
  REQUIRE(on.files.remove_folder(on.at("folder")).ok());
  CHECK(code_of(on.files.remove_folder(on.at("folder"))) == errc::not_found);
}

TEMPLATE_TEST_CASE("create_folders makes those that are missing", "[file_system]", real_files,
                   memory_files) {
  scene<TestType> on;
  const auto path = GENERATE(as<std::string>{}, "a/b/c", "a//b/./c/");
  CAPTURE(path);
  on.folder(path);
  on.put("a/b/c/f", "x");
  on.folder(path);
  CHECK(on.text("a//b/./c/f") == "x");
  CHECK(on.in("a") == names{"b"});
  CHECK(code_of(on.files.create_folders(on.at("a/b/c/f"))) != errc::not_found);
  CHECK(code_of(on.files.create_folders(on.at("a/b/c/f/g"))) != errc::not_found);
  CHECK(code_of(on.files.create_folders("")) == errc::not_found);
  CHECK(on.files.create_folders("/").ok());
}

TEMPLATE_TEST_CASE("list gives the names of a folder, sorted", "[file_system]", real_files,
                   memory_files) {
  scene<TestType> on;
  CHECK(on.in("").empty());
  on.put("b", "");
  on.put("a", "");
  on.put("B", "");
  on.put(".hidden", "");
  on.folder("c/d");
  CHECK(on.in("") == names{".hidden", "B", "a", "b", "c"});
  CHECK(code_of(on.files.list(on.at("missing"))) == errc::not_found);
  CHECK(code_of(on.files.list(on.at("a"))) == errc::io_error);
}

TEMPLATE_TEST_CASE("exists and is_folder tell files, folders and nothing apart", "[file_system]",
                   real_files, memory_files) {
  scene<TestType> on;
  on.put("file", "");
  on.folder("folder");
  struct row {
    std::string name;
    bool exists, is_folder;
  };
  const auto what = GENERATE(row{"file", true, false}, row{"folder", true, true},
                             row{"missing", false, false}, row{"missing/x", false, false},
                             row{"file/x", false, false}, row{"folder/../file", true, false});
  CAPTURE(what.name);
  const auto exists = on.files.exists(on.at(what.name));
  const auto is_folder = on.files.is_folder(on.at(what.name));
  REQUIRE(exists.ok());
  REQUIRE(is_folder.ok());
  CHECK(*exists == what.exists);
  CHECK(*is_folder == what.is_folder);
}

TEMPLATE_TEST_CASE("sync_folder is for folders", "[file_system]", real_files, memory_files) {
  scene<TestType> on;
  on.folder("folder");
  on.put("file", "");
  CHECK(on.files.sync_folder(on.at("folder")).ok());
  CHECK(code_of(on.files.sync_folder(on.at("missing"))) == errc::not_found);
  CHECK(code_of(on.files.sync_folder(on.at("file"))) == errc::io_error);
}

}  // namespace weir
