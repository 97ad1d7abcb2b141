// SPDX-License-Identifier: Apache-2.0
#include "weir/state/operator_state_format.hpp"

#include <string>
#include <vector>

#include "weir/core/random.hpp"
#include "weir/state/state_error.hpp"

#include "state/operator_fleet.hpp"
#include "support/catch.hpp"

namespace weir::testing {
namespace {

std::vector<state::snapshot_chunk> stored() {
  operator_fleet fleet{2};
  for (int i = 0; i < 3; ++i)
    fleet[0].list_state<std::string>("list").add(std::string(50'000, 'x'));
  fleet[1].list_state<std::string>("list").add("y");
  fleet[1].broadcast_state<int, int>("rules").put(1, 2);
  return fleet.snapshot();
}

TEST_CASE("elements are put in chunks of about 64 KiB, which may come in any order",
          "[operator_state]") {
  auto chunks = stored();
  REQUIRE(chunks.size() == 7);
  for (const auto& chunk : chunks) CHECK(chunk.bytes.size() < 110'000);
  random_generator random{1};
  for (std::size_t i = chunks.size(); i-- > 1;) std::swap(chunks[i], chunks[random.below(i + 1)]);
  operator_fleet next{1};
  REQUIRE(next.restore(chunks, 2).ok());
  CHECK(next[0].list_state<std::string>("list").size() == 4);
  CHECK(next[0].list_state<std::string>("list").get()[3] == "y");
}

TEST_CASE("missing, doubled and mixed up chunks are noticed", "[operator_state]") {
  auto chunks = stored();
  operator_fleet next{1};
  std::string expected;
  SECTION("a part is missing") {
    chunks.erase(chunks.begin());
    expected = "state \"list\": a part is missing";
  }
  SECTION("the last part is missing") {
    chunks.erase(chunks.begin() + 1);
    expected = "state \"list\": 3 elements expected, 2 found";
  }
  SECTION("the end is missing") {
    chunks.erase(chunks.begin() + 2);
    expected = "state \"list\": its end is missing";
  }
  SECTION("a part is there twice") {
    chunks.push_back(chunks[0]);
    expected = "state \"list\": a part is there twice";
  }
  SECTION("the end is there twice") {
    chunks.push_back(chunks[2]);
    expected = "state \"list\": it ends twice";
  }
  SECTION("two kinds") {
    chunks.back().section = "operator state/union list/list";
    expected = "state \"list\": one subtask stored it as operator list, another as union list";
  }
  SECTION("no kind") {
    chunks.back().section = "operator state/tree";
    expected = "no kind of state is called \"tree\"";
  }
  SECTION("a newer version") {
    chunks.back().bytes[0] = 2;
    expected = "state \"rules\": format version 2, and this build reads only version 1";
  }
  const auto restored = next.restore(chunks, 2);
  REQUIRE_FALSE(restored.ok());
  CHECK(restored.failure().code() == errc::corrupt);
  CHECK(restored.error_text() == expected);
}

TEST_CASE("damaged bytes of operator state are an error or other values, and no crash",
          "[operator_state]") {
  random_generator random{7};
  const auto whole = stored();
  int refused = 0;
  for (int round = 0; round < 2000; ++round) {
    auto chunks = whole;
    auto& bytes = chunks[random.below(chunks.size())].bytes;
    const auto at = random.chance(1, 2) ? random.below(std::min<std::size_t>(bytes.size(), 12))
                                        : random.below(bytes.size());
    if (random.chance(1, 4))
      bytes.resize(at);
    else
      bytes[at] = static_cast<char>(bytes[at] ^ (1 << random.below(8)));
    operator_fleet next{3};
    auto outcome = next.restore(chunks, 2);
    for (std::size_t i = 0; outcome && i < 3; ++i) {
      try {
        static_cast<void>(next[i].list_state<std::string>("list").size());
        static_cast<void>(next[i].broadcast_state<int, int>("rules").size());
      } catch (const state::state_error&) {
        outcome = error{errc::corrupt, "found later"};
      }
    }
    refused += outcome ? 0 : 1;
  }
  CHECK(refused > 500);
}

}  // namespace
}  // namespace weir::testing
