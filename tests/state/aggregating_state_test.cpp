// SPDX-License-Identifier: Apache-2.0
#include "weir/state/aggregating_state.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

#include "state/lone_state.hpp"
#include "support/catch.hpp"

namespace weir::testing {
namespace {

using state::aggregating_state;
using state::ttl_rule;
using state::ttl_update;
using state::ttl_visibility;

struct mean {
  struct accumulator {
    std::int64_t count = 0;
    std::int64_t sum = 0;
  };
  void add(std::int64_t in, accumulator& into) const { ++into.count, into.sum += in; }
  void merge(const accumulator& from, accumulator& into) const {
    into.count += from.count;
    into.sum += from.sum;
  }
  double get_result(const accumulator& a) const {
    return static_cast<double>(a.sum) / static_cast<double>(a.count);
  }
};

/// An accumulator that has memory of its own, and a function with a state of its own.
struct joined {
  using accumulator = std::string;
  std::string between = "-";
  void add(const std::string& in, std::string& into) const {
    into += (into.empty() ? "" : between) + in;
  }
  void merge(const std::string& from, std::string& into) const { add(from, into); }
  std::size_t get_result(const std::string& a) const { return a.size(); }
};

/// An accumulator that is a plain number.
struct total {
  using accumulator = std::int64_t;
  void add(std::int64_t in, std::int64_t& into) const { into += in; }
  void merge(std::int64_t from, std::int64_t& into) const { into += from; }
  std::int64_t get_result(std::int64_t a) const { return a; }
};

TEST_CASE("an aggregating state has no result before anything is added", "[aggregating_state]") {
  lone_state<aggregating_state<mean>> lone;
  CHECK(lone.of(1).get() == std::nullopt);
  CHECK_FALSE(lone.has(1));
  lone.of(1).add(3);
  lone.of(2).add(10);
  lone.of(1).add(4);
  CHECK(lone.of(1).get() == 3.5);
  CHECK(lone.of(2).get() == 10.0);
  lone.of(1).clear();
  CHECK(lone.of(1).get() == std::nullopt);
  CHECK_FALSE(lone.has(1));
  lone.of(1).add(8);
  CHECK(lone.of(1).get() == 8.0);
  REQUIRE(lone.restore(3, lone.written(1)));
  CHECK(lone.of(3).get() == 8.0);
}

TEST_CASE("accumulators are merged by the function of the state", "[aggregating_state]") {
  lone_state<aggregating_state<joined>> lone{joined{"::"}};
  lone.of(1).add("a");
  lone.of(2).add("b");
  lone.of(2).add("c");
  lone.state.merge_cell(lone.cell_of(1), std::move(lone.cell_of(2)), lone.state);
  CHECK(lone.cell_of(1) == "a::b::c");
  CHECK(lone.of(1).get() == 7u);
}

TEMPLATE_TEST_CASE("merged accumulators have the sum of all, of whatever type they are",
                   "[aggregating_state]", mean, total) {
  // The values of Flink's testAggregatingStateMerging.
  lone_state<aggregating_state<TestType>> lone;
  for (const std::int64_t n : {33, 55}) lone.of(1).add(n);
  for (const std::int64_t n : {22, 11}) lone.of(2).add(n);
  lone.of(3).add(std::int64_t{44});
  for (const int from : {2, 3})
    lone.state.merge_cell(lone.cell_of(1), std::move(lone.cell_of(from)), lone.state);
  CHECK(lone.of(1).get() == (std::is_same_v<TestType, mean> ? 33 : 165));
}

TEST_CASE("a new accumulator is begun when the old one has expired", "[aggregating_state][ttl]") {
  ttl_rule rule{.lifetime = 10};
  lone_state<aggregating_state<joined>> lone;
  lone.set_ttl(rule);
  const auto at = [&](std::int64_t time) -> auto& {
    rule.now = rule.touch = time;
    return lone.of(1);
  };
  at(0).add("a");
  at(9).add("b");
  CHECK(at(18).get() == 3u);
  CHECK(at(19).get() == std::nullopt);
  CHECK_FALSE(lone.has(1));
  at(20).add("c");
  at(30).add("d");
  CHECK(lone.cell_of(1) == "d");

  rule.visibility = ttl_visibility::return_expired_if_not_cleaned_up;
  at(40).add("e");
  CHECK(lone.cell_of(1) == "d-e");
  CHECK(at(50).get() == 3u);
  CHECK(at(50).get() == std::nullopt);
}

}  // namespace
}  // namespace weir::testing
