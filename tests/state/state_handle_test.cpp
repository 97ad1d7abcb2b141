// SPDX-License-Identifier: Apache-2.0
#include "weir/state/state_handle.hpp"

#include <array>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "weir/state/keyed_rows.hpp"
#include "weir/state/state.hpp"

#include "support/catch.hpp"

namespace weir::testing {
namespace {

using state::keyed_rows;

constexpr key_group_range all_groups{{0}, {7}};

template <class Function>
class one_function {
 public:
  explicit one_function(Function given)
      : f{std::move(given)}, rows{f, all_groups, all_groups.size()} {}

  template <class Use>
  void with(int key, Use&& use) {
    rows.with_key(key, stable_hash(key), [&](Function& g, int) { use(g); });
  }

  Function f;
  keyed_rows<int, Function> rows;
};

/// Too large for a row.
struct large {
  std::array<std::int64_t, 12> values{};
  friend bool operator==(const large&, const large&) = default;
};

/// Small, but moving it may fail.
struct slippery {
  std::string text;
  slippery(std::string t = {}) : text{std::move(t)} {}
  slippery(const slippery&) = default;
  slippery(slippery&& other) noexcept(false) : text{std::move(other.text)} {}
  slippery& operator=(const slippery&) = default;
  slippery& operator=(slippery&&) = default;
  friend bool operator==(const slippery&, const slippery&) = default;
};

template <class T>
T sample(int n) {
  if constexpr (std::is_same_v<T, large>)
    return {.values = {n, n + 1}};
  else if constexpr (std::is_same_v<T, std::int64_t>)
    return n;
  else
    return T{"a text that has memory of its own " + std::to_string(n)};
}

}  // namespace
}  // namespace weir::testing

template <>
struct weir::codec<weir::testing::slippery> {
  static void write(byte_writer& out, const testing::slippery& value) { out.block(value.text); }
  static testing::slippery read(byte_reader& in) { return {std::string{in.block()}}; }
  static std::string identity() { return "slippery"; }
};

namespace weir::testing {
namespace {

TEMPLATE_TEST_CASE("a value is absent, stored, changed in place and cleared", "[value_state]",
                   std::int64_t, std::string, large, slippery) {
  struct function {
    value_state<TestType> v{"v"};
    auto uses_states() { return states(v); }
  };
  one_function<function> one{function{}};
  one.with(1, [](function& f) {
    CHECK(f.v.value() == nullptr);
    f.v.update(sample<TestType>(1));
  });
  one.with(2, [](function& f) { CHECK(f.v.value() == nullptr); });
  one.with(1, [](function& f) {
    REQUIRE(f.v.value() != nullptr);
    CHECK(*f.v.value() == sample<TestType>(1));
    f.v.update(sample<TestType>(2));
    f.v.edit([](TestType& held) {
      CHECK(held == sample<TestType>(2));
      held = sample<TestType>(3);
    });
    CHECK(*f.v.value() == sample<TestType>(3));
    f.v.clear();
    f.v.clear();
    CHECK(f.v.value() == nullptr);
  });
  one.with(1, [](function& f) { CHECK(f.v.value() == nullptr); });
  one.with(3, [](function& f) {
    CHECK(f.v.edit([](TestType& held) { return held == TestType{}; }));
    CHECK(f.v.value() != nullptr);
  });
}

TEMPLATE_TEST_CASE("each key changes a copy of the default of its own",
                   "[value_state_with_default]", std::int64_t, std::string, large, slippery) {
  struct function {
    value_state_with_default<TestType> d{"d", sample<TestType>(7)};
    auto uses_states() { return states(d); }
  };
  one_function<function> one{function{}};
  one.with(1, [](function& f) {
    CHECK(f.d.value() == sample<TestType>(7));
    f.d.edit([](TestType& held) {
      CHECK(held == sample<TestType>(7));
      held = sample<TestType>(8);
    });
    CHECK(f.d.value() == sample<TestType>(8));
  });
  one.with(2, [](function& f) {
    CHECK(f.d.value() == sample<TestType>(7));
    f.d.update(sample<TestType>(9));
  });
  CHECK(one.rows.size() == 2);
  one.with(2, [](function& f) {
    CHECK(f.d.value() == sample<TestType>(9));
    f.d.clear();
    CHECK(f.d.value() == sample<TestType>(7));
  });
  CHECK(one.rows.size() == 1);
}

TEMPLATE_TEST_CASE("the first value of a reducing state is stored as it is", "[reducing_state]",
                   std::int64_t, std::string, large) {
  struct counted_last {
    TestType operator()(const TestType&, const TestType& next) const {
      ++*calls;
      return next;
    }
    int* calls;
  };
  struct function {
    explicit function(int* calls) : r{"r", counted_last{calls}} {}
    reducing_state<TestType, counted_last> r;
    auto uses_states() { return states(r); }
  };
  int calls = 0;
  one_function<function> one{function{&calls}};
  one.with(1, [&](function& f) {
    CHECK(f.r.get() == nullptr);
    f.r.add(sample<TestType>(1));
    CHECK(calls == 0);
    CHECK(*f.r.get() == sample<TestType>(1));
    f.r.add(sample<TestType>(2));
    CHECK(calls == 1);
    CHECK(*f.r.get() == sample<TestType>(2));
    f.r.clear();
    CHECK(f.r.get() == nullptr);
    f.r.add(sample<TestType>(3));
    CHECK(calls == 1);
  });
}

TEST_CASE("the states of a function share a row and do not touch each other", "[state_handle]") {
  struct function {
    value_state<char> a{"a"};
    value_state<std::string> b{"b"};
    value_state<std::int64_t> c{"c"};
    value_state<std::vector<int>> d{"d"};
    value_state<large> e{"e"};
    auto uses_states() { return states(a, b, c, d, e); }
  };
  one_function<function> one{function{}};
  for (int key = 0; key < 1000; ++key)
    one.with(key, [&](function& f) {
      f.a.update(static_cast<char>(key));
      f.b.update(sample<std::string>(key));
      if (key % 2 == 0) f.c.update(key);
      f.d.edit([&](std::vector<int>& v) { v.assign(3, key); });
      f.e.update(sample<large>(key));
    });
  bool right = true;
  for (int key = 0; key < 1000; ++key)
    one.with(key, [&](function& f) {
      right = right && *f.a.value() == static_cast<char>(key) &&
              *f.b.value() == sample<std::string>(key) &&
              *f.d.value() == std::vector<int>(3, key) && *f.e.value() == sample<large>(key) &&
              (key % 2 == 0 ? *f.c.value() == key : f.c.value() == nullptr);
      f.b.clear();
      right = right && *f.e.value() == sample<large>(key) && f.b.value() == nullptr;
    });
  CHECK(right);
  CHECK(one.rows.size() == 1000);
}

TEST_CASE("a value is kept in the row when it is small and moves safely", "[state_handle]") {
  CHECK(state::fits_in_row<std::int64_t>);
  CHECK(state::fits_in_row<std::string>);
  CHECK_FALSE(state::fits_in_row<large>);
  CHECK_FALSE(state::fits_in_row<slippery>);
}

TEST_CASE("a copy of a function in use views no row", "[state_handle]") {
  struct function {
    value_state<int> v{"v"};
    auto uses_states() { return states(v); }
  };
  one_function<function> one{function{}};
  one.with(1, [&](function& f) {
    f.v.update(1);
    function copy = f;
    CHECK_THROWS_AS(copy.v.update(2), state_error);
    copy = f;
    CHECK_THROWS_AS(copy.v.update(2), state_error);
    CHECK(copy.v.name() == "v");
    CHECK(*f.v.value() == 1);
  });
}

}  // namespace
}  // namespace weir::testing
