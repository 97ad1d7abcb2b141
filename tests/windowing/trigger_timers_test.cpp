// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "weir/core/random.hpp"
#include "weir/state/row_table.hpp"
#include "weir/state/states.hpp"
#include "weir/windowing/trigger_context.hpp"

#include "support/catch.hpp"

namespace weir::windowing {
namespace {

constexpr auto event = timer_domain::event;
constexpr auto processing = timer_domain::processing;

std::string bytes_of(const trigger_timer_list& list) {
  std::string bytes;
  byte_writer out{bytes};
  codec<trigger_timer_list>::write(out, list);
  return bytes;
}

struct holder {
  trigger_timers timers{"timers"};
  auto uses_states() { return state::states(timers); }
};

/// Timers as a trigger has them, in a row.
struct kept_timers {
  using layout = state::layout_of<holder>;

  kept_timers() {
    state::bind_states(held);
    state::attach_states<layout>(held, row);
  }
  ~kept_timers() { layout::destroy(row); }

  std::vector<trigger_timer_change> changes() { return std::exchange(scope.changes(), {}); }

  holder held;
  alignas(layout::alignment) std::byte row[layout::size]{};
  trigger_scope scope{event};
  trigger_context root{scope, &held.timers};
};

}  // namespace

TEST_CASE("a list of timers is a sorted set, whatever is added and removed",
          "[trigger_timer_list]") {
  random_generator random{7};
  for (int round = 0; round < 50; ++round) {
    trigger_timer_list list;
    std::set<trigger_timer> model;
    for (int i = 0; i < 60; ++i) {
      const trigger_timer t{static_cast<std::int64_t>(random.below(6)) - 3,
                            random.chance(1, 2) ? event : processing,
                            static_cast<std::uint8_t>(random.below(3) * 15)};
      if (random.chance(1 + round % 3, 4)) {
        CHECK(list.remove(t) == (model.erase(t) > 0));
      } else if (random.chance(1, 8)) {
        std::uint32_t due = 0;
        for (const auto& m : model)
          if (m.domain == t.domain && m.time == t.time) due |= 1u << m.slot;
        std::erase_if(model, [&](auto& m) { return m.domain == t.domain && m.time == t.time; });
        CHECK(list.take_due(t.domain, t.time) == due);
      } else {
        CHECK(list.add(t) == model.insert(t).second);
      }
      if (random.chance(1, 10)) {
        auto moved = std::move(list);
        list = std::move(moved);
      }
      REQUIRE(std::equal(list.begin(), list.end(), model.begin(), model.end()));
      if (list.empty()) continue;
      const std::string bytes = bytes_of(list);
      byte_reader in{bytes};
      const auto read = codec<trigger_timer_list>::read(in);
      CHECK_FALSE(in.failed());
      CHECK(std::equal(read.begin(), read.end(), list.begin(), list.end()));
    }
  }
}

TEST_CASE("timers that cannot have been stored are refused", "[trigger_timer_list]") {
  trigger_timer_list list;
  list.add({5, event, 3});
  list.add({6, processing, 31});
  const std::string good = bytes_of(list);
  CHECK(good.size() == 19);
  const auto damaged = [](std::string bytes) {
    byte_reader in{bytes};
    static_cast<void>(codec<trigger_timer_list>::read(in));
    return in.failed();
  };
  CHECK_FALSE(damaged(good));
  for (std::size_t i = 0; i < good.size(); ++i) CHECK(damaged(good.substr(0, i)));
  CHECK(damaged(std::string(1, '\0')));  // an empty list is none
  std::string unknown = good;
  unknown[1] = static_cast<char>(2 << 5);
  CHECK(damaged(unknown));
  std::string twice = good;
  std::copy_n(twice.begin() + 1, 9, twice.begin() + 10);
  CHECK(damaged(twice));
}

TEST_CASE("a time that two parts wait for is one timer, until both have let it go",
          "[trigger_context]") {
  kept_timers kept;
  auto a = kept.root.at(0), b = kept.root.at(1);
  using changes = std::vector<trigger_timer_change>;
  a.register_timer(at(5));
  a.register_timer(at(5));
  b.register_timer(at(5));
  b.register_timer(clock_time{5});
  CHECK(kept.changes() == changes{{event, 5, true}, {processing, 5, true}});
  a.delete_timer(at(5));
  a.delete_timer(at(6));
  CHECK(kept.changes().empty());
  CHECK_FALSE(a.event_timer());
  CHECK(b.event_timer() == at(5));
  CHECK(b.processing_timer() == clock_time{5});
  b.delete_timers();
  CHECK(kept.changes() == changes{{event, 5, false}, {processing, 5, false}});
  CHECK(state::nothing_present(kept.row));
}

TEST_CASE("changes of timers that cancel each other are none", "[trigger_scope]") {
  kept_timers kept;
  kept.root.register_timer(at(5));
  kept.root.delete_timer(at(5));
  CHECK(kept.changes().empty());
  kept.root.register_timer(at(5));
  static_cast<void>(kept.changes());
  kept.root.delete_timer(at(5));
  kept.root.register_timer(at(6));
  kept.root.register_timer(at(5));
  CHECK(kept.changes() == std::vector<trigger_timer_change>{{event, 6, true}});
}

TEST_CASE("the earliest of many timers of a part is found", "[trigger_context]") {
  kept_timers kept;
  auto part = kept.root.at(2), other = kept.root.at(1);
  other.register_timer(at(1));
  for (const int t : {9, 4, 7, 5}) part.register_timer(at(t));
  CHECK(part.event_timer() == at(4));
  CHECK(kept.held.timers.take_due(event, 4) == 1u << 2);
  CHECK(part.event_timer() == at(5));
  CHECK_FALSE(part.concerned_by({event, 4, 1u << 1}));
  CHECK(part.concerned_by({event, 4, 1u << 2}));
}

TEST_CASE("timers go with their rows when a table grows", "[trigger_timers]") {
  using table = state::row_table<std::int64_t, kept_timers::layout>;
  table rows;
  holder held;
  state::bind_states(held);
  for (std::int64_t key = 0; key < 3000; ++key) {
    state::attach_states<kept_timers::layout>(held, rows.find_or_insert(key, stable_hash(key)));
    for (std::int64_t i = 0; i < key % 5 + 1; ++i) held.timers.add({key + i, event, 0});
  }
  for (std::int64_t key = 0; key < 3000; ++key) {
    const std::byte* row = rows.find(key, stable_hash(key));
    const auto* list = held.timers.in_row(row);
    REQUIRE(list != nullptr);
    CHECK(list->size() == static_cast<std::size_t>(key % 5 + 1));
    CHECK(list->begin()->time == key);
  }
}

TEST_CASE("a trigger that says that it has no timers cannot register one", "[trigger_context]") {
  trigger_scope scope{event};
  trigger_context none{scope, nullptr};
  CHECK_THROWS_AS(none.register_timer(at(1)), state::state_error);
  CHECK_FALSE(none.event_timer());
  none.delete_timer(at(1));
  none.delete_timers();
  CHECK(scope.changes().empty());
}

}  // namespace weir::windowing
