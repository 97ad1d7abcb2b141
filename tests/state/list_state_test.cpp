// SPDX-License-Identifier: Apache-2.0
#include "weir/state/list_state.hpp"

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "state/lone_state.hpp"
#include "support/catch.hpp"

namespace weir::testing {
namespace {

using state::cell_format;
using state::list_state;
using state::list_view;
using state::ttl_rule;
using state::ttl_update;
using state::ttl_visibility;

template <class T>
std::vector<T> all(const list_view<T>& view) {
  return {view.begin(), view.end()};
}

using numbers = std::vector<std::int64_t>;

/// Copies throw while `left` is 0; moving is copying.
struct fragile {
  static inline int left = 1'000'000;
  std::string text;
  explicit fragile(std::string t) : text{std::move(t)} {}
  fragile(const fragile& other) : text{other.text} {
    if (left-- == 0) throw std::runtime_error{"no more copies"};
  }
  fragile& operator=(const fragile&) = default;
};

template <class T>
T sample(std::int64_t n) {
  if constexpr (std::is_same_v<T, std::string>)
    return "a text that has memory of its own " + std::to_string(n);
  else if constexpr (std::is_same_v<T, fragile>)
    return fragile{std::to_string(n)};
  else
    return T{n};
}

}  // namespace
}  // namespace weir::testing

template <>
struct weir::codec<weir::testing::fragile> {
  static void write(byte_writer& out, const testing::fragile& value) { out.block(value.text); }
  static testing::fragile read(byte_reader& in) {
    return testing::fragile{std::string{in.block()}};
  }
  static std::string identity() { return "fragile"; }
};

namespace weir::testing {
namespace {

TEMPLATE_TEST_CASE("a list is added to, replaced, cleared and gone when it is empty",
                   "[list_state]", std::int64_t, std::string) {
  using list = std::vector<TestType>;
  const auto s = [](std::int64_t n) { return sample<TestType>(n); };
  lone_state<list_state<TestType>> lone;

  CHECK(lone.of(1).get().empty());
  CHECK(lone.of(1).empty());
  CHECK_FALSE(lone.has(1));
  lone.of(1).add_all(list{});
  CHECK_FALSE(lone.has(1));
  lone.of(1).add(s(1));
  lone.of(1).add_all(list{s(2), s(3)});
  lone.of(1).add_all(list{});
  CHECK(all(lone.of(1).get()) == list{s(1), s(2), s(3)});
  CHECK(lone.of(1).size() == 3);
  CHECK(lone.of(2).get().empty());

  lone.of(1).add_all(lone.of(1).get());
  CHECK(all(lone.of(1).get()) == list{s(1), s(2), s(3), s(1), s(2), s(3)});
  lone.of(1).update(lone.of(1).get());
  CHECK(all(lone.of(1).get()) == list{s(1), s(2), s(3), s(1), s(2), s(3)});
  lone.of(1).update(list{s(4)});
  CHECK(all(lone.of(1).get()) == list{s(4)});
  lone.of(1).add(lone.of(1).get()[0]);
  CHECK(all(lone.of(1).get()) == list{s(4), s(4)});
  lone.of(1).update(list{});
  CHECK_FALSE(lone.has(1));
  lone.of(1).clear();
  CHECK(lone.of(1).size() == 0);
}

TEMPLATE_TEST_CASE("a view of a list stays as it was", "[list_state]", std::int64_t, std::string,
                   fragile) {
  const auto s = [](std::int64_t n) { return sample<TestType>(n); };
  const auto is = [&](const list_view<TestType>& view, std::int64_t count) {
    bool right = view.size() == static_cast<std::size_t>(count);
    for (std::int64_t n = 0; right && n < count; ++n) {
      if constexpr (std::is_same_v<TestType, fragile>)
        right = view[static_cast<std::size_t>(n)].text == s(n).text;
      else
        right = view[static_cast<std::size_t>(n)] == s(n);
    }
    return right;
  };
  list_view<TestType> kept;
  {
    lone_state<list_state<TestType>> lone;
    for (std::int64_t n = 0; n < 100; ++n) {
      lone.of(1).add(s(n));
      if (n == 49) kept = lone.of(1).get();
    }
    CHECK(is(lone.of(1).get(), 100));
    CHECK(is(kept, 50));
    std::int64_t next = 100;
    for (const auto& element : lone.of(1).get()) {
      static_cast<void>(element);
      lone.of(1).add(s(next++));
    }
    CHECK(is(lone.of(1).get(), 200));
    lone.of(1).clear();
    lone.of(2).add(s(0));
  }
  CHECK(is(kept, 50));
}

TEST_CASE("a list without a view is not copied by an addition", "[list_state]") {
  lone_state<list_state<std::string>> lone;
  lone.of(1).add_all(std::vector<std::string>(1000, "x"));
  const auto* before = lone.cell_of(1).elements().data();
  const auto room = lone.cell_of(1).elements().capacity();
  lone.of(1).update(lone.of(1).get());
  CHECK(lone.of(1).get().size() == 1000);
  before = lone.cell_of(1).elements().data();
  std::size_t copies = 0;
  for (std::size_t n = 0; n < 1'000'000; ++n) {
    lone.of(1).add("y");
    copies += lone.cell_of(1).elements().data() != before ? 1 : 0;
    before = lone.cell_of(1).elements().data();
  }
  CHECK(room >= 1000);
  CHECK(copies < 40);
  CHECK(lone.of(1).size() == 1'001'000);
}

TEST_CASE("a range that throws adds nothing to a list", "[list_state]") {
  lone_state<list_state<fragile>> lone;
  const std::vector<fragile> three{sample<fragile>(1), sample<fragile>(2), sample<fragile>(3)};
  for (int good = 0; good < 3; ++good) {
    fragile::left = good;
    CHECK_THROWS_AS(lone.of(1).add_all(three), std::runtime_error);
    CHECK_FALSE(lone.has(1));
  }
  fragile::left = 1'000'000;
  lone.of(1).add_all(three);
  for (int good = 0; good < 6; ++good) {
    fragile::left = good;
    CHECK_THROWS_AS(lone.of(1).add_all(three), std::runtime_error);
    CHECK(lone.of(1).get().size() == 3);
  }
  fragile::left = 1'000'000;
  CHECK(lone.of(1).get()[2].text == "3");
}

TEST_CASE("a list keeps its elements through a snapshot", "[list_state]") {
  lone_state<list_state<std::int64_t>> lone;
  lone_state<list_state<std::string>> texts;
  for (std::int64_t n = 0; n < 1000; ++n) lone.of(1).add(n * n);
  texts.of(1).add_all(std::vector<std::string>{"", "b", sample<std::string>(3)});
  REQUIRE(lone.restore(2, lone.written(1)));
  REQUIRE(texts.restore(2, texts.written(1)));
  CHECK(all(lone.of(2).get()) == all(lone.of(1).get()));
  CHECK(all(texts.of(2).get()) == all(texts.of(1).get()));

  const auto bytes = texts.written(1);
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    CAPTURE(size);
    CHECK_FALSE(texts.restore(3, bytes.substr(0, size)));
  }
  std::string huge;
  byte_writer{huge}.varint(1ull << 62);
  CHECK_FALSE(texts.restore(3, huge + bytes));
}

TEST_CASE("a list of one element has no room for another", "[list_state]") {
  lone_state<list_state<std::int64_t>> lone;
  lone.of(1).add(1);
  CHECK(sizeof(list_state<std::int64_t>::cell_type) == sizeof(void*));
  CHECK(lone.cell_of(1).elements().capacity() == 1);
}

// -- with TTL ------------------------------------------------------------------------------------

/// Elements 1 (at 0), 2 (at 5) and 3 (at 8), with a lifetime of 10.
struct three_elements {
  explicit three_elements(ttl_update update, ttl_visibility visibility)
      : rule{.lifetime = 10, .update = update, .visibility = visibility} {
    lone.set_ttl(rule);
    for (const auto& [element, time] : {std::pair{1, 0}, {2, 5}, {3, 8}}) {
      at(time).add(element);
    }
  }

  list_state<std::int64_t>& at(std::int64_t time) {
    rule.now = rule.touch = time;
    return lone.of(1);
  }
  std::size_t stored() { return lone.has(1) ? lone.cell_of(1).size() : 0; }

  ttl_rule rule;
  lone_state<list_state<std::int64_t>> lone;
};

constexpr auto on_write = ttl_update::on_create_and_write;
constexpr auto on_read = ttl_update::on_read_and_write;
constexpr auto never = ttl_visibility::never_return_expired;
constexpr auto once_more = ttl_visibility::return_expired_if_not_cleaned_up;

TEST_CASE("reading a list removes expired elements only when all have expired",
          "[list_state][ttl]") {
  three_elements list{on_write, never};
  CHECK(all(list.at(9).get()) == numbers{1, 2, 3});
  CHECK(all(list.at(10).get()) == numbers{2, 3});
  CHECK(list.at(10).size() == 2);
  CHECK(list.stored() == 3);
  CHECK(all(list.at(17).get()) == numbers{3});
  CHECK_FALSE(list.at(17).empty());
  CHECK(list.at(18).empty());
  CHECK(list.stored() == 3);
  CHECK(list.at(18).get().empty());
  CHECK(list.stored() == 0);
}

TEST_CASE("expired elements of a list are shown once more if they may be", "[list_state][ttl]") {
  three_elements list{on_write, once_more};
  CHECK(all(list.at(17).get()) == numbers{1, 2, 3});
  CHECK(all(list.at(17).get()) == numbers{1, 2, 3});
  CHECK(list.at(20).size() == 3);
  CHECK(all(list.at(20).get()) == numbers{1, 2, 3});
  CHECK(list.at(20).get().empty());
  CHECK(list.at(20).empty());
}

TEST_CASE("reading a list refreshes what has not expired and drops the rest", "[list_state][ttl]") {
  three_elements list{on_read, never};
  CHECK(all(list.at(12).get()) == numbers{2, 3});
  CHECK(list.stored() == 2);
  CHECK(all(list.at(21).get()) == numbers{2, 3});
  CHECK(all(list.at(30).get()) == numbers{2, 3});
  CHECK(list.at(40).get().empty());
  CHECK(list.stored() == 0);

  three_elements shown{on_read, once_more};
  CHECK(all(shown.at(12).get()) == numbers{1, 2, 3});
  CHECK(all(shown.at(12).get()) == numbers{2, 3});
  CHECK(all(shown.at(22).get()) == numbers{2, 3});
  CHECK(shown.stored() == 0);
}

TEST_CASE("clean-up removes every expired element of a list", "[list_state][ttl]") {
  three_elements list{on_write, never};
  list.at(9).add(4);
  list.rule.lifetime = 2;
  list.lone.cell_of(1).elements().stamps()[0] = 9;
  list.at(10);
  const auto kept = list.lone.of(1).get();
  CHECK_FALSE(list_state<std::int64_t>::remove_expired(list.lone.cell_of(1), list.rule));
  CHECK(all(list.lone.of(1).get()) == numbers{1, 4});
  CHECK(kept.size() == 2);
  list.at(11);
  CHECK(list_state<std::int64_t>::remove_expired(list.lone.cell_of(1), list.rule));
}

TEST_CASE("an update or addition stamps the elements of a list that it gives",
          "[list_state][ttl]") {
  three_elements list{on_write, never};
  list.at(9).update(list.at(9).get());
  CHECK(all(list.at(18).get()) == numbers{1, 2, 3});
  list.at(18).add_all(numbers{4, 5});
  CHECK(all(list.at(27).get()) == numbers{4, 5});
  CHECK(list.at(28).get().empty());
}

TEST_CASE("stamps of a list are stored, given at restore, and dropped", "[list_state][ttl]") {
  three_elements list{on_write, never};
  list.at(12);
  const auto timed = list.lone.written(1, {.timed = true});
  const auto live = list.lone.written(1, {.timed = true, .keep_live_only = &list.rule});
  three_elements other{on_write, never};
  REQUIRE(other.lone.restore(2, timed, {.stored_timed = true, .timed = true}));
  REQUIRE(other.lone.restore(3, live, {.stored_timed = true, .timed = true}));
  other.at(14);
  CHECK(all(other.lone.of(2).get()) == numbers{2, 3});
  CHECK(other.lone.cell_of(2).size() == 3);
  CHECK(other.lone.cell_of(3).size() == 2);

  lone_state<list_state<std::int64_t>> untimed;
  REQUIRE(untimed.restore(1, timed, {.stored_timed = true}));
  CHECK(all(untimed.of(1).get()) == numbers{1, 2, 3});
  REQUIRE(other.lone.restore(4, untimed.written(1), {.timed = true, .restore_time = 50}));
  other.at(59);
  CHECK(all(other.lone.of(4).get()) == numbers{1, 2, 3});
  other.at(60);
  CHECK(other.lone.of(4).get().empty());
}

TEST_CASE("merged lists are one behind the other, each element with its stamp",
          "[list_state][ttl]") {
  lone_state<list_state<std::int64_t>> lone;
  lone.of(1).add_all(numbers{33, 55});
  lone.of(2).add_all(numbers{22, 11});
  const auto kept = lone.of(2).get();
  lone.state.merge_cell(lone.cell_of(1), std::move(lone.cell_of(2)), lone.state);
  CHECK(all(lone.of(1).get()) == numbers{33, 55, 22, 11});
  CHECK(all(kept) == numbers{22, 11});

  ttl_rule rule{.lifetime = 100};
  lone_state<list_state<std::string>> timed;
  timed.set_ttl(rule);
  timed.of(1).add("at 0");
  rule.now = rule.touch = 50;
  timed.of(2).add("at 50");
  timed.state.merge_cell(timed.cell_of(1), std::move(timed.cell_of(2)), timed.state);
  rule.now = 120;
  CHECK(all(timed.of(1).get()) == std::vector<std::string>{"at 50"});
}

}  // namespace
}  // namespace weir::testing
