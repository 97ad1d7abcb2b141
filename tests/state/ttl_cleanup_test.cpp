// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <string>

#include "weir/state/ttl_rules.hpp"

#include "state/ttl_contexts.hpp"
#include "state/ttl_rows.hpp"
#include "support/catch.hpp"

namespace weir::testing {
namespace {

constexpr duration lifetime{10};

ttl_config only_on_read() { return ttl(lifetime).disable_cleanup_in_background(); }

/// Moves the clock from alarm to alarm until the background clean-up wants nothing more.
template <class Rows>
std::int64_t clean_up_in_background(Rows& rows, std::int64_t from) {
  rows.rows.start_background({from});
  while (rows.rows.next_alarm() != clock_time::max()) {
    const auto alarm = rows.rows.next_alarm();
    rows.rows.on_alarm(alarm);
    while (rows.rows.has_background_work()) {
      rows.set_time(alarm.ms);
      rows.rows.clean_up_in_background();
    }
  }
  return rows.now();
}

TEST_CASE("C066: keys that are never read again are freed, after a restore too", "[ttl]") {
  constexpr int keys = 1'000'000;
  ttl_rows<value_context> rows{value_context{ttl(lifetime)}};
  {
    auto batch = rows.rows.make_batch();
    for (int key = 0; key < keys; ++key)
      batch.with_key(key, stable_hash(key), [](value_context& f, int) { f.put(1); });
  }
  REQUIRE(rows.rows.size() == keys);
  const auto peak = rows.rows.capacity();
  const auto freed = [&](ttl_rows<value_context>& r) {
    const auto end = clean_up_in_background(r, 1'000);
    CHECK(r.rows.size() == 0);
    CHECK(r.rows.capacity() <= peak / 20);
    CHECK(end <= 1'000 + 11'000);
  };
  rows.set_time(5);
  const auto snapshot = rows.snapshot();
  freed(rows);

  ttl_rows<value_context> restored{value_context{ttl(lifetime)}};
  restored.set_time(5);
  REQUIRE(restored.rows.restore(snapshot.chunks, "op").ok());
  REQUIRE(restored.rows.size() == keys);
  freed(restored);
}

TEST_CASE("C067: a snapshot of what lives leaves out what has expired at its barrier", "[ttl]") {
  ttl_rows<value_context> rows{value_context{only_on_read().cleanup_full_snapshot()}};
  for (int key = 0; key < 1'000; ++key) rows.at(0, key, [](value_context& f) { f.put(1); });
  for (int key = 1'000; key < 1'010; ++key) rows.at(15, key, [](value_context& f) { f.put(1); });
  rows.set_time(20);
  collected_chunks snapshot;
  rows.rows.begin_snapshot(snapshot, "op");
  // Whatever comes behind the barrier: these are read by the clock of the barrier.
  rows.at(25, 1'000, [](value_context& f) { CHECK(f.get() == ""); });
  rows.at(24, 5, [](value_context& f) { f.put(2); });
  while (rows.rows.snapshotting()) rows.rows.sweep(7);
  CHECK(restored_size(snapshot, value_context{only_on_read()}) == 10);

  CHECK(rows.rows.size() == 1'009);
  for (int key = 0; key < 1'000; ++key)
    if (key != 5) rows.at(24, key, [](value_context& f) { REQUIRE(f.get() == ""); });
}

TEST_CASE("expired elements go from a snapshot wherever they are", "[ttl]") {
  struct both {
    list_state<int> list{"list", {.ttl = only_on_read().cleanup_full_snapshot()}};
    map_state<int, int> map{"map", {.ttl = only_on_read().cleanup_full_snapshot()}};
    value_state<int> value{"value"};
    auto uses_states() { return states(list, map, value); }
  };
  ttl_rows<both> rows{both{}};
  rows.at(0, 1, [](both& f) { f.list.add(1), f.map.put(1, 1), f.value.update(1); });
  rows.at(8, 1, [](both& f) { f.list.add(2), f.map.put(2, 2); });
  rows.at(0, 2, [](both& f) { f.list.add(1), f.map.put(1, 1); });
  rows.set_time(10);
  const auto snapshot = rows.snapshot();
  rows.set_time(0);
  rows.at(0, 1, [](both& f) { CHECK(f.list.size() == 2); });

  ttl_rows<both> restored{both{}};
  REQUIRE(restored.rows.restore(snapshot.chunks, "op").ok());
  CHECK(restored.rows.size() == 1);
  restored.at(0, 1, [](both& f) {
    CHECK(f.list.size() == 1);
    CHECK(f.map.size() == 1);
    CHECK(f.map.contains(2));
    CHECK(f.value.value() != nullptr);
  });
}

TEST_CASE("each access looks at some other keys", "[ttl]") {
  const auto config = only_on_read().cleanup_incrementally(5, false);
  ttl_rows<value_context> rows{value_context{config}};
  for (int key = 0; key < 100; ++key) rows.at(0, key, [](value_context& f) { f.put(1); });
  rows.rows.clean_up_behind(100);  // of what has not expired
  CHECK(rows.rows.size() == 100);
  const auto at_end = rows.rows.clean_up(1'000);
  CHECK(at_end < 1'000);  // now it starts again

  rows.at(50, 1'000, [](value_context& f) { f.put(1); });
  rows.rows.clean_up_behind(1);
  CHECK(rows.rows.size() <= 96);
  CHECK(rows.rows.size() >= 95);  // the new key may be among the five
  rows.rows.clean_up_behind(1);   // no access: no clean-up
  CHECK(rows.rows.size() >= 95);
  for (int i = 0; i < 30; ++i) {
    rows.at(50, 1'000, [](value_context& f) { CHECK(f.get() == "1"); });
    rows.rows.clean_up_behind(1);
  }
  CHECK(rows.rows.size() == 1);
}

TEST_CASE("each record looks at some keys where it is to", "[ttl]") {
  const bool every_record = GENERATE(true, false);
  const auto config = only_on_read().cleanup_incrementally(5, every_record);
  ttl_rows<value_context> rows{value_context{config}};
  for (int key = 0; key < 100; ++key) rows.at(0, key, [](value_context& f) { f.put(1); });
  rows.rows.clean_up_behind(100);
  rows.rows.clean_up(1'000);
  rows.at(50, 1'000, [](value_context&) {});  // no access
  rows.rows.clean_up_behind(10);
  CHECK(rows.rows.size() == (every_record ? 50 : 100));
}

TEST_CASE("a tenth of a lifetime passes before the next round over all keys", "[ttl]") {
  ttl_rows<value_context> rows{value_context{
      ttl(duration{100}).disable_cleanup_in_background().cleanup_incrementally(5, false)}};
  const auto access = [&](std::int64_t ms) {
    rows.at(ms, 1, [](value_context& f) { f.put(1); });
    rows.rows.clean_up_behind(1);
    return rows.rows.size();
  };
  rows.at(0, 2, [](value_context& f) { f.put(1); });
  CHECK(access(95) == 2);  // a whole round
  CHECK(access(100) == 2);
  CHECK(access(104) == 2);
  CHECK(access(105) == 1);
}

TEST_CASE("all kinds of state are cleaned up, each of its own", "[ttl]") {
  struct all {
    value_state<int> kept{"kept"};
    value_state<int> v{"v", {.ttl = ttl(lifetime)}};
    reducing_state<int, std::plus<>> r{"r", {.ttl = ttl(lifetime)}};
    aggregating_state<sum_from_three> a{"a", {.ttl = ttl(lifetime)}};
    list_state<std::string> l{"l", {.ttl = ttl(lifetime)}};
    map_state<std::string, std::string> m{"m", {.ttl = ttl(lifetime)}};
    value_state<int> by_events{"e", {.ttl = ttl(lifetime).with_clock(ttl_clock::event_time)}};
    auto uses_states() { return states(kept, v, r, a, l, m, by_events); }
  };
  ttl_rows<all> rows{all{}};
  const auto fill = [](all& f) {
    f.v.update(1), f.r.add(1), f.a.add(1), f.l.add("one that is long enough for the heap");
    f.m.put("k", "one that is long enough for the heap"), f.by_events.update(1);
  };
  for (int key = 0; key < 50; ++key) rows.at(0, key, fill);
  for (int key = 0; key < 10; ++key) rows.at(0, key, [](all& f) { f.kept.update(7); });
  rows.at(5, 3, [](all& f) { f.l.add("two"), f.m.put("k2", "two"); });

  rows.rows.set_time({10}, {0});
  rows.rows.clean_up(1'000);
  CHECK(rows.rows.size() == 50);  // by_events lives
  rows.rows.set_time({10}, {10});
  rows.rows.clean_up(1'000);
  CHECK(rows.rows.size() == 10);
  rows.at(10, 3, [](all& f) {
    CHECK(f.l.size() == 1);
    CHECK(f.m.size() == 1);
    CHECK(*f.kept.value() == 7);
  });
}

TEST_CASE("the clean-ups that are on by default can be switched off or replaced", "[ttl]") {
  const auto work = [](const ttl_config& config) {
    state::ttl_rules rules{{{"s", "value", "i64", state::redistribution::none, config}}};
    rules.start({0});
    const auto alarm = rules.next_alarm();
    rules.on_alarm(alarm);
    rules.of(0)->accesses = 3;
    return std::tuple{rules.take_incremental(10), alarm.ms, rules.background_left()};
  };
  constexpr auto never = clock_time::max().ms;
  constexpr std::size_t none = 0;
  const auto config = ttl(lifetime);
  CHECK(work(config) == std::tuple{15, 1'000, 100'000});
  CHECK(work(only_on_read()) == std::tuple{none, never, none});
  CHECK(work(config.cleanup_incrementally(2, true)) == std::tuple{26, 1'000, 100'000});
  CHECK(work(only_on_read().cleanup_incrementally(2, true)) == std::tuple{26, never, none});
  CHECK(work(config.cleanup_in_background(7, duration{20})) == std::tuple{15, 20, 7});
  CHECK(work(only_on_read().cleanup_in_background(7, duration{20})) == std::tuple{none, 20, 7});
  CHECK(work(config.cleanup_full_snapshot()) == std::tuple{15, 1'000, 100'000});
}

TEST_CASE("a TTL that cannot be meant is refused", "[ttl]") {
  const auto refused = [](const ttl_config& config) {
    const auto checked = config.validate();
    return checked.ok() ? std::string{} : checked.error_text();
  };
  CHECK(refused(ttl(duration{1})).empty());
  CHECK(refused(ttl(duration{0})).find("a TTL of 0 ms: it must be positive") == 0);
  CHECK(refused(ttl(duration{-5})).find("a TTL of -5 ms: it must be positive") == 0);
  CHECK(refused(ttl(duration{0}).with_update(ttl_update::disabled)).empty());
  CHECK(refused(ttl(lifetime).cleanup_incrementally(0, true)).find("cleanup_incrementally(0") == 0);
  CHECK(refused(ttl(lifetime).cleanup_in_background(0, duration{1}))
            .find("cleanup_in_background(0") == 0);
  CHECK(refused(ttl(lifetime).cleanup_in_background(1, duration{0}))
            .find("cleanup_in_background with a period of 0 ms") == 0);
}

}  // namespace
}  // namespace weir::testing
