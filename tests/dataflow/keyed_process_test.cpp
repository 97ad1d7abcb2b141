// SPDX-License-Identifier: Apache-2.0
#include <string>

#include "weir/dataflow/keyed_process_operator.hpp"
#include "weir/state/state.hpp"
#include "weir/testing/check_operator.hpp"

#include "dataflow/process_fixture.hpp"
#include "support/catch.hpp"

namespace weir::testing {
namespace {

using context = keyed_context<int>;
inline constexpr output_tag<std::string> told{"told"};

constexpr event_time no_time = event_time::min();

/// The sum of each key. A negative record has the sums of all keys told, and those of even keys
/// cleared; zero asks for timers.
struct summing {
  value_state_with_default<int> sum{"sum", 0};
  auto uses_states() { return states(sum); }

  void process_record(const item& in, collector<item>& out, context& c) {
    if (in.value < 0) return tell_all(c);
    if (in.value == 0) {
      c.timers().register_timer(c.timestamp() + duration{10});
      c.timers().register_timer(clock_time{100});
      return;
    }
    out.collect({in.key, sum.edit([&](int& s) { return s += in.value; })});
  }

  void tell_all(context& c) {
    const int own = sum.value();
    c.non_partitioned().apply_to_all_partitions([this](collector<item>& out, context& each) {
      out.collect({each.current_key(), sum.value()});
      each.output(told, std::to_string(each.current_key()));
      if (each.current_key() % 2 == 0) sum.clear();
    });
    if (sum.value() != (c.current_key() % 2 == 0 ? 0 : own)) throw std::logic_error{"other key"};
  }

  void on_event_timer(event_time t, collector<item>& out, context& c) {
    if (c.timestamp() != t || c.timers().current_watermark() < t) throw std::logic_error{"time"};
    out.collect({c.current_key(), sum.value()});
    c.output(told, "event timer");
  }
  void on_processing_timer(clock_time t, collector<item>& out, context& c) {
    if (c.timestamp() != no_time || c.timers().now() < t) throw std::logic_error{"clock"};
    out.collect({c.current_key(), -sum.value()});
    c.output(told, "clock timer");
  }
};

TEST_CASE("a keyed function visits all keys that have state, restored ones too, and may clear them",
          "[keyed_process]") {
  const script lines = {push(item{1, 10}, at(1)),
                        push(item{2, 20}, at(2)),
                        push(item{3, 30}, at(3)),
                        expect(item{1, 10}, item{2, 20}, item{3, 30}),
                        push(item{3, -1}, at(4)),
                        expect_in_any_order(timed{item{1, 10}, at(4)}, timed{item{2, 20}, at(4)},
                                            timed{item{3, 30}, at(4)}),
                        push(item{2, -1}, at(5)),
                        expect_in_any_order(item{1, 10}, item{3, 30}),
                        push(item{4, 40}, at(5)),
                        push(item{3, 1}, at(6)),
                        expect(item{4, 40}, item{3, 31}),
                        push(item{4, -1}, at(7)),
                        expect_in_any_order(item{1, 10}, item{3, 31}, item{4, 40}),
                        push(item{7, -1}, at(8)),  // has no state itself
                        expect_in_any_order(item{1, 10}, item{3, 31})};
  CHECK(check<item>(keyed<item>(summing{}), lines).error_text() == "");
}

TEST_CASE("what a timer emits has the time of an event timer, and none of a clock's",
          "[keyed_process]") {
  const script lines = {push(item{1, 5}, at(1)),
                        expect(timed{item{1, 5}, at(1)}),
                        push(item{1, 0}, at(3)),
                        watermark(at(20)),
                        expect(timed{item{1, 5}, at(13)}),
                        expect_side(told, timed{std::string{"event timer"}, at(13)}),
                        advance_clock(duration{100}),
                        expect(timed{item{1, -5}, no_time}),
                        expect_side(told, timed{std::string{"clock timer"}, no_time}),
                        end_of_input()};
  CHECK(check<item>(keyed<item>(summing{}), lines).error_text() == "");
}

/// Two outputs, and the end.
struct splitting {
  value_state_with_default<int> count{"count", 0};
  auto uses_states() { return states(count); }

  void process_record(const item& in, collector<int>& even, collector<std::string>& odd,
                      context& c) {
    count.edit([](int& n) { ++n; });
    if (in.value % 2 == 0) {
      even.collect(in.value);
    } else {
      odd.collect(std::to_string(in.value), c.timestamp() + duration{1});
    }
    c.output(told, "record");
  }
  void end_input(collector<int>& even, collector<std::string>& odd, non_partitioned_context& c) {
    even.collect(-1);
    c.apply_to_all_partitions([&](collector<int>&, collector<std::string>& out, context& each) {
      out.collect("key " + std::to_string(each.current_key()) + ": " +
                  std::to_string(count.value()));
    });
    odd.collect("end");
  }
};

TEST_CASE("a keyed function with two outputs emits to both, and side outputs come after them",
          "[keyed_process]") {
  const script lines = {
      push(item{1, 2}, at(1)),
      push(item{1, 3}, at(2)),
      push(item{1, 5}, at(3)),
      watermark(at(9)),
      end_of_input(),
      expect(timed{2, at(1)}, timed{-1, no_time}),
      expect_second<std::string>(timed{std::string{"3"}, at(3)}, timed{std::string{"5"}, at(4)},
                                 std::string{"key 1: 3"}, std::string{"end"}),
      expect_side(told, timed{std::string{"record"}, at(1)}, std::string{"record"},
                  std::string{"record"})};
  CHECK(check<int>(keyed<int, std::string>(splitting{}), lines).error_text() == "");
}

/// Asks the state manager for shared declarations.
struct managed {
  static inline const value_state<int> last{"last"};
  static inline const list_state<int> others{"others"};

  value_state<int> mine = last;
  list_state<int> list{"list"};
  auto uses_states() { return states(mine, list); }

  void process_record(const item& in, collector<int>& out, context& c) {
    auto& manager = c.state_manager();
    if (&manager.get_state(mine) != &mine || manager.get_state_optional(list) != &list) {
      throw std::logic_error{"another object"};
    }
    if (manager.current_key() != in.key) throw std::logic_error{"another key"};
    if (in.value == 0) {
      manager.get_state(others).add(1);
    } else if (in.value == 1) {
      (void)manager.get_state_optional(value_state<std::string>{"list"});
    } else if (in.value == 2) {
      if (manager.get_state_optional(others) != nullptr) throw std::logic_error{"there"};
      out.collect(0);
    } else {
      auto& state = manager.get_state(last);
      out.collect(state.value() == nullptr ? -1 : *state.value());
      state.update(in.value);
    }
  }
};

TEST_CASE("states are found by the listed object and by any declaration of that name",
          "[keyed_process]") {
  const auto make = keyed<int>(managed{});
  CHECK(check<int>(make, {push(item{1, 7}), push(item{2, 8}), push(item{1, 9}), push(item{1, 9}),
                          push(item{1, 2}), expect(-1, -1, 7, 9, 0)})
            .error_text() == "");
  CHECK(check<int>(make,
                   {push(item{1, 0}), expect_failure("state \"others\" is used but not listed in "
                                                     "uses_states(): list it there")})
            .error_text() == "");
  const std::string clash = "state \"list\" is asked for as value of " +
                            codec_identity<std::string>() +
                            ", and uses_states() lists it as list of " + codec_identity<int>();
  CHECK(check<int>(make, {push(item{1, 1}), expect_failure(clash)}).error_text() == "");
}

/// Uses what it may not, in the way of its number.
struct misusing {
  int how = 0;
  value_state<int> listed{"listed"};
  value_state<int> forgotten{"forgotten"};
  auto uses_states() { return states(listed); }

  void open(non_partitioned_context&) {
    if (how == 0) listed.update(1);
  }
  void process_record(const item&, collector<item>&, context& c) {
    if (how == 1) forgotten.update(1);
    auto& all = c.non_partitioned();
    if (how == 2) all.apply_to_all_partitions([](collector<item>&, partitioned_context&) {});
    if (how == 3) all.apply_to_all_partitions([](collector<int>&, context&) {});
    if (how == 4) {
      listed.update(1);
      all.apply_to_all_partitions([](collector<item>&, context& each) {
        each.non_partitioned().apply_to_all_partitions([](collector<item>&, context&) {});
      });
    }
  }
  void end_input(collector<item>&, non_partitioned_context&) {
    if (how == 5) (void)listed.value();
  }
};

TEST_CASE("C077: misuse of state, keys and partitions is named, and says what to do",
          "[keyed_process]") {
  struct row {
    int how;
    std::string text;
  };
  const auto [how, text] =
      GENERATE(row{0, "state \"listed\": no key set"},
               row{1, "state \"forgotten\" is used but not listed in uses_states(): list it there"},
               row{2, "then a keyed_context<K>& with the keys of the stream"},
               row{3, "a collector<R>& for each output of the function"},
               row{4, "another visit must wait"}, row{5, "state \"listed\": no key set"});
  CAPTURE(how);
  const script lines = {push(item{1, 1}), end_of_input(), expect_failure(text)};
  CHECK(check<item>(keyed<item>(misusing{how}), lines).error_text() == "");
}

/// Emits the record; and, for negative ones, a record of another key.
struct keeping_keys {
  value_state<int> seen{"seen"};
  auto uses_states() { return states(seen); }

  void process_record(const item& in, collector<item>& out, context& c) {
    seen.update(in.value);
    out.collect(in);
    if (in.value == -1) out.collect({in.key + 1, 0});
    if (in.value == -2) {
      for (int i = 0; i < 3'000; ++i) out.collect({in.key, i});
      out.collect({in.key + 1, 0});
      for (int i = 0; i < 3'000; ++i) out.collect({in.key, i});
    }
    c.timers().register_timer(at(in.value));
  }
  void on_event_timer(event_time time, collector<item>& out, context& c) {
    out.collect({c.current_key() + (time == at(5) ? 1 : 0), 0});
  }
  void end_input(collector<item>& out, non_partitioned_context& c) {
    c.apply_to_all_partitions(
        [](collector<item>& each, context& at_key) { each.collect({at_key.current_key(), 9}); });
    if (end_with_another) out.collect({1, 1});
  }
  bool end_with_another = false;
};

TEST_CASE("an output that is keyed in place takes records of the current key only",
          "[keyed_process]") {
  const std::string text = "the key of an emitted record must be the key of the record or timer";
  CHECK(check<item>(keyed_in_place(keeping_keys{}),
                    {push(item{1, 3}), push(item{2, 4}), expect(item{1, 3}, item{2, 4}),
                     watermark(at(4)), expect_in_any_order(item{1, 0}, item{2, 0}), end_of_input(),
                     expect_in_any_order(item{1, 9}, item{2, 9})})
            .error_text() == "");
  const auto failing = GENERATE(-1, -2, 5);
  CAPTURE(failing);
  CHECK(check<item>(keyed_in_place(keeping_keys{}), {push(item{1, 1}), push(item{1, failing}),
                                                     watermark(at(5)), expect_failure(text)})
            .error_text() == "");
  keeping_keys at_the_end;
  at_the_end.end_with_another = true;
  CHECK(check<item>(keyed_in_place(at_the_end),
                    {push(item{1, 3}), end_of_input(), expect_failure(text)})
            .error_text() == "");
}

}  // namespace
}  // namespace weir::testing
