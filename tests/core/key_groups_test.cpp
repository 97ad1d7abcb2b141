// SPDX-License-Identifier: Apache-2.0
#include "weir/core/key_groups.hpp"

#include <limits>
#include <utility>
#include <vector>

#include "support/catch.hpp"

namespace weir {
namespace {

using ranges = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

ranges all_ranges(std::uint32_t parallelism, std::uint32_t max_parallelism) {
  ranges all;
  for (std::uint32_t i = 0; i < parallelism; ++i) {
    const auto range = range_of({i}, parallelism, max_parallelism);
    all.emplace_back(range.first.value, range.last.value);
  }
  return all;
}

TEST_CASE("the ranges of the subtasks are Flink's", "[key_groups]") {
  CHECK(all_ranges(1, 128) == ranges{{0, 127}});
  CHECK(all_ranges(2, 128) == ranges{{0, 63}, {64, 127}});
  CHECK(all_ranges(3, 128) == ranges{{0, 42}, {43, 85}, {86, 127}});
  CHECK(all_ranges(5, 128) == ranges{{0, 25}, {26, 51}, {52, 76}, {77, 102}, {103, 127}});
  CHECK(all_ranges(3, 10) == ranges{{0, 3}, {4, 6}, {7, 9}});
  CHECK(all_ranges(4, 10) == ranges{{0, 2}, {3, 4}, {5, 7}, {8, 9}});
  CHECK(all_ranges(3, 3) == ranges{{0, 0}, {1, 1}, {2, 2}});
}

/// Whether the ranges follow on each other from 0 to the last group, and each group is owned by
/// the subtask in whose range it is.
bool is_partition(std::uint32_t parallelism, std::uint32_t max_parallelism) {
  std::uint32_t next = 0;
  for (std::uint32_t i = 0; i < parallelism; ++i) {
    const auto range = range_of({i}, parallelism, max_parallelism);
    if (range.empty() || range.first.value != next) return false;
    next = range.last.value + 1;
    for (std::uint32_t group = range.first.value; group < next; ++group) {
      if (owner_of({group}, parallelism, max_parallelism).value != i) return false;
    }
  }
  return next == max_parallelism;
}

TEST_CASE("ranges and owners agree for every group of every small job", "[key_groups]") {
  std::uint32_t wrong = 0;
  for (std::uint32_t max_parallelism = 1; max_parallelism <= 300; ++max_parallelism) {
    for (std::uint32_t parallelism = 1; parallelism <= max_parallelism; ++parallelism) {
      wrong += !is_partition(parallelism, max_parallelism);
    }
  }
  CHECK(wrong == 0);
}

TEST_CASE("ranges and owners agree up to the largest job", "[key_groups]") {
  const auto parallelism =
      GENERATE(as<std::uint32_t>{}, 1, 2, 3, 127, 128, 1000, 10922, 16384, 20000, 32767, 32768);
  CAPTURE(parallelism);
  CHECK(is_partition(parallelism, max_key_groups));
}

TEST_CASE("the default number of key groups is Flink's", "[key_groups]") {
  CHECK(default_max_parallelism(1) == 128);
  CHECK(default_max_parallelism(85) == 128);
  CHECK(default_max_parallelism(86) == 256);
  CHECK(default_max_parallelism(128) == 256);
  CHECK(default_max_parallelism(170) == 256);
  CHECK(default_max_parallelism(171) == 256);
  CHECK(default_max_parallelism(200) == 512);
  CHECK(default_max_parallelism(1000) == 2048);
  CHECK(default_max_parallelism(20000) == 32768);
  CHECK(default_max_parallelism(32768) == 32768);
  CHECK(default_max_parallelism(std::numeric_limits<std::uint32_t>::max()) == 32768);
}

TEST_CASE("a parallelism outside its bounds is refused with both numbers", "[key_groups]") {
  CHECK(check_parallelism(1, 1).ok());
  CHECK(check_parallelism(128, 128).ok());
  CHECK(check_parallelism(32768, 32768).ok());

  const auto above = check_parallelism(129, 128);
  REQUIRE_FALSE(above.ok());
  CHECK(above.failure().code() == errc::invalid_argument);
  CHECK(above.error_text().find("129") != std::string::npos);
  CHECK(above.error_text().find("128") != std::string::npos);
  CHECK_FALSE(check_parallelism(0, 128).ok());
  CHECK_FALSE(check_parallelism(0, 0).ok());
  CHECK_FALSE(check_parallelism(1, 0).ok());

  const auto too_many = check_parallelism(7, 32769);
  REQUIRE_FALSE(too_many.ok());
  CHECK(too_many.error_text().find("32769") != std::string::npos);
  CHECK(too_many.error_text().find("parallelism 7)") != std::string::npos);
}

TEST_CASE("the group comes from the high bits and stays below the number of groups",
          "[key_groups]") {
  const auto groups = GENERATE(as<std::uint32_t>{}, 1, 2, 100, 128, 32768);
  CAPTURE(groups);
  CHECK(key_group_of(0, groups).value == 0);
  CHECK(key_group_of(0xFFFFFFFF, groups).value == 0);
  CHECK(key_group_of(~std::uint64_t{0}, groups).value == groups - 1);
  CHECK(key_group_of(std::uint64_t{1} << 63, groups).value == groups / 2);
}

TEST_CASE("a range holds its first and its last group, and the empty one none", "[key_groups]") {
  const key_group_range range{.first = {3}, .last = {5}};
  CHECK_FALSE(range.contains({2}));
  CHECK(range.contains({3}));
  CHECK(range.contains({5}));
  CHECK_FALSE(range.contains({6}));
  CHECK(range.size() == 3);
  CHECK_FALSE(range.empty());
  CHECK(key_group_range{}.empty());
  CHECK(key_group_range{}.size() == 0);
  CHECK_FALSE(key_group_range{}.contains({0}));
  CHECK_FALSE(key_group_range{}.contains({1}));
}

}  // namespace
}  // namespace weir
