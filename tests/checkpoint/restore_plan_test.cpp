// SPDX-License-Identifier: Apache-2.0
#include "weir/checkpoint/restore_plan.hpp"

#include <set>
#include <string>

#include "support/catch.hpp"

namespace weir::checkpoint {
namespace {

state_file file(const std::string& name, bool keyed, bool unkeyed) {
  return {.path = "chk-4/" + name,
          .length = 10,
          .checksum = 1,
          .kind = file_kind::chunks,
          .keyed = keyed,
          .unkeyed = unkeyed};
}

/// An operator of which each subtask i has stored "<uid>-k<i>" with keyed state.
operator_state keyed(const std::string& uid, std::uint32_t parallelism, std::uint32_t groups) {
  operator_state stored{.uid = uid, .parallelism = parallelism, .max_parallelism = groups};
  for (std::uint32_t i = 0; i < parallelism; ++i) {
    stored.subtasks.push_back(
        {.subtask = {i}, .files = {file(uid + "-k" + std::to_string(i), true, false)}});
  }
  return stored;
}

manifest stored(std::vector<operator_state> operators) {
  return {.job_name = "job", .id = {4}, .epoch = {1}, .operators = std::move(operators)};
}

/// The names of the files with keyed state of subtask `index` of the first operator.
std::string reads(const restore_plan& plan, std::uint32_t index) {
  std::string names;
  const auto& op = plan.operators.at(0);
  for (const auto& source : op.files) {
    if (!op.has_groups_of({index}, source)) continue;
    names += (names.empty() ? "" : " ") + source.file.path.substr(6);
  }
  return names;
}

TEST_CASE("with the same parallelism each subtask reads what it has written", "[restore_plan]") {
  const auto plan = plan_restore(stored({keyed("a", 3, 128)}),
                                 {{.uid = "a", .parallelism = 3, .max_parallelism = 128}});
  REQUIRE(plan.ok());
  REQUIRE(plan->operators.size() == 1);
  CHECK(reads(*plan, 0) == "a-k0");
  CHECK(reads(*plan, 2) == "a-k2");
  CHECK(plan->operators[0].groups_of({2}) == range_of({2}, 3, 128));
  CHECK(plan->operators[0].files[2].from == subtask_index{2});
  CHECK(plan->operators[0].former_parallelism == 3);
}

TEST_CASE("after a rescale a subtask reads the files that hold its key groups", "[restore_plan]") {
  struct row {
    std::uint32_t before;
    std::uint32_t now;
    std::vector<std::string> files;
  };
  // Of 8 groups: by 2 [0,3] [4,7]; by 3 [0,2] [3,5] [6,7]; by 4 pairs.
  const auto [before, now, files] =
      GENERATE(row{2, 4, {"a-k0", "a-k0", "a-k1", "a-k1"}}, row{4, 2, {"a-k0 a-k1", "a-k2 a-k3"}},
               row{2, 3, {"a-k0", "a-k0 a-k1", "a-k1"}}, row{3, 2, {"a-k0 a-k1", "a-k1 a-k2"}},
               row{3, 1, {"a-k0 a-k1 a-k2"}}, row{1, 3, {"a-k0", "a-k0", "a-k0"}});
  const auto plan = plan_restore(stored({keyed("a", before, 8)}),
                                 {{.uid = "a", .parallelism = now, .max_parallelism = 8}});
  REQUIRE(plan.ok());
  for (std::uint32_t i = 0; i < files.size(); ++i) {
    CAPTURE(before, now, i);
    CHECK(reads(*plan, i) == files[i]);
  }
}

TEST_CASE("every key group is restored once, whatever the parallelism was and is",
          "[restore_plan]") {
  for (std::uint32_t before = 1; before <= 9; ++before) {
    for (std::uint32_t now = 1; now <= 9; ++now) {
      const auto plan = plan_restore(stored({keyed("a", before, 9)}),
                                     {{.uid = "a", .parallelism = now, .max_parallelism = 9}});
      REQUIRE(plan.ok());
      const auto& op = plan->operators[0];
      for (std::uint32_t group = 0; group < 9; ++group) {
        const auto owner = owner_of({group}, before, 9);
        std::size_t times = 0;
        for (std::uint32_t subtask = 0; subtask < now; ++subtask) {
          if (!op.groups_of({subtask}).contains({group})) continue;
          for (const auto& source : op.files) {
            times += source.from == owner && op.has_groups_of({subtask}, source) ? 1 : 0;
          }
        }
        CAPTURE(before, now, group);
        CHECK(times == 1);
      }
    }
  }
}

TEST_CASE("files without keyed state belong to no subtask alone, and are listed once",
          "[restore_plan]") {
  operator_state source{.uid = "a", .parallelism = 2, .max_parallelism = 8};
  source.subtasks = {{.subtask = {0}, .files = {file("u0", false, true)}},
                     {.subtask = {1}, .files = {file("k1", true, false), file("b1", true, true)}}};
  const auto plan =
      plan_restore(stored({source}), {{.uid = "a", .parallelism = 3, .max_parallelism = 8}});
  REQUIRE(plan.ok());
  CHECK(plan->operators[0].files.size() == 3);
  CHECK(reads(*plan, 0) == "");
  CHECK(reads(*plan, 1) == "k1 b1");
  CHECK(reads(*plan, 2) == "k1 b1");
}

TEST_CASE("C100: the restored id is of all operators, new ones too", "[restore_plan]") {
  const auto plan = plan_restore(stored({keyed("a", 1, 8)}),
                                 {{.uid = "a", .parallelism = 2, .max_parallelism = 8},
                                  {.uid = "new", .parallelism = 2, .max_parallelism = 128}});
  REQUIRE(plan.ok());
  CHECK(plan->restored == checkpoint_id{4});
  REQUIRE(plan->operators.size() == 2);
  REQUIRE(plan->find("new") == &plan->operators[1]);
  CHECK(plan->find("old") == nullptr);
  CHECK(plan->operators[1].groups_of({1}) == range_of({1}, 2, 128));
  CHECK(plan->operators[1].files.empty());
}

TEST_CASE("another max parallelism is refused, naming both", "[restore_plan]") {
  const auto plan = plan_restore(stored({keyed("a", 1, 128)}),
                                 {{.uid = "a", .parallelism = 1, .max_parallelism = 256}});
  CHECK(plan.failure().code() == errc::invalid_argument);
  CHECK(plan.error_text() ==
        "operator 'a': max parallelism is 256 now and was 128 in the checkpoint: it cannot change, "
        "set it to 128");
}

TEST_CASE("an operator that had no keyed state may have another max parallelism",
          "[restore_plan]") {
  operator_state empty{.uid = "a", .parallelism = 1, .max_parallelism = 128};
  empty.subtasks = {{.subtask = {0}, .files = {file("u0", false, true)}}};
  CHECK(plan_restore(stored({empty}), {{.uid = "a", .parallelism = 1, .max_parallelism = 1}}).ok());
}

/// What `keep_max_parallelism` says to the only operator, which had keyed state in 128 groups.
std::string kept(std::uint32_t parallelism, std::uint32_t max_parallelism, bool set) {
  const auto all =
      keep_max_parallelism(stored({keyed("a", 1, 128)}), {{.uid = "a",
                                                           .parallelism = parallelism,
                                                           .max_parallelism = max_parallelism,
                                                           .max_parallelism_set = set}});
  return all ? std::to_string(all->front().max_parallelism) : all.error_text();
}

TEST_CASE("a max parallelism that is not set is that of the checkpoint, whatever the parallelism",
          "[restore_plan]") {
  CHECK(kept(85, default_max_parallelism(85), false) == "128");
  CHECK(kept(86, default_max_parallelism(86), false) == "128");
  CHECK(kept(128, 256, false) == "128");
  CHECK(kept(86, 128, true) == "128");
}

TEST_CASE("C119: another max parallelism is refused with both numbers, unless no state is keyed",
          "[restore_plan]") {
  SECTION("set by the user") {
    CHECK(kept(2, 256, true) ==
          "operator 'a': max parallelism is 256 now and was 128 in the checkpoint: it cannot "
          "change, set it to 128");
  }
  SECTION("exceeded by the parallelism") {
    CHECK(kept(200, 512, false) ==
          "operator 'a': its parallelism is 200, and its keyed state in the checkpoint has max "
          "parallelism 128: it cannot run wider than that");
  }
  SECTION("of operators that run chained") {
    const auto from = stored({keyed("a", 1, 128), keyed("b", 1, 64)});
    std::vector<operator_layout> chained{
        {.uid = "a", .max_parallelism = 128, .max_parallelism_set = false, .task = 3},
        {.uid = "b", .max_parallelism = 128, .max_parallelism_set = false, .task = 3}};
    CHECK(keep_max_parallelism(from, chained).error_text() ==
          "operators 'a' and 'b' run chained, and their keyed state in the checkpoint has max "
          "parallelism 128 and 64: set the max parallelism of each, or do not chain them");
    chained[1].max_parallelism = 64;
    chained[1].max_parallelism_set = true;
    CHECK(keep_max_parallelism(from, chained).ok());
    chained[1] = {.uid = "b", .max_parallelism_set = false, .task = 4};
    CHECK(keep_max_parallelism(from, chained).value()[1].max_parallelism == 64);
  }
  SECTION("without keyed state") {
    operator_state unkeyed{.uid = "a", .parallelism = 1, .max_parallelism = 128};
    unkeyed.subtasks = {{.subtask = {0}, .files = {file("u0", false, true)}}};
    const std::vector<operator_layout> wide{
        {.uid = "a", .parallelism = 200, .max_parallelism = 512, .max_parallelism_set = false}};
    CHECK(keep_max_parallelism(stored({unkeyed}), wide).value()[0].max_parallelism == 512);
    CHECK(plan_restore(stored({unkeyed}), wide).ok());
  }
}

TEST_CASE("an operator chained with restored ones follows them, if it has no keyed state there",
          "[restore_plan]") {
  const auto all =
      keep_max_parallelism(stored({keyed("a", 1, 256)}),
                           {{.uid = "before", .max_parallelism = 128, .max_parallelism_set = false},
                            {.uid = "a", .max_parallelism = 128, .max_parallelism_set = false},
                            {.uid = "set", .max_parallelism = 64}});
  REQUIRE(all.ok());
  CHECK((*all)[0].max_parallelism == 256);
  CHECK((*all)[1].max_parallelism == 256);
  CHECK((*all)[2].max_parallelism == 64);
}

TEST_CASE("a parallelism above the max parallelism is refused", "[restore_plan]") {
  const auto plan = plan_restore(stored({keyed("a", 1, 8)}),
                                 {{.uid = "a", .parallelism = 9, .max_parallelism = 8}});
  CHECK(plan.failure().code() == errc::invalid_argument);
  CHECK(plan.error_text().find("operator 'a'") == 0);
}

TEST_CASE("two operators with one uid are refused", "[restore_plan]") {
  CHECK(plan_restore(stored({}), {{.uid = "a"}, {.uid = "a"}}).error_text() ==
        "operator 'a' is there twice");
}

TEST_CASE("state of an operator that is gone is dropped only if that is allowed",
          "[restore_plan]") {
  operator_state empty{.uid = "empty", .parallelism = 1, .max_parallelism = 128};
  empty.subtasks = {{.subtask = {0}}};
  const auto from = stored({keyed("gone", 2, 8), empty});
  CHECK(
      plan_restore(from, {}).error_text() ==
      "checkpoint 4 holds state of operator 'gone', which the job no longer has: give an operator "
      "this uid, or allow non-restored state to drop it");
  const auto plan = plan_restore(from, {}, non_restored_state::allow);
  REQUIRE(plan.ok());
  CHECK(plan->operators.empty());
  CHECK(plan->ignored == std::vector<std::string>{"gone"});
}

}  // namespace
}  // namespace weir::checkpoint
