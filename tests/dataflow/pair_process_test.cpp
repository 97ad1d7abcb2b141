// SPDX-License-Identifier: Apache-2.0
#include <string>

#include "weir/dataflow/keyed_pair_operator.hpp"
#include "weir/dataflow/pair_operator.hpp"
#include "weir/state/state.hpp"
#include "weir/testing/check_operator.hpp"

#include "dataflow/process_fixture.hpp"
#include "support/catch.hpp"

namespace weir::testing {
namespace {

using context = keyed_context<int>;

constexpr event_time no_time = event_time::min();

/// Pays out what both sides have brought, per key, 10 ms behind.
struct balancing {
  value_state_with_default<int> left{"left", 0};
  value_state_with_default<int> right{"right", 0};
  auto uses_states() { return states(left, right); }

  void process_first(const item& in, collector<item>&, collector<int>&, context& c) {
    left.edit([&](int& n) { n += in.value; });
    c.timers().register_timer(c.timestamp() + duration{10});
  }
  void process_second(const item& in, collector<item>& out, collector<int>&) {
    right.edit([&](int& n) { n += in.value; });
    if (left.value() == right.value()) out.collect({in.key, 0});
  }
  void on_event_timer(event_time, collector<item>& out, collector<int>& times, context& c) {
    out.collect({c.current_key(), left.value() - right.value()});
    times.collect(c.current_key());
  }
  void end_first_input(collector<item>& out, collector<int>&, non_partitioned_context&) {
    out.collect({0, 1});
  }
  void end_second_input(collector<item>& out, collector<int>&, non_partitioned_context& c) {
    c.apply_to_all_partitions([this](collector<item>& each, collector<int>&, context& at_key) {
      each.collect({at_key.current_key(), left.value()});
    });
    out.collect({0, 2});
  }
};

TEST_CASE("two keyed streams share the states and the timers of their keys", "[pair_process]") {
  const script lines = {push(item{1, 5}, at(1)),
                        push(item{2, 7}, at(2)),
                        push(item{1, 3}, at(3), 1),
                        push(item{1, 2}, at(4), 1),
                        expect(timed{item{1, 0}, at(4)}),
                        watermark(at(30)),
                        watermark(at(11), 1),
                        expect(timed{item{1, 0}, at(11)}),
                        expect_second<int>(timed{1, at(11)}),
                        watermark(at(20), 1),
                        expect(timed{item{2, 7}, at(12)}),
                        expect_second<int>(2),
                        push(item{2, 9}, at(25)),
                        end_of_input(0),
                        expect(timed{item{0, 1}, no_time}),
                        push(item{3, 0}, at(26), 1),
                        expect(item{3, 0}),
                        watermark(at(27), 1),
                        push(item{2, 16}, at(28), 1),
                        expect(timed{item{2, 0}, at(28)}),
                        end_of_input(1),
                        expect_in_any_order(item{1, 5}, item{2, 16}, item{3, 0}, item{0, 2},
                                            timed{item{2, 0}, at(35)}),
                        expect_second<int>(timed{2, at(35)})};
  CHECK(check<item>(keyed_pair<item, int>(balancing{}), lines).error_text() == "");
}

/// Zips two streams without keys; what waits is state of the subtask.
struct zipping {
  state::operator_list_state<int> first{"first"};
  state::operator_list_state<int> second{"second"};
  auto uses_states() { return states(first, second); }

  void process_first(const item& in, collector<item>& out) {
    first.add(in.value);
    zip(out);
  }
  void process_second(const item& in, collector<item>& out, partitioned_context& c) {
    second.add(in.value);
    if (c.timestamp() == no_time) throw std::logic_error{"no time"};
    zip(out);
  }
  void end_first_input(collector<item>& out, non_partitioned_context&) {
    for (const int value : first.get()) out.collect({value, -1});
  }
  void end_second_input(collector<item>& out, non_partitioned_context&) {
    for (const int value : second.get()) out.collect({-1, value});
  }
  void zip(collector<item>& out) {
    if (first.empty() || second.empty()) return;
    out.collect({first.get()[0], second.get()[0]});
    first.clear();
    second.clear();
  }
};

TEST_CASE("a function is given two streams without keys", "[pair_process]") {
  const script lines = {push(item{0, 1}, at(1)),
                        push(item{0, 2}, at(2), 1),
                        push(item{0, 3}, at(3), 1),
                        expect(timed{item{1, 2}, at(2)}),
                        push(item{0, 4}, at(4)),
                        push(item{0, 5}, at(5)),
                        expect(timed{item{4, 3}, at(4)}),
                        end_of_input(0),
                        end_of_input(1),
                        expect(item{5, -1})};
  CHECK(check<item>(unkeyed_pair<item>(zipping{}), lines).error_text() == "");
}

}  // namespace
}  // namespace weir::testing
