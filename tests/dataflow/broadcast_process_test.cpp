// SPDX-License-Identifier: Apache-2.0
#include <string>

#include "weir/dataflow/broadcast_operator.hpp"
#include "weir/dataflow/keyed_broadcast_operator.hpp"
#include "weir/state/state.hpp"
#include "weir/testing/check_operator.hpp"

#include "dataflow/process_fixture.hpp"
#include "support/catch.hpp"

namespace weir::testing {
namespace {

using context = keyed_context<int>;
inline constexpr output_tag<std::string> told{"told"};

constexpr event_time no_time = event_time::min();

script_step broadcast(std::string text, event_time time = no_time) {
  return push(std::move(text), time, 1);
}

/// The rules are broadcast: a record is told with each rule whose name is shorter than its value.
/// Rules that begin with '-' do something else, once.
struct ruled {
  broadcast_state<std::string, int> rules{"rules"};
  list_state<int> seen{"seen"};
  value_state<int> last{"last"};
  auto uses_states() { return states(rules, seen, last); }

  void process_record(const item& in, collector<std::string>& out, context& c) {
    seen.add(in.value);
    if (in.value > 100) last.update(in.value);
    c.timers().register_timer(at(50));
    for (const auto& [name, most] : rules.entries()) {
      if (in.value > most) out.collect(std::to_string(c.current_key()) + " breaks " + name);
    }
  }

  void process_broadcast(const std::string& rule, collector<std::string>& out,
                         broadcast_context& c) {
    if (rule == "-clear") {
      c.apply_to_keyed_state(seen, [&](const int& key, list_state<int>& list) {
        std::string text = std::to_string(key) + ":";
        for (const int value : list.get()) text += " " + std::to_string(value);
        out.collect(text);
        if (key % 2 == 0) list.clear();
      });
      return;
    }
    if (rule == "-large") {
      c.apply_to_keyed_state(last, [&](const int& key, value_state<int>& value) {
        c.output(told, std::to_string(key) + " had " + std::to_string(*value.value()));
        value.clear();
        seen.clear();
      });
      return;
    }
    if (rule == "-touch") return seen.add(1);
    if (rule == "-keys") {
      return c.apply_to_keyed_state(last, [](const long&, value_state<int>&) {});
    }
    if (rule == "-watermark") return out.collect(std::to_string(c.current_watermark().ms));
    c.writable(rules).put(rule, static_cast<int>(rule.size()));
    out.collect("rule " + rule);
    c.output(told, rule + " at " + std::to_string(c.timestamp().ms));
  }

  void on_event_timer(event_time, collector<std::string>& out, context& c) {
    out.collect(std::to_string(c.current_key()) + " under " + std::to_string(rules.size()));
  }
  void end_input(collector<std::string>& out, non_partitioned_context& c) {
    c.apply_to_all_partitions([this](collector<std::string>& each, context& at_key) {
      each.collect(std::to_string(at_key.current_key()) + " has " + std::to_string(seen.size()));
    });
    out.collect("records end");
  }
  void end_broadcast_input(collector<std::string>& out, non_partitioned_context&) {
    out.collect("rules end");
  }
};

TEST_CASE("rules that are broadcast are seen by all keys, and what they emit has their time",
          "[broadcast_process]") {
  const script lines = {
      push(item{1, 9}, at(1)),
      broadcast("abc", at(2)),
      expect(timed{std::string{"rule abc"}, at(2)}),
      expect_side(told, timed{std::string{"abc at 2"}, at(2)}),
      push(item{1, 9}, at(3)),
      push(item{2, 3}, at(4)),
      push(item{3, 4}, at(5)),
      expect(timed{std::string{"1 breaks abc"}, at(3)}, timed{std::string{"3 breaks abc"}, at(5)}),
      watermark(at(60)),
      watermark(at(55), 1),
      expect_in_any_order(timed{std::string{"1 under 1"}, at(50)},
                          timed{std::string{"2 under 1"}, at(50)},
                          timed{std::string{"3 under 1"}, at(50)}),
      broadcast("-watermark"),
      expect(std::string{"55"}),
      end_of_input(1),
      expect(timed{std::string{"rules end"}, no_time}),
      push(item{1, 9}, at(70)),
      expect(std::string{"1 breaks abc"}),
      end_of_input(0),
      expect_in_any_order(std::string{"1 has 3"}, std::string{"2 has 1"}, std::string{"3 has 1"},
                          std::string{"records end"}, std::string{"1 under 1"})};
  CHECK(check<std::string>(keyed_with_broadcast<std::string>(ruled{}), lines).error_text() == "");
}

TEST_CASE("a broadcast record visits each key that has that state once, and may clear it",
          "[broadcast_process]") {
  const script lines = {
      push(item{1, 9}),
      push(item{2, 8}),
      push(item{1, 7}),
      push(item{4, 200}),
      push(item{5, 300}),
      broadcast("-clear"),
      expect_in_any_order(std::string{"1: 9 7"}, std::string{"2: 8"}, std::string{"4: 200"},
                          std::string{"5: 300"}),
      broadcast("-clear"),
      expect_in_any_order(std::string{"1: 9 7"}, std::string{"5: 300"}),
      push(item{2, 1}),
      broadcast("-clear"),
      expect_in_any_order(std::string{"1: 9 7"}, std::string{"5: 300"}, std::string{"2: 1"}),
      broadcast("-large"),
      expect_side(told, std::string{"4 had 200"}, std::string{"5 had 300"}),
      broadcast("-clear"),
      expect(std::string{"1: 9 7"}),
      broadcast("-large")};
  CHECK(check<std::string>(keyed_with_broadcast<std::string>(ruled{}), lines).error_text() == "");
}

TEST_CASE("C077: there is no current key while a broadcast record is processed",
          "[broadcast_process]") {
  const auto make = keyed_with_broadcast<std::string>(ruled{});
  const script lines = {push(item{1, 9}), broadcast("-touch"),
                        expect_failure("state \"seen\": no key set")};
  CHECK(check<std::string>(make, lines).error_text() == "");
  const script others = {push(item{1, 900}), broadcast("-keys"),
                         expect_failure("f must take the type of the stream's keys")};
  CHECK(check<std::string>(make, others).error_text() == "");
}

/// Emits a record when one comes, and with each rule: for all keys, or without a key.
struct keeping_keys {
  value_state<int> last{"last"};
  auto uses_states() { return states(last); }

  void process_record(const item& in, collector<item>& out) {
    last.update(in.value);
    out.collect(in);
  }
  void process_broadcast(const std::string& rule, collector<item>& out, broadcast_context& c) {
    if (rule == "alone") return out.collect({1, 1});
    c.apply_to_keyed_state(last, [&](const int& key, value_state<int>& value) {
      out.collect({key + (rule == "wrong" ? 1 : 0), *value.value()});
    });
  }
};

TEST_CASE("an output that is keyed in place takes what a broadcast record emits for keys only",
          "[broadcast_process]") {
  using keys = dataflow::same_output_keys<decltype(&item::key)>;
  const auto make = [] {
    return std::make_unique<dataflow::keyed_broadcast_operator<
        item_stream, std::string, keeping_keys, state::untimed, keys, item>>(
        &item::key, keeping_keys{}, keys{&item::key});
  };
  CHECK(check<item>(make, {push(item{1, 5}), push(item{2, 6}), expect(item{1, 5}, item{2, 6}),
                           broadcast("all"), expect_in_any_order(item{1, 5}, item{2, 6})})
            .error_text() == "");
  const std::string rule = GENERATE("alone", "wrong");
  CHECK(check<item>(make, {push(item{1, 5}), broadcast(rule),
                           expect_failure("the key of an emitted record must be")})
            .error_text() == "");
}

/// The same without keys: counts records per rule in a list of the subtask.
struct counting {
  broadcast_state<std::string, int> rules{"rules"};
  state::operator_list_state<int> records{"records"};
  value_state<int> keyed{"keyed"};
  auto uses_states() { return states(rules, records); }

  void process_record(const item& in, collector<std::string>& out, partitioned_context& c) {
    records.add(in.value);
    if (c.state_manager().get_state(rules).contains("stop")) return;
    out.collect(std::to_string(in.value) + " of " + std::to_string(records.size()));
  }
  void process_broadcast(const std::string& rule, collector<std::string>&, broadcast_context& c) {
    if (rule == "-keyed") c.apply_to_keyed_state(keyed, [](const int&, value_state<int>&) {});
    if (rule == "go") {
      c.writable(rules).remove("stop");
    } else {
      c.writable(broadcast_state<std::string, int>{"rules"}).put(rule, 1);
    }
  }
  void end_input(collector<std::string>& out, non_partitioned_context&) { out.collect("end"); }
};

TEST_CASE("rules can be broadcast to a stream without keys", "[broadcast_process]") {
  const auto make = unkeyed_with_broadcast<std::string>(counting{});
  const script lines = {push(item{1, 5}, at(3)),
                        expect(timed{std::string{"5 of 1"}, at(3)}),
                        broadcast("stop"),
                        push(item{2, 6}),
                        broadcast("go"),
                        push(item{3, 7}),
                        expect(std::string{"7 of 3"}),
                        end_of_input(0),
                        expect(std::string{"end"}),
                        end_of_input()};
  CHECK(check<std::string>(make, lines).error_text() == "");
  const script failing = {broadcast("-keyed"), expect_failure("state \"keyed\"")};
  CHECK(check<std::string>(make, failing).error_text() == "");
}

}  // namespace
}  // namespace weir::testing
