// SPDX-License-Identifier: Apache-2.0
#include "weir/state/state_declaration.hpp"

#include <cstdint>
#include <functional>
#include <string>

#include "weir/state/keyed_rows.hpp"
#include "weir/state/state.hpp"

#include "state/collected_chunks.hpp"
#include "support/catch.hpp"

namespace weir::testing {
namespace {

using state::declarations_of;
using state::keyed_rows;
using state::redistribution;
using state::state_declaration;

constexpr std::uint32_t max_parallelism = 8;
constexpr key_group_range all_groups{{0}, {max_parallelism - 1}};

struct totals {
  std::int64_t count = 0;
  std::int64_t sum = 0;
};
struct more_totals {
  std::int64_t count = 0;
  std::int64_t sum = 0;
  std::int64_t highest = 77;
};

template <class First, class Second>
struct two_states {
  First a;
  Second b;
  auto uses_states() { return states(a, b); }
};

template <class Function>
collected_chunks snapshot_of(Function f, std::uint32_t key = 1) {
  collected_chunks out;
  keyed_rows<std::uint32_t, Function> rows{f, all_groups, max_parallelism};
  rows.with_key(key, stable_hash(key), [&](auto&, std::uint32_t) {
    f.a.update({});
    f.b.update({});
  });
  rows.begin_snapshot(out, "op");
  while (rows.snapshotting()) rows.sweep(100);
  return out;
}

TEST_CASE("a function's declarations have name, kind, type and mode", "[state_declaration]") {
  struct all_kinds {
    value_state<std::int64_t> v{"v"};
    value_state_with_default<std::string> d{"d", "x"};
    reducing_state<std::uint32_t, std::plus<>> r{"r"};
    auto uses_states() { return states(v, d, r); }
  } f;
  const auto all = declarations_of(f);
  REQUIRE(all.ok());
  CHECK(*all ==
        std::vector<state_declaration>{{"v", "value", "i64", redistribution::none},
                                       {"d", "value with default", "str", redistribution::none},
                                       {"r", "reducing", "u32", redistribution::none}});
}

TEST_CASE("C069: two states of one name are an error that has the name and both kinds",
          "[state_declaration]") {
  SECTION("of different kinds") {
    two_states<value_state<std::int64_t>, list_state<std::string>> f{value_state<std::int64_t>{"s"},
                                                                     list_state<std::string>{"s"}};
    const auto all = declarations_of(f);
    REQUIRE_FALSE(all.ok());
    CHECK(all.failure().code() == errc::invalid_argument);
    CHECK(all.error_text().find("state \"s\" is listed twice in uses_states(), as value of i64 "
                                "and as list of str") == 0);
  }
  SECTION("of the same kind and type") {
    two_states<value_state<std::int64_t>, value_state<std::int64_t>> f{
        value_state<std::int64_t>{"s"}, value_state<std::int64_t>{"s"}};
    CHECK_FALSE(declarations_of(f).ok());
  }
  SECTION("without a name") {
    two_states<value_state<std::int64_t>, value_state<std::int64_t>> f{
        value_state<std::int64_t>{"s"}, value_state<std::int64_t>{""}};
    CHECK_FALSE(declarations_of(f).ok());
  }
}

TEST_CASE("only keyed states lie in the rows, and are stored with them", "[state_declaration]") {
  struct mixed {
    operator_list_state<int> offsets{"offsets"};
    value_state<std::string> last{"last"};
    broadcast_state<std::string, int> rules{"rules"};
    list_state<int> recent{"recent"};
    auto uses_states() { return states(offsets, last, rules, recent); }
  } f;
  const auto all = declarations_of(f);
  REQUIRE(all.ok());
  REQUIRE(all->size() == 4);
  CHECK((*all)[0].mode == redistribution::redistributable);
  CHECK((*all)[2].mode == redistribution::identical);
  CHECK(state::state_count<mixed> == 2);

  collected_chunks snapshot;
  keyed_rows<std::uint32_t, mixed> rows{f, all_groups, max_parallelism};
  rows.with_key(1u, stable_hash(1u), [](mixed& g, std::uint32_t) {
    g.last.update("x");
    g.recent.add(1);
    g.recent.add(2);
  });
  rows.begin_snapshot(snapshot, "op");
  while (rows.snapshotting()) rows.sweep(100);
  byte_reader list{snapshot.chunks[0].bytes};
  const auto stored = state::stored_states::read(list);
  REQUIRE(stored.ok());
  CHECK(stored->states ==
        std::vector<state_declaration>{{"last", "value", "str"}, {"recent", "list", "i32"}});
  two_states<list_state<int>, value_state<std::string>> g{list_state<int>{"recent"},
                                                          value_state<std::string>{"last"}};
  keyed_rows<std::uint32_t, decltype(g)> restored{g, all_groups, max_parallelism};
  REQUIRE(restored.restore(snapshot.chunks, "op").ok());
  restored.with_key(1u, stable_hash(1u), [&](auto&, std::uint32_t) {
    CHECK(g.a.size() == 2);
    CHECK(*g.b.value() == "x");
  });
}

TEST_CASE("a TTL of a state that is not keyed, or a wrong one, is an error", "[ttl]") {
  const auto lifetime = ttl(duration{5});
  const auto refused = [](auto f) {
    const auto all = declarations_of(f);
    return all.ok() ? std::string{} : all.error_text();
  };
  using offsets = operator_list_state<int>;
  using value = value_state<std::int64_t>;
  using rules = broadcast_state<std::string, int>;
  CHECK(refused(two_states<offsets, value>{offsets{"o", {.ttl = lifetime}}, value{"v"}}) ==
        "state \"o\" (operator list of i32) has a TTL, and only keyed state can have one: leave it "
        "out");
  CHECK(refused(two_states<rules, value>{rules{"r", {.ttl = lifetime}}, value{"v"}})
            .find("state \"r\" (broadcast of ") == 0);
  CHECK(refused(two_states<offsets, value>{
                    offsets{"o", {.ttl = lifetime.with_update(ttl_update::disabled)}},
                    value{"v", {.ttl = lifetime}}})
            .empty());
  CHECK(refused(two_states<value, value>{value{"a"}, value{"b", {.ttl = ttl(duration{-1})}}})
            .find("state \"b\": a TTL of -1 ms: it must be positive") == 0);

  std::vector<state_declaration> many;
  for (int i = 0; i < 31; ++i) many.push_back({"s" + std::to_string(i), "value", "i32"});
  many[7].ttl = lifetime;
  CHECK(state::check_declarations(many).ok());
  many.push_back({"one more", "value", "i32"});
  CHECK(
      state::check_declarations(many).error_text().find(
          "32 keyed states are listed in uses_states(), one of them with a TTL: list at most 31") ==
      0);
  many[7].ttl.reset();
  CHECK(state::check_declarations(many).ok());
  many.push_back({"not keyed", "operator list", "i32", redistribution::redistributable});
  CHECK(state::check_declarations(many).ok());
}

TEST_CASE("states are restored by name, in whichever order they are listed",
          "[state_declaration]") {
  using before = two_states<value_state<std::int32_t>, value_state<std::string>>;
  using after = two_states<value_state<std::string>, value_state<std::int32_t>>;
  before f{value_state<std::int32_t>{"number"}, value_state<std::string>{"text"}};
  collected_chunks snapshot;
  {
    keyed_rows<std::uint32_t, before> rows{f, all_groups, max_parallelism};
    rows.with_key(1u, stable_hash(1u), [&](auto&, std::uint32_t) {
      f.a.update(7);
      f.b.update("seven");
    });
    rows.with_key(2u, stable_hash(2u), [&](auto&, std::uint32_t) { f.b.update("two"); });
    rows.begin_snapshot(snapshot, "op");
    while (rows.snapshotting()) rows.sweep(100);
  }
  after g{value_state<std::string>{"text"}, value_state<std::int32_t>{"number"}};
  keyed_rows<std::uint32_t, after> rows{g, all_groups, max_parallelism};
  REQUIRE(rows.restore(snapshot.chunks, "op").ok());
  rows.with_key(1u, stable_hash(1u), [&](auto&, std::uint32_t) {
    CHECK(*g.a.value() == "seven");
    CHECK(*g.b.value() == 7);
  });
  rows.with_key(2u, stable_hash(2u), [&](auto&, std::uint32_t) {
    CHECK(*g.a.value() == "two");
    CHECK(g.b.value() == nullptr);
  });
}

TEST_CASE("a state that the snapshot does not know starts absent", "[state_declaration]") {
  struct one {
    value_state<std::int32_t> a{"a"};
    auto uses_states() { return states(a); }
  } f;
  collected_chunks snapshot;
  keyed_rows<std::uint32_t, one> old{f, all_groups, max_parallelism};
  old.with_key(1u, stable_hash(1u), [&](auto&, std::uint32_t) { f.a.update(3); });
  old.begin_snapshot(snapshot, "op");
  while (old.snapshotting()) old.sweep(100);

  two_states<value_state<std::string>, value_state<std::int32_t>> g{value_state<std::string>{"new"},
                                                                    value_state<std::int32_t>{"a"}};
  keyed_rows<std::uint32_t, decltype(g)> rows{g, all_groups, max_parallelism};
  REQUIRE(rows.restore(snapshot.chunks, "op").ok());
  rows.with_key(1u, stable_hash(1u), [&](auto&, std::uint32_t) {
    CHECK(g.a.value() == nullptr);
    CHECK(*g.b.value() == 3);
  });
}

TEST_CASE("a struct with fields appended is restored with their defaults", "[state_declaration]") {
  two_states<value_state<totals>, value_state<std::string>> f{value_state<totals>{"a"},
                                                              value_state<std::string>{"b"}};
  const auto snapshot = snapshot_of(f);
  two_states<value_state<more_totals>, value_state<std::string>> g{value_state<more_totals>{"a"},
                                                                   value_state<std::string>{"b"}};
  keyed_rows<std::uint32_t, decltype(g)> rows{g, all_groups, max_parallelism};
  REQUIRE(rows.restore(snapshot.chunks, "op").ok());
  rows.with_key(1u, stable_hash(1u),
                [&](auto&, std::uint32_t) { CHECK(g.a.value()->highest == 77); });
}

TEST_CASE("what cannot be restored is an error that says why", "[state_declaration]") {
  using two = two_states<value_state<std::int64_t>, value_state<std::string>>;
  const auto snapshot =
      snapshot_of(two{value_state<std::int64_t>{"a"}, value_state<std::string>{"b"}});
  const auto error_of = [&](auto g) {
    keyed_rows<std::uint32_t, decltype(g)> rows{g, all_groups, max_parallelism};
    auto restored = rows.restore(snapshot.chunks, "op");
    REQUIRE_FALSE(restored.ok());
    CHECK(restored.failure().code() == errc::invalid_argument);
    return restored.error_text();
  };
  SECTION("another type") {
    using other = two_states<value_state<std::string>, value_state<std::string>>;
    CHECK(error_of(other{value_state<std::string>{"a"}, value_state<std::string>{"b"}}) ==
          "op: state \"a\": the snapshot holds value of i64, and the function declares value of "
          "str: only plain structs may change, by fields at their end");
  }
  SECTION("another kind") {
    using other = two_states<value_state_with_default<std::int64_t>, value_state<std::string>>;
    const auto text = error_of(other{{"a", 1}, value_state<std::string>{"b"}});
    CHECK(text.find("op: state \"a\": the snapshot holds value of i64, and the function declares "
                    "value with default of i64") == 0);
  }
  SECTION("a state that is gone") {
    const auto text =
        error_of(two{value_state<std::int64_t>{"a"}, value_state<std::string>{"renamed"}});
    CHECK(text.find("op: the snapshot holds state \"b\" (value of str), which is not listed") == 0);
  }
  SECTION("another type of key") {
    two g{value_state<std::int64_t>{"a"}, value_state<std::string>{"b"}};
    keyed_rows<std::uint64_t, two> rows{g, all_groups, max_parallelism};
    const auto restored = rows.restore(snapshot.chunks, "op");
    CHECK(restored.error_text().find("op: the snapshot has keys of type u32, and the function is "
                                     "given keys of type u64") == 0);
  }
}

}  // namespace
}  // namespace weir::testing
