// SPDX-License-Identifier: Apache-2.0
#include "weir/checkpoint/internal/layout.hpp"

#include <string>

#include "support/catch.hpp"

namespace weir::checkpoint::internal {
namespace {

TEST_CASE("the parent of a path is the folder that has its entry", "[layout]") {
  struct row {
    const char* path;
    const char* parent;
  };
  const auto [path, parent] =
      GENERATE(row{"/a/b", "/a"}, row{"/a/b/", "/a"}, row{"/a//b", "/a"}, row{"/a", "/"},
               row{"a", "."}, row{"a/b", "a"}, row{"/", "/"}, row{"//", "/"}, row{"a/", "."});
  CHECK(parent_of(path) == parent);
}

TEST_CASE("the names of log records sort as their numbers", "[layout]") {
  CHECK(log_name(1) == "0000000001");
  CHECK(log_name(12'345'678'901) == "12345678901");
  for (const std::uint64_t number : {std::uint64_t{1}, std::uint64_t{9'999'999'999},
                                     std::uint64_t{10'000'000'000}, UINT64_MAX}) {
    CHECK(parse_log_name(log_name(number)) == number);
  }
}

TEST_CASE("a name that weir would not write is not taken for one of its own", "[layout]") {
  for (const auto name : {"", "1", "0000000000", "00000000001", "+000000001", "000000000a",
                          "99999999999999999999", "0000000001 "}) {
    CAPTURE(name);
    CHECK_FALSE(parse_log_name(name).has_value());
  }
  for (const auto name : {"", "chk-", "chk-01", "chk-1x", "chk--1", "Chk-1", "chk"}) {
    CAPTURE(name);
    CHECK_FALSE(parse_state_folder_name(name).has_value());
  }
  for (const auto name : {"tmp-", "tmp-x-a", "tmp-1", "tmp--a", "1-a"}) {
    CAPTURE(name);
    CHECK_FALSE(parse_temporary_log_name(name).has_value());
  }
  CHECK_FALSE(parse_progress_name("last-id-").has_value());
  CHECK_FALSE(parse_temporary_progress_name("tmp-1-other").has_value());
  CHECK_FALSE(epoch_of_state_name("x-1-0-0.state").has_value());
  CHECK_FALSE(epoch_of_state_name("notes.txt").has_value());
}

TEST_CASE("names are read as they were written", "[layout]") {
  CHECK(parse_state_folder_name(state_folder_name({0})) == checkpoint_id{0});
  CHECK(parse_state_folder_name(state_folder_name({77})) == checkpoint_id{77});
  CHECK(parse_progress_name(progress_name({3})) == epoch_id{3});
  CHECK(parse_temporary_progress_name(temporary_progress_name({3})) == epoch_id{3});
  CHECK(parse_temporary_log_name(temporary_log_name(7, "host-1-2")) == 7);
  CHECK(state_name({2}, {3}, "4-5.state") == "2-3-4-5.state");
  CHECK(epoch_of_state_name("2-3-4-5.state") == epoch_id{2});
}

}  // namespace
}  // namespace weir::checkpoint::internal
