// SPDX-License-Identifier: Apache-2.0
#include <cerrno>

#include "weir/core/file_system.hpp"
#include "weir/core/internal/posix_rename.hpp"

#include "support/catch.hpp"
#include "support/temp_dir.hpp"

namespace weir {

TEST_CASE("a full disk is an error that names the file", "[file_system]") {
  auto file = real_file_system().create("/dev/full");
  REQUIRE(file.ok());
  const auto appended = (*file)->append("x");
  REQUIRE_FALSE(appended.ok());
  CHECK(appended.failure() == error{errc::io_error, "append /dev/full: No space left on device"});
}

TEST_CASE("a sync that fails says why", "[file_system]") {
  // A device without a medium cannot be synced.
  auto file = real_file_system().create("/dev/null");
  REQUIRE(file.ok());
  CHECK((*file)->sync().error_text() == "sync /dev/null: Invalid argument");
}

TEST_CASE("where a disk cannot rename without replacing, link and unlink do it", "[file_system]") {
  const testing::temp_dir folder;
  auto& files = real_file_system();
  const auto a = folder.path() + "/a";
  const auto b = folder.path() + "/b";
  REQUIRE(write_file(files, a, "one").ok());
  CHECK(internal::rename_new_by_link(a, a) == EEXIST);
  CHECK(internal::rename_new_by_link(b, a) == ENOENT);
  CHECK(internal::rename_new_by_link(a, b) == 0);
  CHECK(*files.list(folder.path()) == std::vector<std::string>{"b"});
  REQUIRE(write_file(files, a, "two").ok());
  CHECK(internal::rename_new_by_link(a, b) == EEXIST);
  CHECK(*read_file(files, b) == "one");
  CHECK(*read_file(files, a) == "two");
}

}  // namespace weir
