// SPDX-License-Identifier: Apache-2.0
// The behaviour that all kinds of state with a TTL share. The times and values are those of Flink's
// TtlStateTestBase.
#include <cstdint>
#include <limits>
#include <string>

#include "state/ttl_contexts.hpp"
#include "state/ttl_rows.hpp"
#include "support/catch.hpp"

namespace weir::testing {
namespace {

constexpr duration lifetime{100};
constexpr auto on_read = ttl_update::on_read_and_write;
constexpr auto show_expired = ttl_visibility::return_expired_if_not_cleaned_up;

ttl_config in_either_time(ttl_config config) {
  return config.with_clock(GENERATE(ttl_clock::processing_time, ttl_clock::event_time));
}

template <class Context>
class one_key {
 public:
  explicit one_key(const ttl_config& config) : rows_{Context{config}} {}

  void put(std::int64_t ms, int i) {
    rows_.at(ms, 1, [&](Context& c) { c.put(i); });
  }
  std::string get(std::int64_t ms) {
    std::string shown;
    rows_.at(ms, 1, [&](Context& c) { shown = c.get(); });
    return shown;
  }
  bool is_stored() const { return rows_.rows.size() == 1; }

 private:
  ttl_rows<Context> rows_;
};

TEMPLATE_TEST_CASE("a state with TTL lives from its last write, or its last read", "[ttl]",
                   value_context, edited_value_context, default_context, reducing_context,
                   aggregating_context, list_context, map_entry_context, whole_map_context) {
  using context = TestType;
  SECTION("one that was never written shows nothing and stores nothing") {
    one_key<context> one{in_either_time(ttl(lifetime))};
    CHECK(one.get(50) == "");
    CHECK_FALSE(one.is_stored());
  }
  SECTION("on create and write") {
    one_key<context> one{in_either_time(ttl(lifetime))};
    one.put(0, 1);
    CHECK(one.get(20) == context::after(1));
    one.put(50, 2);
    CHECK(one.get(120) == context::after(2));
    one.put(170, 3);
    CHECK(one.get(220) == context::after(3));
    CHECK(one.get(269) == context::after(3));
    CHECK(one.get(270) == "");
    CHECK_FALSE(one.is_stored());
  }
  SECTION("on create and write, where expired state may be returned") {
    one_key<context> one{in_either_time(ttl(lifetime).with_visibility(show_expired))};
    one.put(0, 1);
    CHECK(one.get(120) == context::after(1));
    CHECK_FALSE(one.is_stored());
    CHECK(one.get(120) == "");
  }
  SECTION("on read and write") {
    one_key<context> one{in_either_time(ttl(lifetime).with_update(on_read))};
    one.put(0, 1);
    CHECK(one.get(50) == context::after(1));
    CHECK(one.get(120) == context::after(1));
    CHECK(one.get(250) == "");
    CHECK_FALSE(one.is_stored());
  }
  SECTION("on read and write, where expired state may be returned") {
    one_key<context> one{
        in_either_time(ttl(lifetime).with_update(on_read).with_visibility(show_expired))};
    one.put(0, 1);
    CHECK(one.get(50) == context::after(1));
    CHECK(one.get(170) == context::after(1));
    CHECK_FALSE(one.is_stored());
    CHECK(one.get(170) == "");
  }
}

TEMPLATE_TEST_CASE("the ends of time are no trouble to a TTL", "[ttl]", value_context,
                   edited_value_context, default_context, reducing_context, aggregating_context,
                   list_context, map_entry_context, whole_map_context) {
  using context = TestType;
  SECTION("the longest lifetime does not overflow") {
    const auto config = in_either_time(ttl(duration::max()));
    one_key<context> one{config};
    one.put(10, 1);
    CHECK(one.get(50) == context::after(1));
    CHECK(one.get(std::numeric_limits<std::int64_t>::max() - 1) == context::after(1));
  }
  SECTION("before 1970") {
    one_key<context> one{in_either_time(ttl(lifetime))};
    one.put(-1'000, 1);
    CHECK(one.get(-901) == context::after(1));
    CHECK(one.get(-900) == "");
  }
  SECTION("a TTL that is disabled") {
    const auto config = ttl(lifetime).with_update(ttl_update::disabled);
    ttl_rows<context, state::untimed> rows{context{config}};
    rows.at(0, 1, [](context& c) { c.put(1); });
    rows.at(1'000'000, 1, [](context& c) { CHECK(c.get() == context::after(1)); });
  }
}

TEMPLATE_TEST_CASE("keys expire each by themselves, and in snapshots", "[ttl]", value_context,
                   aggregating_context, list_context, whole_map_context) {
  using context = TestType;
  const auto config = in_either_time(ttl(lifetime));
  ttl_rows<context> rows{context{config}};
  rows.at(0, 1, [](context& c) { c.put(1); });
  rows.at(50, 1, [](context& c) { c.put(2); });
  rows.at(100, 2, [](context& c) { c.put(1); });
  const auto snapshot = rows.snapshot();
  const auto check_at_180 = [](ttl_rows<context>& r) {
    r.at(180, 1, [](context& c) { CHECK(c.get() == ""); });
    r.at(180, 2, [](context& c) { CHECK(c.get() == context::after(1)); });
    CHECK(r.rows.size() == 1);
  };
  check_at_180(rows);
  SECTION("the times travel in snapshots") {
    ttl_rows<context> restored{context{config}};
    restored.set_time(170);
    REQUIRE(restored.rows.restore(snapshot.chunks, "op").ok());
    check_at_180(restored);
  }
  SECTION("a snapshot of what lives leaves out the rest") {
    ttl_rows<context> filtered{context{config.cleanup_full_snapshot()}};
    REQUIRE(filtered.rows.restore(snapshot.chunks, "op").ok());
    filtered.set_time(180);
    const auto second = filtered.snapshot();
    CHECK(filtered.rows.size() == 2);
    CHECK(restored_size(second, context{config}) == 1);
    check_at_180(filtered);
  }
  SECTION("a lifetime that has become longer brings back what was not cleaned up, and warns") {
    const auto longer = ttl(duration{1'000}).with_clock(config.clock);
    ttl_rows<context> restored{context{longer}};
    REQUIRE(restored.rows.restore(snapshot.chunks, "op").ok());
    restored.at(180, 1, [](context& c) { CHECK(c.get() == context::after(2)); });
    REQUIRE(restored.rows.restore_warnings().size() == 1);
    CHECK(restored.rows.restore_warnings()[0] ==
          "state \"s\" was stored with a TTL of " + to_string(config) +
              " and is restored with one of " + to_string(longer) +
              ": what had expired but was not cleaned up is there again");
  }
  SECTION("a lifetime that has become shorter counts at once") {
    ttl_rows<context> restored{context{ttl(duration{10}).with_clock(config.clock)}};
    REQUIRE(restored.rows.restore(snapshot.chunks, "op").ok());
    CHECK(restored.rows.restore_warnings().empty());
    restored.at(110, 2, [](context& c) { CHECK(c.get() == ""); });
  }
}

TEMPLATE_TEST_CASE("C063: a TTL may be turned on and off at restore", "[ttl]", value_context,
                   reducing_context, list_context, map_entry_context) {
  using context = TestType;
  const auto off = ttl(duration{1}).with_update(ttl_update::disabled);
  SECTION("on: what is restored was touched when it was restored") {
    ttl_rows<context, state::untimed> before{context{off}};
    before.at(0, 1, [](context& c) { c.put(1); });
    const auto snapshot = before.snapshot();
    ttl_rows<context> after{context{in_either_time(ttl(duration{10}))}};
    after.set_time(50);
    REQUIRE(after.rows.restore(snapshot.chunks, "op").ok());
    CHECK(after.rows.restore_warnings().empty());
    after.at(59, 1, [](context& c) { CHECK(c.get() == context::after(1)); });
    after.at(60, 1, [](context& c) { CHECK(c.get() == ""); });
  }
  SECTION("off: what is restored is there for ever") {
    ttl_rows<context> before{context{in_either_time(ttl(duration{10}))}};
    before.at(0, 1, [](context& c) { c.put(1); });
    before.set_time(1'000);
    const auto snapshot = before.snapshot();
    ttl_rows<context, state::untimed> after{context{off}};
    REQUIRE(after.rows.restore(snapshot.chunks, "op").ok());
    after.at(1'000'000, 1, [](context& c) { CHECK(c.get() == context::after(1)); });
  }
}

TEMPLATE_TEST_CASE("times of another clock mean nothing after a restore", "[ttl]", value_context,
                   list_context, map_entry_context) {
  using context = TestType;
  ttl_rows<context> before{context{ttl(duration{10})}};
  before.at(1'000'000, 1, [](context& c) { c.put(1); });
  const auto snapshot = before.snapshot();
  ttl_rows<context> after{context{ttl(duration{20}).with_clock(ttl_clock::event_time)}};
  after.set_time(50);
  REQUIRE(after.rows.restore(snapshot.chunks, "op").ok());
  CHECK(after.rows.restore_warnings().empty());
  after.at(69, 1, [](context& c) { CHECK(c.get() == context::after(1)); });
  after.at(70, 1, [](context& c) { CHECK(c.get() == ""); });
}

TEST_CASE("C059: a value is read up to its last millisecond, and not longer", "[ttl]") {
  const auto config = ttl(duration{10}).with_update(on_read);
  one_key<value_context> one{config};
  one.put(0, 1);
  CHECK(one.get(9) == "1");
  CHECK(one.get(18) == "1");
  CHECK(one.get(28) == "");

  one_key<value_context> exact{config};
  exact.put(0, 1);
  CHECK(exact.get(10) == "");

  one_key<value_context> shown{config.with_visibility(show_expired)};
  shown.put(0, 1);
  CHECK(shown.get(10) == "1");
  CHECK_FALSE(shown.is_stored());
  CHECK(shown.get(10) == "");
}

TEST_CASE("C060: a read lengthens a life only where it is to", "[ttl]") {
  struct row {
    ttl_update update;
    const char* at_18;
  };
  const auto [update, at_18] =
      GENERATE(row{ttl_update::on_read_and_write, "1"}, row{ttl_update::on_create_and_write, ""});
  one_key<value_context> one{ttl(duration{10}).with_update(update)};
  one.put(0, 1);
  CHECK(one.get(9) == "1");
  CHECK(one.get(18) == at_18);
  CHECK(one.get(28) == "");
}

TEST_CASE("C061: a very long lifetime does not end at once", "[ttl]") {
  const auto lifetime_ms = std::numeric_limits<std::int64_t>::max() - GENERATE(0, 3);
  CAPTURE(lifetime_ms);
  one_key<value_context> one{ttl(duration{lifetime_ms})};
  one.put(5, 3);
  CHECK(one.get(6) == "3");
  CHECK(one.get(1'000'000'000'000'000) == "3");
}

TEST_CASE("in event time a record's own time counts where it is ahead of the watermark", "[ttl]") {
  value_context f{ttl(duration{10}).with_clock(ttl_clock::event_time).with_update(on_read)};
  state::keyed_rows<int, value_context, state::timed> rows{f, ttl_groups, ttl_max_parallelism};
  const auto record = [&](std::int64_t time, std::int64_t watermark, auto&& use) {
    rows.set_time({0}, {watermark});
    rows.set_record_time({time});
    rows.with_key(1, stable_hash(1), [&](value_context& g, int) { use(g); });
  };
  record(100, 50, [](value_context& g) { g.put(1); });
  record(60, 55, [](value_context& g) { CHECK(g.get() == "1"); });   // older: shortens nothing
  record(60, 109, [](value_context& g) { CHECK(g.get() == "1"); });  // counts as 109
  record(60, 118, [](value_context& g) { CHECK(g.get() == "1"); });
  record(event_time::min().ms, 128, [](value_context& g) { CHECK(g.get() == ""); });
  record(event_time::min().ms, 130, [](value_context& g) { g.put(2); });
  record(139, 139, [](value_context& g) { CHECK(g.get() == "2"); });
}

}  // namespace
}  // namespace weir::testing
