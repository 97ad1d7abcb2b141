// SPDX-License-Identifier: Apache-2.0
#include "weir/dataflow/prepared_commits.hpp"

#include <algorithm>
#include <vector>

#include "support/catch.hpp"

namespace weir::dataflow {
namespace {

std::function<result<committables>()> gives(committables prepared) {
  return [prepared = std::move(prepared)] { return result<committables>{prepared}; };
}

/// What a snapshot that was made by `work` names.
committables named(const snapshot_work& work) {
  const auto chunks = work();
  REQUIRE(chunks.ok());
  auto all = prepared_commits::read_all(*chunks).value();
  std::sort(all.begin(), all.end());
  return all;
}

TEST_CASE("C107: a notice commits what earlier ones left, and an overtaken one commits nothing",
          "[prepared_commits]") {
  prepared_commits prepared;
  CHECK(named(prepared.add({1}, gives({"a", "b"}))) == committables{"a", "b"});
  CHECK(named(prepared.add({2}, gives({}))) == committables{"a", "b"});
  CHECK(named(prepared.add({3}, gives({"c"}))) == committables{"a", "b", "c"});
  CHECK(prepared.take({3}) == committables{"a", "b", "c"});
  CHECK(prepared.take({2}).empty());
  prepared.committed({3});
  CHECK(prepared.take({3}).empty());
}

TEST_CASE("a completed checkpoint commits nothing of a later one", "[prepared_commits]") {
  prepared_commits prepared;
  named(prepared.add({1}, gives({"a"})));
  named(prepared.add({2}, gives({"b"})));
  CHECK(prepared.take({1}) == committables{"a"});
  CHECK(prepared.take({1}).empty());
  CHECK(prepared.take({2}) == committables{"b"});
}

TEST_CASE("snapshots name what was prepared until it is known to be committed",
          "[prepared_commits]") {
  prepared_commits prepared;
  named(prepared.add({1}, gives({"a"})));
  REQUIRE(prepared.take({1}) == committables{"a"});
  // Complete, but a crash would still lose the commit.
  CHECK(named(prepared.add({2}, gives({"b"}))) == committables{"a", "b"});
  prepared.committed({1});
  CHECK(named(prepared.add({3}, gives({"c"}))) == committables{"b", "c"});
  prepared.committed({3});  // nothing of it was given yet
  CHECK(named(prepared.add({4}, gives({}))) == committables{"b", "c"});
}

TEST_CASE("a snapshot names what the work before it was still making at its barrier",
          "[prepared_commits]") {
  prepared_commits prepared;
  const auto first = prepared.add({1}, gives({"a"}));
  const auto second = prepared.add({2}, gives({"b"}));
  REQUIRE(first().ok());
  CHECK(named(second) == committables{"a", "b"});
}

TEST_CASE("what cannot be prepared is the failure of the work", "[prepared_commits]") {
  prepared_commits prepared;
  const auto work =
      prepared.add({1}, [] { return result<committables>{error{errc::io_error, "disk full"}}; });
  const auto made = work();
  REQUIRE_FALSE(made.ok());
  CHECK(made.failure().code() == errc::io_error);
}

TEST_CASE("C108: all that a restored checkpoint names is committed at once, by one subtask each",
          "[prepared_commits]") {
  std::vector<state::snapshot_chunk> chunks;
  for (std::uint32_t s = 0; s < 3; ++s) {
    prepared_commits before;
    named(before.add({1}, gives({"a" + std::to_string(s)})));
    auto made = before.add({2}, gives({"b" + std::to_string(s)}))().value();
    for (auto& chunk : made) {
      chunk.from = {s};
      chunks.push_back(std::move(chunk));
    }
  }
  chunks.push_back({"of another operator", std::nullopt, "?", {}});
  std::reverse(chunks.begin(), chunks.end());
  prepared_commits first;
  prepared_commits second;
  REQUIRE(first.restore(chunks, {0}, 2).ok());
  REQUIRE(second.restore(chunks, {1}, 2).ok());
  auto all = first.take({2});
  CHECK(all == committables{"a2", "a0", "b2", "b0"});
  CHECK(second.take({2}) == committables{"a1", "b1"});
  CHECK(named(second.add({3}, gives({"c"}))) == committables{"a1", "b1", "c"});
}

TEST_CASE("damaged bytes of what was prepared are noticed", "[prepared_commits]") {
  const std::vector<state::snapshot_chunk> chunks{{"prepared", std::nullopt, "?", {}}};
  prepared_commits prepared;
  CHECK(prepared.restore(chunks, {0}, 1).failure().code() == errc::corrupt);
  CHECK(prepared_commits::read_all(chunks).failure().code() == errc::corrupt);
}

}  // namespace
}  // namespace weir::dataflow
