// SPDX-License-Identifier: Apache-2.0
#include <string>

#include "weir/dataflow/process_operator.hpp"
#include "weir/state/state.hpp"
#include "weir/testing/check_operator.hpp"

#include "dataflow/process_fixture.hpp"
#include "support/catch.hpp"

namespace weir::testing {
namespace {

inline constexpr output_tag<std::string> told{"told"};

/// Two outputs and a side output; counts in a state of the subtask.
struct splitting {
  state::operator_list_state<int> seen{"seen"};
  auto uses_states() { return states(seen); }

  void process_record(const item& in, collector<int>& even, collector<std::string>& odd,
                      partitioned_context& c) {
    seen.add(in.value);
    if (in.value % 2 == 0) {
      even.collect(in.value);
    } else {
      odd.collect(std::to_string(in.value));
    }
    c.output(told, std::to_string(c.timestamp().ms));
  }
  void end_input(collector<int>& even, collector<std::string>&, non_partitioned_context& c) {
    c.apply_to_all_partitions([](collector<int>& out, collector<std::string>&,
                                 partitioned_context&) { out.collect(-1); });
    even.collect(static_cast<int>(seen.size()));
  }
};

TEST_CASE("a function without keys emits to two outputs, and has one partition", "[process]") {
  const script lines = {push(item{1, 2}, at(1)),
                        push(item{2, 3}, at(2)),
                        push(item{3, 4}, at(3)),
                        watermark(at(9)),
                        end_of_input(),
                        expect(timed{2, at(1)}, timed{4, at(3)}, timed{-1, event_time::min()}, 3),
                        expect_second<std::string>(timed{std::string{"3"}, at(2)}),
                        expect_side(told, std::string{"1"}, std::string{"2"}, std::string{"3"})};
  CHECK(check<int>(unkeyed<int, std::string>(splitting{}), lines).error_text() == "");
}

/// As on a global stream: keyed kinds of state are those of the only partition.
struct averaging {
  value_state_with_default<int> count{"count", 0};
  list_state<int> all{"all"};
  auto uses_states() { return states(count, all); }

  void process_record(const item& in, collector<int>& out, partitioned_context& c) {
    if (&c.state_manager().get_state(count) != &count) throw std::logic_error{"another object"};
    all.add(in.value);
    if (count.edit([](int& n) { return ++n; }) < 3) return;
    c.non_partitioned().apply_to_all_partitions([this](collector<int>& each, partitioned_context&) {
      int sum = 0;
      for (const int value : all.get()) sum += value;
      each.collect(sum / count.value());
      count.clear();
      all.clear();
    });
    if (count.value() != 0) throw std::logic_error{"not cleared"};
    out.collect(0);
  }
  void end_input(collector<int>&, non_partitioned_context& c) {
    c.apply_to_all_partitions(
        [this](collector<int>& out, partitioned_context&) { out.collect(count.value()); });
  }
};

TEST_CASE("state of the single partition is kept, visited, cleared and restored", "[process]") {
  const script lines = {push(item{1, 1}), push(item{2, 2}), push(item{3, 6}), expect(3, 0),
                        push(item{4, 4}), push(item{5, 4}), push(item{6, 4}), expect(4, 0),
                        push(item{7, 4}), end_of_input(),   expect(1)};
  CHECK(check<int>(unkeyed<int>(averaging{}), lines).error_text() == "");
}

/// Asks for what only keyed streams have, in the way of its number.
struct misusing {
  int how = 0;
  value_state<int> listed{"listed"};
  auto uses_states() { return states(listed); }

  void process_record(const item&, collector<item>&, partitioned_context& c) {
    if (how == 0) c.timers().register_timer(at(5));
    if (how == 1) c.timers().delete_timer(clock_time{5});
    if (how == 2) c.state_manager().current_key();
    if (how == 3) {
      c.non_partitioned().apply_to_all_partitions([](collector<item>&, keyed_context<int>&) {});
    }
    if (how == 4) (void)c.state_manager().get_state(list_state<int>{"other"});
  }
  void end_input(collector<item>&, non_partitioned_context&) {
    if (how == 5) (void)listed.value();
  }
};

TEST_CASE("C077: keys and timers on a stream without keys are refused, and it is said what to do",
          "[process]") {
  struct row {
    int how;
    std::string text;
  };
  const auto [how, text] =
      GENERATE(row{0, "a timer belongs to a key, and there are no keys here: call key_by(...)"},
               row{1, "a timer belongs to a key"},
               row{2, "current_key(): there are no keys here: call key_by(...)"},
               row{3, "a partitioned_context& where there are no keys"},
               row{4, "state \"other\" is used but not listed"}, row{5, "no key set"});
  CAPTURE(how);
  const script lines = {push(item{1, 1}), end_of_input(), expect_failure(text)};
  CHECK(check<item>(unkeyed<item>(misusing{how}), lines).error_text() == "");
}

}  // namespace
}  // namespace weir::testing
