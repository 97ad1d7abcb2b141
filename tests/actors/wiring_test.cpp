// SPDX-License-Identifier: Apache-2.0
#include "weir/actors/internal/wiring.hpp"

#include <map>
#include <set>
#include <tuple>

#include "support/catch.hpp"

namespace weir::actors::internal {
namespace {

using dataflow::partitioning;
using dataflow::plan;
using dataflow::plan_channel;
using dataflow::plan_task;

/// Two sources and a task between, all of which lead into task 3.
plan diamond(std::uint32_t left, std::uint32_t right, std::uint32_t end, partitioning how) {
  plan p;
  p.tasks = {plan_task{{}, left}, plan_task{{}, right}, plan_task{{}, left}, plan_task{{}, end}};
  const auto join = [&](std::size_t from, std::size_t to, partitioning by) {
    plan_channel c;
    c.from_task = from;
    c.to_task = to;
    c.how = by;
    p.channels.push_back(c);
  };
  join(0, 2, partitioning::forward);
  join(1, 3, how);
  join(2, 3, how);
  join(0, 3, partitioning::broadcast);
  return p;
}

std::vector<subtask_id> subtasks(const plan& p) {
  std::vector<subtask_id> all;
  for (std::uint32_t task = 0; task < p.tasks.size(); ++task) {
    for (std::uint32_t s = 0; s < p.tasks[task].parallelism; ++s) all.push_back({task, {s}});
  }
  return all;
}

TEST_CASE("both ends of every channel see the same channel", "[wiring]") {
  const auto how = GENERATE(partitioning::hash, partitioning::rebalance, partitioning::global);
  const auto left = GENERATE(1u, 2u, 3u);
  const auto end = GENERATE(1u, 2u, 5u);
  const auto p = diamond(left, 2, end, how);
  using half = std::tuple<subtask_id, std::uint32_t, std::uint32_t>;
  std::map<half, half> sent;
  for (const auto id : subtasks(p)) {
    const auto wiring = wire(p, id);
    for (std::uint32_t exit = 0; exit < wiring.outputs.size(); ++exit) {
      for (std::uint32_t r = 0; r < wiring.outputs[exit].size(); ++r) {
        const auto& to = wiring.outputs[exit][r];
        CHECK(to.exit == exit);
        const bool fresh = sent.emplace(half{to.subtask, to.position, 0}, half{id, exit, r}).second;
        CHECK(fresh);  // no two senders share a channel of a gate
      }
    }
  }
  std::size_t received = 0;
  for (const auto id : subtasks(p)) {
    const auto wiring = wire(p, id);
    for (std::uint32_t channel = 0; channel < wiring.inputs.size(); ++channel) {
      const auto& from = wiring.inputs[channel];
      ++received;
      const auto found = sent.find(half{id, channel, 0});
      REQUIRE(found != sent.end());
      CHECK(found->second == half{from.subtask, from.exit, from.position});
    }
  }
  CHECK(received == sent.size());
}

TEST_CASE("a forward channel joins subtasks of the same index", "[wiring]") {
  const auto p = diamond(3, 2, 2, partitioning::hash);
  const auto wiring = wire(p, {2, {1}});
  REQUIRE(wiring.inputs.size() == 1);
  CHECK(wiring.inputs[0].subtask == subtask_id{0, {1}});
}

TEST_CASE("credit stays within the budget, but is never below 2 unless 1 was asked for",
          "[wiring]") {
  CHECK(credit_per_channel(4, 128, 0) == 4);
  CHECK(credit_per_channel(4, 128, 8) == 4);
  CHECK(credit_per_channel(8, 128, 32) == 4);
  CHECK(credit_per_channel(4, 128, 1000) == 2);
  CHECK(credit_per_channel(1, 128, 2) == 1);
}

}  // namespace
}  // namespace weir::actors::internal
