// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "weir/core/random.hpp"
#include "weir/dataflow/split_progress.hpp"

#include "support/catch.hpp"

namespace weir::dataflow {
namespace {

/// What a `split_progress` says, kept in the plainest way.
struct model {
  std::set<std::uint64_t> finished;
  std::map<std::uint64_t, std::string> started;
};

constexpr std::uint64_t splits = 60;

void compare(const split_progress& progress, const model& expected) {
  for (std::uint64_t n = 0; n < splits; ++n) {
    CAPTURE(n);
    REQUIRE(progress.is_finished(n) == expected.finished.contains(n));
    const auto at = expected.started.find(n);
    const auto* position = progress.position_of(n);
    REQUIRE((position != nullptr) == (at != expected.started.end()));
    if (position) REQUIRE(*position == at->second);
  }
  REQUIRE(progress.empty() == (expected.finished.empty() && expected.started.empty()));
}

TEST_CASE("whatever subtasks read in whatever order, together they tell it", "[split_progress]") {
  random_generator random{GENERATE(1u, 2u, 3u, 4u, 5u, 6u)};
  constexpr std::size_t subtasks = 3;
  std::vector<split_progress> of(subtasks);
  model expected;
  // Each split is read by one subtask, as the coordinator has it.
  std::vector<std::uint64_t> left;
  for (std::uint64_t n = 0; n < splits; ++n) left.push_back(n);
  std::vector<std::pair<std::uint64_t, std::size_t>> running;
  for (int step = 0; step < 400; ++step) {
    if (!left.empty() && random.chance(1, 3)) {
      const std::size_t pick = random.below(left.size());
      running.emplace_back(left[pick], random.below(subtasks));
      left.erase(left.begin() + static_cast<std::ptrdiff_t>(pick));
    }
    if (!running.empty()) {
      const std::size_t pick = random.below(running.size());
      const auto [number, subtask] = running[pick];
      if (random.chance(1, 4)) {
        of[subtask].finish(number);
        expected.finished.insert(number);
        expected.started.erase(number);
        running.erase(running.begin() + static_cast<std::ptrdiff_t>(pick));
      } else {
        const auto position = std::to_string(step);
        of[subtask].start(number, position);
        expected.started[number] = position;
      }
    }
    if (step % 20 != 0) continue;
    std::vector<state::snapshot_chunk> chunks;
    for (const auto& part : of) {
      chunks.push_back({split_progress::section, std::nullopt, part.encode(), {}});
    }
    const auto all = split_progress::restore(chunks);
    REQUIRE(all.ok());
    compare(*all, expected);
    if (step % 100 != 0) continue;
    // A restart: the first subtask keeps what was read, and all begin anew.
    std::vector<state::snapshot_chunk> again{
        {split_progress::earlier_section, std::nullopt, all->encode(), {}}};
    const auto kept = split_progress::restore(again);
    REQUIRE(kept.ok());
    compare(*kept, expected);
  }
}

TEST_CASE("many finished splits in a row take little room", "[split_progress]") {
  split_progress progress;
  random_generator random{7};
  std::vector<std::uint64_t> order;
  for (std::uint64_t n = 0; n < 10'000; ++n) order.push_back(n);
  for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[random.below(i)]);
  for (const auto n : order) progress.finish(n);
  CHECK(progress.encode().size() < 100);
}

}  // namespace
}  // namespace weir::dataflow
