// SPDX-License-Identifier: Apache-2.0
#include "weir/dataflow/split_progress.hpp"

#include <vector>

#include "support/catch.hpp"

namespace weir::dataflow {
namespace {

state::snapshot_chunk chunk(const char* section, const split_progress& progress) {
  return {section, std::nullopt, progress.encode(), {}};
}

TEST_CASE("finished splits are known whatever the order in which they finish", "[split_progress]") {
  split_progress progress;
  for (const std::uint64_t number : {4u, 1u, 0u, 2u, 9u}) progress.finish(number);
  for (std::uint64_t number = 0; number < 11; ++number) {
    CAPTURE(number);
    CHECK(progress.is_finished(number) ==
          (number == 0 || number == 1 || number == 2 || number == 4 || number == 9));
  }
}

TEST_CASE("a split that was begun has a position until it is finished", "[split_progress]") {
  split_progress progress;
  progress.start(3, "half");
  REQUIRE(progress.position_of(3) != nullptr);
  CHECK(*progress.position_of(3) == "half");
  CHECK(progress.position_of(2) == nullptr);
  progress.finish(3);
  CHECK(progress.position_of(3) == nullptr);
}

TEST_CASE("all subtasks of all attempts together say what was read", "[split_progress]") {
  split_progress earlier;
  earlier.finish(0);
  earlier.start(1, "old");
  earlier.start(2, "old");
  earlier.start(3, "old");
  split_progress first;
  first.finish(1);
  split_progress second;
  second.start(2, "new");
  const std::vector<state::snapshot_chunk> chunks{chunk(split_progress::section, first),
                                                  chunk(split_progress::section, second),
                                                  chunk(split_progress::earlier_section, earlier),
                                                  {"other", std::nullopt, "?", {}}};
  const auto all = split_progress::restore(chunks);
  REQUIRE(all.ok());
  CHECK(all->is_finished(0));
  CHECK(all->is_finished(1));
  CHECK(all->position_of(1) == nullptr);
  REQUIRE(all->position_of(2) != nullptr);
  CHECK(*all->position_of(2) == "new");
  REQUIRE(all->position_of(3) != nullptr);  // nobody had asked for it since
  CHECK(*all->position_of(3) == "old");

  // And so the next attempt hands it on.
  const auto again = split_progress::restore({chunk(split_progress::earlier_section, *all)});
  REQUIRE(again.ok());
  CHECK(again->is_finished(1));
  CHECK(*again->position_of(2) == "new");
}

TEST_CASE("what version 1 stored of splits is read, with the positions and no watermarks",
          "[split_progress][formats]") {
  using version_1 = std::pair<std::vector<std::pair<std::uint64_t, std::uint64_t>>,
                              std::vector<std::pair<std::uint64_t, std::string>>>;
  const auto read = split_progress::restore(
      {{split_progress::section_1, std::nullopt, encode(version_1{{}, {{5, "new"}}}), {}},
       {split_progress::earlier_section_1,
        std::nullopt,
        encode(version_1{{{0, 3}}, {{5, "old"}, {6, "old"}}}),
        {}}});
  REQUIRE(read.ok());
  CHECK(read->is_finished(3));
  CHECK_FALSE(read->is_finished(4));
  CHECK(*read->position_of(5) == "new");
  CHECK(*read->position_of(6) == "old");
  CHECK(read->watermark_of(6).empty());
}

TEST_CASE("damaged bytes of what was read are noticed", "[split_progress]") {
  const auto read = split_progress::restore({{split_progress::section, std::nullopt, "?", {}}});
  REQUIRE_FALSE(read.ok());
  CHECK(read.failure().code() == errc::corrupt);
}

}  // namespace
}  // namespace weir::dataflow
