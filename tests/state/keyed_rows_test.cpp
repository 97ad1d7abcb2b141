// SPDX-License-Identifier: Apache-2.0
#include "weir/state/keyed_rows.hpp"

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "weir/core/random.hpp"
#include "weir/state/state.hpp"

#include "state/collected_chunks.hpp"
#include "support/catch.hpp"

namespace weir::testing {
namespace {

using state::keyed_rows;

constexpr std::uint32_t max_parallelism = 128;
constexpr key_group_range all_groups{{0}, {max_parallelism - 1}};

struct counter {
  value_state<std::int64_t> count{"count"};
  auto uses_states() { return states(count); }
};

struct joiner {
  struct plus {
    std::string operator()(const std::string& a, const std::string& b) const { return a + b; }
  };
  reducing_state<std::string, plus> all{"all"};
  auto uses_states() { return states(all); }
};

template <class Rows, class Use>
void with(Rows& rows, std::string_view key, Use&& use) {
  rows.with_key(key, stable_hash(key), [&](auto&, const std::string&) { use(); });
}

template <class Rows>
void finish(Rows& rows) {
  while (rows.snapshotting()) rows.sweep(7);
}

TEST_CASE("each key has its own value, and a cleared one takes no memory", "[keyed_rows]") {
  counter f;
  keyed_rows<std::string, counter> rows{f, all_groups, max_parallelism};
  with(rows, "a", [&] { f.count.update(1); });
  with(rows, "b", [&] { CHECK(f.count.value() == nullptr); });
  CHECK(rows.size() == 1);
  with(rows, "a", [&] {
    REQUIRE(f.count.value() != nullptr);
    CHECK(*f.count.value() == 1);
    CHECK(f.count.edit([](std::int64_t& n) { return n += 2; }) == 3);
    f.count.clear();
    CHECK(f.count.value() == nullptr);
  });
  CHECK(rows.size() == 0);
  with(rows, "a", [&] { CHECK(f.count.edit([](std::int64_t& n) { return ++n; }) == 1); });
}

TEST_CASE("the current key is handed to the function as it is stored", "[keyed_rows]") {
  counter f;
  keyed_rows<std::string, counter> rows{f, all_groups, max_parallelism};
  const std::string_view key = "k";
  rows.with_key(key, stable_hash(key), [&](counter&, const std::string& current) {
    CHECK(current == "k");
    f.count.update(1);
  });
}

TEST_CASE("C077: state without a current key is an error and changes nothing", "[keyed_rows]") {
  counter f;
  CHECK_THROWS_AS(f.count.value(), state_error);
  keyed_rows<std::string, counter> rows{f, all_groups, max_parallelism};
  const auto message = [](auto&& access) {
    try {
      access();
    } catch (const state_error& e) {
      return std::string{e.what()};
    }
    return std::string{};
  };
  const auto check_all = [&] {
    for (const auto& text : {message([&] { f.count.value(); }), message([&] { f.count.update(9); }),
                             message([&] { f.count.edit([](std::int64_t& n) { n = 9; }); }),
                             message([&] { f.count.clear(); })}) {
      CHECK(text.find("state \"count\": no key set") == 0);
    }
  };
  SECTION("in open()") { check_all(); }
  SECTION("after a batch") {
    with(rows, "a", [&] { f.count.update(1); });
    check_all();
    with(rows, "a", [&] { CHECK(*f.count.value() == 1); });
  }
  SECTION("after a function that threw") {
    CHECK_THROWS_AS(with(rows, "a",
                         [&] {
                           f.count.update(1);
                           throw std::runtime_error{"no"};
                         }),
                    std::runtime_error);
    check_all();
  }
}

TEST_CASE("a state that is not listed is an error that names it", "[keyed_rows]") {
  struct forgetful {
    value_state<int> listed{"listed"};
    value_state<int> forgotten{"forgotten"};
    auto uses_states() { return states(listed); }
  } f;
  keyed_rows<std::string, forgetful> rows{f, all_groups, max_parallelism};
  std::string text;
  with(rows, "a", [&] {
    try {
      f.forgotten.update(1);
    } catch (const state_error& e) {
      text = e.what();
    }
  });
  CHECK(text == "state \"forgotten\" is used but not listed in uses_states(): list it there");
}

TEST_CASE("C071: a snapshot that is still to be written keeps the values of its barrier",
          "[keyed_rows]") {
  joiner f;
  keyed_rows<std::string, joiner> rows{f, all_groups, max_parallelism};
  with(rows, "a", [&] { f.all.add("1"); });
  collected_chunks snapshot;
  rows.begin_snapshot(snapshot, "op");
  with(rows, "a", [&] { f.all.add("2"); });
  with(rows, "b", [&] { f.all.add("3"); });
  finish(rows);

  joiner g;
  keyed_rows<std::string, joiner> restored{g, all_groups, max_parallelism};
  REQUIRE(restored.restore(snapshot.chunks, "op").ok());
  CHECK(restored.size() == 1);
  with(restored, "a", [&] { CHECK(*g.all.get() == "1"); });
  with(restored, "b", [&] { CHECK(g.all.get() == nullptr); });
  with(rows, "a", [&] { CHECK(*f.all.get() == "12"); });
}

TEST_CASE("C071: a key cleared after the barrier is in the snapshot", "[keyed_rows]") {
  joiner f;
  keyed_rows<std::string, joiner> rows{f, all_groups, max_parallelism};
  with(rows, "a", [&] { f.all.add("1"); });
  collected_chunks snapshot;
  rows.begin_snapshot(snapshot, "op");
  with(rows, "a", [&] { f.all.clear(); });
  CHECK(rows.size() == 0);
  finish(rows);
  keyed_rows<std::string, joiner> restored{f, all_groups, max_parallelism};
  REQUIRE(restored.restore(snapshot.chunks, "op").ok());
  CHECK(restored.size() == 1);
}

TEST_CASE("C079: the first read after a restore sees the restored value", "[keyed_rows]") {
  counter f;
  keyed_rows<std::string, counter> rows{f, all_groups, max_parallelism};
  with(rows, "a", [&] { f.count.update(5); });
  collected_chunks snapshot;
  rows.begin_snapshot(snapshot, "op");
  finish(rows);
  counter g;
  keyed_rows<std::string, counter> restored{g, all_groups, max_parallelism};
  REQUIRE(restored.restore(snapshot.chunks, "op").ok());
  with(restored, "a", [&] {
    REQUIRE(g.count.value() != nullptr);
    CHECK(*g.count.value() == 5);
  });
}

TEST_CASE("restored state that no record asks for is in the next snapshot", "[keyed_rows]") {
  collected_chunks first, second;
  {
    counter f;
    keyed_rows<std::string, counter> rows{f, all_groups, max_parallelism};
    for (int i = 0; i < 100; ++i) with(rows, std::to_string(i), [&] { f.count.update(i); });
    rows.begin_snapshot(first, "op");
    finish(rows);
  }
  counter f;
  keyed_rows<std::string, counter> rows{f, all_groups, max_parallelism};
  REQUIRE(rows.restore(first.chunks, "op").ok());
  rows.begin_snapshot(second, "op");
  finish(rows);
  counter g;
  keyed_rows<std::string, counter> again{g, all_groups, max_parallelism};
  REQUIRE(again.restore(second.chunks, "op").ok());
  CHECK(again.size() == 100);
  with(again, "42", [&] { CHECK(*g.count.value() == 42); });
}

TEST_CASE("a changed parallelism restores each key in the subtask of its group", "[keyed_rows]") {
  collected_chunks snapshot;
  for (std::uint32_t i = 0; i < 3; ++i) {
    counter f;
    const auto groups = range_of({i}, 3, max_parallelism);
    keyed_rows<std::string, counter> rows{f, groups, max_parallelism};
    for (int n = 0; n < 1000; ++n) {
      const auto key = std::to_string(n);
      if (groups.contains(key_group_of(stable_hash(key), max_parallelism)))
        with(rows, key, [&] { f.count.update(n); });
    }
    rows.begin_snapshot(snapshot, "op");
    finish(rows);
  }
  std::size_t found = 0;
  for (std::uint32_t i = 0; i < 5; ++i) {
    counter f;
    keyed_rows<std::string, counter> rows{f, range_of({i}, 5, max_parallelism), max_parallelism};
    REQUIRE(rows.restore(snapshot.chunks, "op").ok());
    found += rows.size();
  }
  CHECK(found == 1000);
}

TEST_CASE("a snapshot that was abandoned is finished by nobody", "[keyed_rows]") {
  counter f;
  keyed_rows<std::string, counter> rows{f, all_groups, max_parallelism};
  with(rows, "a", [&] { f.count.update(5); });
  collected_chunks first, second;
  rows.begin_snapshot(first, "op");
  rows.abort_snapshot();
  CHECK_FALSE(rows.snapshotting());
  CHECK(rows.sweep(100) == 0);
  CHECK(first.chunks.size() == 1);  // the declarations
  rows.begin_snapshot(first, "op");
  rows.begin_snapshot(second, "op");
  finish(rows);
  CHECK(first.chunks.size() == 2);
  CHECK(second.chunks.size() == 2);
}

TEST_CASE("damaged chunks are refused", "[keyed_rows]") {
  counter f;
  keyed_rows<std::string, counter> rows{f, all_groups, max_parallelism};
  with(rows, "a", [&] { f.count.update(5); });
  collected_chunks snapshot;
  rows.begin_snapshot(snapshot, "op");
  finish(rows);
  auto chunks = snapshot.chunks;
  counter g;
  keyed_rows<std::string, counter> restored{g, all_groups, max_parallelism};
  const auto refused = [&] {
    auto done = restored.restore(chunks, "op");
    CHECK_FALSE(done.ok());
    if (!done.ok()) CHECK(done.failure().code() == errc::corrupt);
  };
  SECTION("without the list of states") {
    chunks.erase(chunks.begin());
    refused();
  }
  SECTION("a list cut off") {
    chunks[0].bytes.pop_back();
    refused();
  }
  SECTION("a row cut off") {
    chunks[1].bytes.pop_back();
    refused();
  }
  SECTION("a row of another key group") {
    chunks[1].group->value ^= 1;
    refused();
  }
  SECTION("a row twice") {
    chunks.push_back(chunks[1]);
    refused();
  }
  SECTION("a row of no key group") {
    chunks[1].group.reset();
    refused();
  }
}

TEST_CASE("a visit comes to each key with state once, and keys that it clears are gone",
          "[keyed_rows]") {
  counter f;
  keyed_rows<std::string, counter> rows{f, all_groups, max_parallelism};
  std::map<std::string, std::int64_t> expected;
  random_generator random{7};
  collected_chunks chunks;
  for (int round = 0; round < 200; ++round) {
    const auto key = "key" + std::to_string(random.below(300));
    if (round % 10 == 3) rows.begin_snapshot(chunks, "rows");
    with(rows, key, [&] { f.count.update(expected[key] = round); });
    const bool inside = random.chance(1, 2);
    std::map<std::string, std::int64_t> seen;
    const auto visit = [&] {
      rows.for_each_key([&](counter& visited, const std::string& at) {
        REQUIRE(seen.emplace(at, *visited.count.value()).second);
        switch (stable_hash(at) / 64 % 5 + static_cast<std::uint64_t>(round) % 3) {
          case 0: visited.count.clear(); break;
          case 1: visited.count.update(round); break;
          default: break;
        }
      });
    };
    const auto other = "key" + std::to_string(random.below(300));
    std::optional<std::int64_t> own;
    if (inside) {
      with(rows, other, [&] {
        visit();
        if (f.count.value() != nullptr) own = *f.count.value();
      });
    } else {
      visit();
    }
    REQUIRE(seen == expected);
    for (const auto& [at, count] : seen) {
      const auto what = stable_hash(at) / 64 % 5 + static_cast<std::uint64_t>(round) % 3;
      if (what == 0) expected.erase(at);
      if (what == 1) expected[at] = round;
    }
    REQUIRE(rows.size() == expected.size());
    if (!inside) continue;
    REQUIRE(own.has_value() == expected.contains(other));
    if (own) REQUIRE(*own == expected[other]);
  }
  CHECK(expected.size() > 10);
  CHECK_THROWS_AS(f.count.value(), state_error);
}

}  // namespace
}  // namespace weir::testing
