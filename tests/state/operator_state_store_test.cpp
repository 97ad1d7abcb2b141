// SPDX-License-Identifier: Apache-2.0
#include "weir/state/operator_state_store.hpp"

#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "weir/core/hash.hpp"
#include "weir/core/key_groups.hpp"
#include "weir/state/state_error.hpp"
#include "weir/state/value_state.hpp"

#include "state/operator_fleet.hpp"
#include "support/catch.hpp"

namespace weir::testing {
namespace {

using numbers = std::vector<int>;
using texts = std::vector<std::string>;

struct buffering {
  state::operator_list_state<int> buffer{"buffer"};
  state::union_list_state<std::string> seen{"seen"};
  state::value_state<int> keyed{"keyed"};
  auto uses_states() { return state::states(buffer, keyed, seen); }
};

template <class Call>
std::string error_of(Call call) {
  try {
    call();
  } catch (const state::state_error& thrown) {
    return thrown.what();
  }
  return "no error";
}

TEST_CASE("a member and a name are the same state", "[operator_state]") {
  buffering function;
  state::operator_state_store store;
  store.bind(function);
  function.buffer.add(1);
  store.list_state<int>("buffer").add(2);
  function.seen.update({"a"});
  CHECK(all_of(function.buffer) == numbers{1, 2});
  CHECK(all_of(store.union_list_state<std::string>("seen")) == texts{"a"});
  CHECK(&store.list_state<int>("buffer") == &store.list_state<int>("buffer"));
}

TEST_CASE("a state that is not listed, or of a copy of the function, says so when it is used",
          "[operator_state]") {
  state::operator_list_state<int> alone{"alone"};
  CHECK(error_of([&] { alone.add(1); }) ==
        "state \"alone\" is used but not bound: list it in uses_states(), and use it only while "
        "the job runs");
  state::operator_state_store store;
  buffering function;
  store.bind(function);
  const auto copy = function;
  CHECK(error_of([&] { static_cast<void>(copy.seen.get()); }) != "no error");
  CHECK(error_of([&] { static_cast<void>(function.seen.get()); }) == "no error");
}

TEST_CASE("the elements of a list stay as they were read", "[operator_state]") {
  state::operator_state_store store;
  auto& list = store.list_state<int>("list");
  list.update({1, 2, 3});
  SECTION("while elements are added") {
    for (const int element : list.get()) list.add(element + 10);
    CHECK(all_of(list) == numbers{1, 2, 3, 11, 12, 13});
    list.add_all(list.get());
    CHECK(list.size() == 12);
  }
  SECTION("and can be what the list becomes") {
    list.update(list.get());
    CHECK(all_of(list) == numbers{1, 2, 3});
  }
  SECTION("when the list is cleared") {
    const auto before = list.get();
    list.clear();
    CHECK(list.empty());
    CHECK(numbers{before.begin(), before.end()} == numbers{1, 2, 3});
  }
}

/// Cannot be copied when it is negative.
struct touchy {
  int value = 0;
  explicit touchy(int v) : value{v} {}
  touchy(const touchy& other) : value{other.value} {
    if (value < 0) throw std::runtime_error{"no copy"};
  }
  touchy(touchy&&) = default;
  touchy& operator=(const touchy&) = default;
};

}  // namespace
}  // namespace weir::testing

template <>
struct weir::codec<weir::testing::touchy> {
  static void write(byte_writer& out, const testing::touchy& value) { out.fixed(value.value); }
  static testing::touchy read(byte_reader& in) { return testing::touchy{in.fixed<int>()}; }
  static std::string identity() { return "touchy"; }
};

namespace weir::testing {
namespace {

TEST_CASE("a change that fails changes nothing", "[operator_state]") {
  state::operator_state_store store;
  auto& list = store.list_state<touchy>("list");
  list.add(touchy{1});
  std::vector<touchy> values;
  values.emplace_back(2);
  values.emplace_back(-3);
  CHECK_THROWS_AS(list.update(values), std::runtime_error);
  CHECK_THROWS_AS(list.add_all(values), std::runtime_error);
  REQUIRE(list.size() == 1);
  CHECK(list.get()[0].value == 1);
}

TEST_CASE("one name is one state, and a clash names both", "[operator_state]") {
  operator_fleet fleet{1};
  fleet[0].list_state<int>("x").add(1);
  CHECK(error_of([&] { fleet[0].union_list_state<int>("x"); }) ==
        "state \"x\" is in use as operator list of i32, and is asked for as union list of i32: "
        "give each state a name of its own");
  CHECK(error_of([&] { fleet[0].list_state<std::string>("x"); }) ==
        "state \"x\" is in use as operator list of i32, and is asked for as one of another type, "
        "str: give each state a name of its own");
  auto next = fleet.restarted(2);
  CHECK(error_of([&] { next[0].broadcast_state<int, int>("x"); }) ==
        "state \"x\": the snapshot holds it as operator list, and the function uses it as "
        "broadcast: the kind of a state cannot change, give the new one another name");
  CHECK(error_of([&] { next[0].list_state<std::string>("x"); }) ==
        "state \"x\": the snapshot holds operator list of i32, and the function declares operator "
        "list of str: only plain structs may change, by fields at their end");
  CHECK(all_of(next[0].list_state<int>("x")) == numbers{1});
}

TEST_CASE("a state bound before the restore gets what was stored, or the error",
          "[operator_state]") {
  operator_fleet fleet{1};
  fleet[0].list_state<int>("buffer").add(7);
  const auto chunks = fleet.snapshot();
  operator_fleet next{1};
  buffering function;
  next[0].bind(function);
  REQUIRE(next.restore(chunks, 1).ok());
  CHECK(all_of(function.buffer) == numbers{7});

  operator_fleet other{1};
  other[0].list_state<std::string>("buffer");
  CHECK(other.restore(chunks, 1).failure().code() == errc::invalid_argument);
}

struct order_v1 {
  int id = 0;
};
struct order_v2 {
  int id = 0;
  int priority = 5;
};

TEST_CASE("what nobody asks for is kept, whatever the parallelism, and in its old type",
          "[operator_state]") {
  operator_fleet first{2};
  for (int i = 0; i < 5; ++i) first[0].list_state<order_v1>("orders").add({i});
  first[1].list_state<order_v1>("orders").add({5});
  first[0].union_list_state<std::string>("names").update({"a", "b"});
  first[1].union_list_state<std::string>("names").add("c");
  for (std::size_t i = 0; i < 2; ++i) first[i].broadcast_state<int, int>("rules").put(1, 2);

  auto second = first.restarted(3);
  REQUIRE(second.outcome.ok());
  second[1].list_state<order_v2>("orders");  // the others keep the old type
  auto third = second.restarted(2);
  REQUIRE(third.outcome.ok());
  std::vector<int> ids;
  for (std::size_t i = 0; i < 2; ++i) {
    for (const auto& order : third[i].list_state<order_v2>("orders").get()) {
      ids.push_back(order.id);
      CHECK(order.priority == 5);
    }
    CHECK(all_of(third[i].union_list_state<std::string>("names")) == texts{"a", "b", "c"});
    CHECK(*third[i].broadcast_state<int, int>("rules").get(1) == 2);
  }
  CHECK(ids == numbers{0, 1, 2, 3, 4, 5});
}

TEST_CASE("a union list that nobody changes does not multiply, and what is added is stored once",
          "[operator_state]") {
  operator_fleet fleet{2};
  fleet[0].union_list_state<int>("all").update({1, 2});
  fleet[1].union_list_state<int>("all").update({3});
  for (const std::uint32_t parallelism : {2u, 3u, 1u, 4u}) {
    auto next = fleet.restarted(parallelism);
    REQUIRE(next.outcome.ok());
    for (std::size_t i = 0; i < next.size(); ++i)
      CHECK(all_of(next[i].union_list_state<int>("all")) == numbers{1, 2, 3});
    fleet = std::move(next);
  }
  fleet[3].union_list_state<int>("all").add(4);
  auto next = fleet.restarted(2);
  CHECK(all_of(next[1].union_list_state<int>("all")) == numbers{1, 2, 3, 4});
}

TEST_CASE("C114: each pending key is resumed once, by the owner of its key group",
          "[operator_state]") {
  operator_fleet one{1};
  for (int i = 1; i <= 10; ++i)
    one[0].union_list_state<std::string>("pending").add("k" + std::to_string(i));

  auto two = one.restarted(2);
  std::multiset<std::string> resumed;
  for (std::uint32_t i = 0; i < 2; ++i) {
    auto& pending = two[i].union_list_state<std::string>("pending");
    const auto owned = range_of({i}, 2, 128);
    texts own;
    for (const auto& key : pending.get())
      if (owned.contains(key_group_of(stable_hash(key), 128))) own.push_back(key);
    pending.update(own);
    resumed.insert(own.begin(), own.end());
  }
  CHECK(resumed.size() == 10);
  CHECK(std::set<std::string>{resumed.begin(), resumed.end()}.size() == 10);
  auto next = two.restarted(1);
  CHECK(next[0].union_list_state<std::string>("pending").size() == 10);
}

TEST_CASE("a long union list is warned of once", "[operator_state]") {
  operator_fleet fleet{1};
  auto& list = fleet[0].union_list_state<int>("offsets");
  for (int i = 0; i < 10'000; ++i) list.add(i);
  CHECK(fleet.restarted(3).log.lines.empty());
  list.add(0);
  CHECK(fleet.restarted(3).log.lines ==
        texts{"operator \"op\": union list \"offsets\" has 10001 elements, and every subtask looks "
              "through all of them: use an even-split list, or keyed state"});
}

TEST_CASE("the subtasks of a process hold the elements of a union list once", "[operator_state]") {
  operator_fleet fleet{1};
  fleet[0].union_list_state<std::string>("all").update({"a", "b"});
  auto next = fleet.restarted(3);
  const auto* first = &next[0].union_list_state<std::string>("all").get()[1];
  for (std::size_t i = 1; i < 3; ++i)
    CHECK(&next[i].union_list_state<std::string>("all").get()[1] == first);
}

}  // namespace
}  // namespace weir::testing
