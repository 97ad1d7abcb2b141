// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <string>
#include <vector>

#include "weir/dataflow/environment.hpp"
#include "weir/dataflow/process_streams.hpp"
#include "weir/dataflow/ttl_driver.hpp"
#include "weir/state/state.hpp"
#include "weir/testing/check_stream.hpp"
#include "weir/testing/manual_clock.hpp"

#include "support/catch.hpp"

namespace weir::testing {
namespace {

struct click {
  std::string user;
  std::int64_t id = 0;
};

/// Passes the first click of a user on, and each that comes 10 ms or more behind one passed on.
struct first_clicks {
  explicit first_clicks(ttl_config config) : seen{"seen", {.ttl = config}} {}
  value_state<std::int64_t> seen;
  auto uses_states() { return states(seen); }

  void process_record(const click& in, collector<std::int64_t>& out) {
    if (seen.value() != nullptr) return;
    seen.update(in.id);
    out.collect(in.id);
  }
};

auto first_clicks_of(ttl_config config) {
  return [config](const auto& in) { return in.key_by(&click::user).process(first_clicks{config}); };
}

/// Whether the operator wants nothing of the clock: it has no key left.
script_step expect_no_alarm(bool none = true) {
  return inspect(none ? "no alarm" : "an alarm", [none](operator_harness& h) {
    const bool found = h.instance().next_alarm() == clock_time::max();
    return found == none ? ""
                         : "the operator " + std::string{found ? "has no" : "has an"} + " alarm";
  });
}

TEST_CASE("a keyed function's state lives by the clock, in every mode", "[ttl]") {
  CHECK(
      check_stream<click>(first_clicks_of(ttl(duration{10})),
                          {push(click{"a", 1}), expect(std::int64_t{1}), advance_clock(duration{9}),
                           push(click{"a", 2}), push(click{"b", 3}), expect(std::int64_t{3}),
                           advance_clock(duration{1}), push(click{"a", 4}), push(click{"b", 5}),
                           expect(std::int64_t{4}), advance_clock(duration{9}), push(click{"b", 6}),
                           expect(std::int64_t{6}), end_of_input()})
          .error_text() == "");
}

TEST_CASE("a keyed function's state lives by the watermark, in every mode", "[ttl]") {
  const auto config = ttl(duration{10}).with_clock(ttl_clock::event_time);
  CHECK(
      check_stream<click>(
          first_clicks_of(config),
          {push(click{"a", 1}, at(5)), expect(std::int64_t{1}), advance_clock(duration{100'000}),
           push(click{"a", 2}, at(20)), watermark(at(14)), push(click{"a", 3}, at(15)),
           watermark(at(15)), push(click{"a", 4}, at(12)),  // counts as of 15
           expect(std::int64_t{4}), watermark(at(24)), push(click{"a", 5}, at(30)),
           watermark(at(25)), push(click{"a", 6}, at(30)), expect(std::int64_t{6}), end_of_input()})
          .error_text() == "");
}

TEST_CASE("keys that no record comes for are freed by alarms", "[ttl]") {
  CHECK(check_stream<click>(first_clicks_of(ttl(duration{1'500})),
                            {expect_no_alarm(), push(click{"a", 1}), push(click{"b", 2}),
                             expect(std::int64_t{1}, std::int64_t{2}), expect_no_alarm(false),
                             restore(), advance_clock(duration{1'400}), expect_no_alarm(false),
                             advance_clock(duration{1'600}), expect_no_alarm()})
            .error_text() == "");
  const auto quiet = ttl(duration{1}).disable_cleanup_in_background();
  CHECK(check_stream<click>(first_clicks_of(quiet),
                            {push(click{"a", 1}), expect(std::int64_t{1}), expect_no_alarm()})
            .error_text() == "");
}

TEST_CASE("a timer's call sees no more of a state than a record would", "[ttl]") {
  struct reminder {
    value_state<std::int64_t> last{"last", {.ttl = ttl(duration{10})}};
    auto uses_states() { return states(last); }
    void process_record(const click& in, collector<std::int64_t>&,
                        keyed_context<std::string>& context) {
      last.update(in.id);
      context.timers().register_timer(clock_time{in.id});
    }
    void on_processing_timer(clock_time, collector<std::int64_t>& out,
                             keyed_context<std::string>&) {
      out.collect(last.value() == nullptr ? -1 : *last.value());
    }
  };
  CHECK(check_stream<click>(
            [](const auto& in) { return in.key_by(&click::user).process(reminder{}); },
            {push(click{"a", 9}), push(click{"b", 10}), advance_clock(duration{10}),
             expect(std::int64_t{9}, std::int64_t{-1})})
            .error_text() == "");
}

TEST_CASE("a global function's state lives by either clock, in every mode", "[ttl]") {
  struct distinct {
    explicit distinct(ttl_config config) : seen{"seen", {.ttl = config}} {}
    map_state<std::int64_t, bool> seen;
    auto uses_states() { return states(seen); }
    void process_record(const click& in, collector<std::int64_t>& out) {
      if (seen.contains(in.id)) return;
      seen.put(in.id, true);
      out.collect(in.id);
    }
  };
  const auto by = [](ttl_clock clock) {
    return [clock](const auto& in) {
      return in.global().process(distinct{ttl(duration{10}).with_clock(clock)});
    };
  };
  const std::int64_t one = 1;
  CHECK(check_stream<click>(by(ttl_clock::processing_time),
                            {push(click{"a", 1}), expect(one), advance_clock(duration{9}),
                             push(click{"a", 1}), advance_clock(duration{1}), push(click{"a", 1}),
                             expect(one), advance_clock(duration{2'000}), expect_no_alarm()})
            .error_text() == "");
  CHECK(check_stream<click>(
            by(ttl_clock::event_time),
            {push(click{"a", 1}, at(5)), expect(one), watermark(at(14)), push(click{"a", 1}, at(4)),
             watermark(at(15)), push(click{"a", 1}, at(4)), expect(one), watermark(at(24)),
             push(click{"a", 1}, at(4)), end_of_input()})
            .error_text() == "");
}

struct kept_log final : log_sink {
  void write(const log_record& record) override { messages.push_back(record.message); }
  std::vector<std::string> messages;
};

TEST_CASE("a restore that lengthens a TTL warns once, not in each subtask", "[ttl]") {
  using rows = state::keyed_rows<int, first_clicks, state::timed>;
  constexpr key_group_range groups{{0}, {127}};
  const auto chunks_of = [&](rows& from) {
    struct chunk_list final : state::snapshot_stream {
      void put(state::snapshot_chunk chunk) override { chunks.push_back(std::move(chunk)); }
      std::vector<state::snapshot_chunk> chunks;
    } out;
    from.begin_snapshot(out, "rows");
    while (from.snapshotting()) from.sweep(100);
    return state::restored_chunks{out.chunks};
  };
  first_clicks before{ttl(duration{10})};
  rows old{before, groups, 128};
  const auto chunks = chunks_of(old);
  const auto warnings = [&](duration lifetime, std::uint32_t subtask) {
    kept_log log;
    manual_clock time;
    dataflow::operator_environment environment;
    environment.name = "clicks";
    environment.subtask = {subtask};
    environment.time = &time;
    environment.log = &log;
    first_clicks after{ttl(lifetime)};
    rows restored{after, groups, 128};
    dataflow::ttl_driver<rows> driver;
    driver.open(restored, environment);
    REQUIRE(restored.restore(chunks, "rows").ok());
    driver.log_restore(environment);
    return log.messages;
  };
  CHECK(warnings(duration{10}, 0).empty());
  CHECK(warnings(duration{9}, 0).empty());
  CHECK(warnings(duration{11}, 1).empty());
  const auto told = warnings(duration{11}, 0);
  REQUIRE(told.size() == 1);
  CHECK(told[0].find("operator \"clicks\": state \"seen\" was stored with a TTL of 10 ms by "
                     "processing time and is restored with one of 11 ms") == 0);
}

TEST_CASE("a job's plan lists the TTL of each keyed state, or that it has none", "[ttl][plan]") {
  dataflow::environment env{"job"};
  struct two {
    value_state<int> a{"a", {.ttl = ttl(duration{5})}};
    list_state<int> b{"b"};
    auto uses_states() { return states(a, b); }
    void process_record(const click&, collector<int>&) {}
  };
  env.from_collection(std::vector<click>{}).uid("in").key_by(&click::user).process(two{}).uid("p");
  const auto text = env.explain().value();
  CHECK(text.find("state \"a\": value of i32, none, TTL 5 ms by processing time\n") !=
        std::string::npos);
  CHECK(text.find("state \"b\": list of i32, none, no TTL\n") != std::string::npos);
}

TEST_CASE("a job with an impossible TTL is not built", "[ttl][graph]") {
  dataflow::environment env{"job"};
  env.from_collection(std::vector<click>{})
      .key_by(&click::user)
      .process(first_clicks{ttl(duration{0})});
  const auto text = env.explain();
  REQUIRE_FALSE(text.ok());
  CHECK(text.error_text().find("state \"seen\": a TTL of 0 ms: it must be positive") !=
        std::string::npos);
}

}  // namespace
}  // namespace weir::testing
