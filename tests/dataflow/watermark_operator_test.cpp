// SPDX-License-Identifier: Apache-2.0
#include "weir/dataflow/watermark_operator.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "weir/dataflow/chain.hpp"
#include "weir/testing/check_operator.hpp"

#include "dataflow/recorder.hpp"
#include "support/catch.hpp"

namespace weir::dataflow {
namespace {

using namespace weir::testing;
using texts = std::vector<std::string>;

struct reading {
  std::string sensor;
  std::int64_t ms = 0;
  event_time time() const { return {ms}; }
};

template <class T, class Extract, class Generator>
auto making(watermark_strategy<Extract, Generator> strategy) {
  return
      [strategy] { return std::make_unique<watermark_operator<T, Extract, Generator>>(strategy); };
}
auto per_record(duration bound) {
  return making<int>(bounded_out_of_orderness(bound).per_record());
}
auto periodic(duration bound) { return making<int>(bounded_out_of_orderness(bound)); }

script_step record(std::int64_t time) { return push(0, at(time)); }
script_step row(std::int64_t time) { return expect(timed{0, at(time)}); }

TEST_CASE("a watermark is the newest time less the bound and 1 ms, after each record that moves it",
          "[watermark_operator]") {
  CHECK(check<int>(per_record(duration{10}),
                   {record(12345), record(12300), record(12340), record(12280), record(723456),
                    row(12345), expect_watermark(at(12334)), row(12300), row(12340), row(12280),
                    row(723456), expect_watermark(at(723445))})
            .error_text() == "");
}

TEST_CASE("with monotonous times a record of the newest time is never late",
          "[watermark_operator]") {
  CHECK(check<int>(making<int>(monotonous_timestamps().per_record()),
                   {record(10), row(10), expect_watermark(at(9)), record(10), row(10)})
            .error_text() == "");
}

TEST_CASE("times are taken from the records: by member, member function or function",
          "[watermark_operator]") {
  const script lines = {push(reading{"a", 5}),
                        push(reading{"b", 7}),
                        expect(timed{reading{"a", 5}, at(5)}),
                        expect_watermark(at(4)),
                        expect(timed{reading{"b", 7}, at(7)}),
                        expect_watermark(at(6))};
  const auto by_function = [](const reading& r) { return at(r.ms); };
  CHECK(check<reading>(
            making<reading>(monotonous_timestamps().timestamps(&reading::time).per_record()), lines)
            .error_text() == "");
  CHECK(check<reading>(
            making<reading>(monotonous_timestamps().timestamps(by_function).per_record()), lines)
            .error_text() == "");
}

TEST_CASE("times at the ends of the range give watermarks there, not beyond",
          "[watermark_operator]") {
  CHECK(check<int>(per_record(duration{10}),
                   {push(0), row(event_time::min().ms), record(event_time::min().ms + 5),
                    row(event_time::min().ms + 5), record(event_time::max().ms),
                    row(event_time::max().ms), expect_watermark({event_time::max().ms - 11})})
            .error_text() == "");
}

TEST_CASE("watermarks and statuses from upstream end here, the last watermark does not",
          "[watermark_operator]") {
  CHECK(check<int>(per_record(duration{0}),
                   {watermark(at(100)), idle(), active(), record(5), row(5),
                    expect_watermark(at(4)), end_of_input(), expect_watermark(event_time::max()),
                    expect_control(control::end_of_input())})
            .error_text() == "");
}

TEST_CASE("periodic watermarks come at most once per interval, also without a further record",
          "[watermark_operator]") {
  operator_harness h{periodic(duration{0})};
  auto& out = h.open_output<int>();
  const auto watermarks = [&] {
    texts all;
    for (const auto& c : out.controls()) all.push_back(describe(c));
    return all;
  };
  h.push(0, at(10));
  CHECK(watermarks() == texts{"watermark 9"});
  h.push(0, at(20));
  h.push(0, at(30));
  CHECK(watermarks() == texts{"watermark 9"});
  h.advance_clock(duration{199});
  CHECK(watermarks() == texts{"watermark 9"});
  h.advance_clock(duration{1});
  CHECK(watermarks() == texts{"watermark 9", "watermark 29"});
  h.push(0, at(40));
  h.advance_clock(duration{50});
  CHECK(watermarks().size() == 2);
  h.advance_clock(duration{1'000});
  CHECK(watermarks() == texts{"watermark 9", "watermark 29", "watermark 39"});
  h.push(0, at(35));
  h.advance_clock(duration{1'000});
  CHECK(watermarks().size() == 3);
  CHECK(h.instance().next_alarm() == clock_time::max());
  CHECK(h.outcome().error_text() == "");
}

TEST_CASE("no watermark follows the last one", "[watermark_operator]") {
  operator_harness h{periodic(duration{0})};
  auto& out = h.open_output<int>();
  h.push(0, at(10));
  h.push(0, at(20));  // its watermark waits for the interval to pass
  h.end_of_input();
  h.advance_clock(duration{1'000});
  CHECK(h.outcome().error_text() == "");
  CHECK(out.complaint() != "");  // the records; but no broken rule
  CHECK(out.controls().back() == control::end_of_input());
  CHECK(h.instance().next_alarm() == clock_time::max());
}

TEST_CASE("between a barrier and the cut no watermark begins", "[watermark_operator]") {
  // Else timers behind it could fire after their operator's snapshot and before their service's.
  manual_clock clock;
  chain c;
  c.add(periodic(duration{0})());
  texts seen;
  bool open = true;
  c.add(std::make_unique<recorder<int>>(seen, open));
  REQUIRE(c.connect(0, 0, 1).ok());
  c.seal([](operator_base&, checkpoint_id) {});
  operator_environment environment;
  environment.time = &clock;
  REQUIRE(c.head().open(environment).ok());
  c.head().input(0).push_erased(batch_of({10}));
  c.head().input(0).push_erased(batch_of({20}));
  REQUIRE(c.run(100).ok());
  CHECK(seen == texts{"10", "watermark 9", "20"});

  open = false;
  c.admit(control::barrier({1}));
  REQUIRE(c.run(100).ok());
  clock.advance(duration{500});
  c.head().on_alarm(clock.now());
  CHECK(c.head().next_alarm() == clock_time::max());  // one alarm is enough
  REQUIRE(c.run(100).ok());
  open = true;
  REQUIRE(c.run(100).ok());
  CHECK(seen.back() == "barrier 1");
  REQUIRE(c.no_control_inside());
  c.barrier_done();
  REQUIRE(c.run(100).ok());
  CHECK(seen.back() == "watermark 19");
}

TEST_CASE("a restored generator goes on where it was", "[watermark_operator]") {
  CHECK(check<int>(per_record(duration{5}),
                   {record(100), row(100), expect_watermark(at(94)), restore(), record(90), row(90),
                    record(101), row(101), expect_watermark(at(95))})
            .error_text() == "");
}

/// The chunk that a subtask of these times would write.
state::snapshot_chunk written_by(std::uint32_t subtask, std::vector<std::int64_t> times) {
  class context final : public snapshot_context, public state::snapshot_stream {
   public:
    checkpoint_id id() const override { return {1}; }
    state::snapshot_stream& stream() override { return *this; }
    void defer(snapshot_work) override {}
    void put(state::snapshot_chunk c) override { chunk = std::move(c); }
    state::snapshot_chunk chunk;
  };
  operator_harness h{per_record(duration{0})};
  for (const auto time : times) h.push(0, at(time));
  context taken;
  h.instance().begin_snapshot(taken);
  taken.chunk.from = {subtask};
  return taken.chunk;
}

TEST_CASE("every restored generator goes on from the smallest of the former subtasks",
          "[watermark_operator]") {
  chain c;
  c.add(per_record(duration{0})());
  texts seen;
  const bool open = true;
  c.add(std::make_unique<recorder<int>>(seen, open));
  REQUIRE(c.connect(0, 0, 1).ok());
  c.seal([](operator_base&, checkpoint_id) {});
  REQUIRE(c.head().open({}).ok());
  const state::snapshot_chunk foreign{"another", std::nullopt, "?", {}};
  REQUIRE(c.head()
              .restore({written_by(0, {50}), foreign, written_by(1, {30, 20}), written_by(2, {40})})
              .ok());
  c.head().input(0).push_erased(batch_of({25, 31}));
  REQUIRE(c.run(100).ok());
  CHECK(seen == texts{"25", "31", "watermark 30"});
}

TEST_CASE("damaged bytes of a watermark are noticed", "[watermark_operator]") {
  const auto op = per_record(duration{0})();
  const auto done = op->restore({{"watermark", std::nullopt, "?", {}}});
  REQUIRE_FALSE(done.ok());
  CHECK(done.failure().code() == errc::corrupt);
}

/// What the operator puts out besides records, as a text.
struct control_texts {
  explicit control_texts(operator_harness::factory make)
      : h{std::move(make)}, out{&h.open_output<int>()} {}

  texts all() const {
    texts found;
    for (const auto& c : out->controls()) found.push_back(describe(c));
    return found;
  }
  operator_harness h;
  output_log* out;
};

TEST_CASE("a stream that gives nothing for too long is idle once, until its next record",
          "[watermark_operator]") {
  control_texts c{making<int>(monotonous_timestamps().idle_after(duration{30'000}))};
  c.h.push(0, at(10));
  c.h.push(0, at(20));
  c.h.advance_clock(duration{30'000});
  CHECK(c.all() == texts{"watermark 9", "watermark 19"});
  c.h.advance_clock(duration{1});
  CHECK(c.all().back() == "idle");
  c.h.advance_clock(duration{100'000});
  CHECK(c.all().size() == 3);
  c.h.push(0, at(15));
  CHECK(c.all().back() == "active");
  c.h.advance_clock(duration{30'001});
  CHECK(c.all() == texts{"watermark 9", "watermark 19", "idle", "active", "idle"});
  c.h.end_of_input();
  CHECK(c.all() == texts{"watermark 9", "watermark 19", "idle", "active", "idle", "active",
                         "watermark max", "end of input"});
  c.h.advance_clock(duration{100'000});
  CHECK(c.all().size() == 8);
  CHECK(c.h.instance().next_alarm() == clock_time::max());
}

TEST_CASE("a stream without any record becomes idle, too", "[watermark_operator]") {
  control_texts c{making<int>(monotonous_timestamps().idle_after(duration{100}))};
  c.h.push(0, at(0));
  c.h.advance_clock(duration{101});
  CHECK(c.all() == texts{"watermark -1", "idle"});
}

TEST_CASE("a stream whose receiver takes nothing is not idle", "[watermark_operator]") {
  manual_clock clock;
  chain c;
  c.add(making<int>(monotonous_timestamps().idle_after(duration{1'000}))());
  texts seen;
  bool open = false;
  c.add(std::make_unique<recorder<int>>(seen, open));
  REQUIRE(c.connect(0, 0, 1).ok());
  c.seal([](operator_base&, checkpoint_id) {});
  operator_environment environment;
  environment.time = &clock;
  REQUIRE(c.head().open(environment).ok());
  const auto wait = [&](std::int64_t ms) {
    clock.advance(duration{ms});
    c.head().on_alarm(clock.now());
    REQUIRE(c.run(100).ok());
  };
  REQUIRE(c.run(100).ok());
  wait(400);
  c.head().input(0).push_erased(batch_of({10}));
  c.head().input(0).push_erased(batch_of({20}));
  REQUIRE(c.run(100).ok());
  wait(5'000);
  CHECK(seen.empty());
  open = true;
  REQUIRE(c.run(100).ok());
  wait(1'000);
  CHECK(seen == texts{"10", "watermark 9", "20", "watermark 19"});
  wait(1);
  CHECK(seen.back() == "idle");
}

TEST_CASE("a punctuated watermark comes when the record says so, and does not go back",
          "[watermark_operator]") {
  const auto negative = [](const int& v, event_time time) {
    return v < 0 ? std::optional{time} : std::nullopt;
  };
  const auto tagged = [](int v, std::int64_t time) { return push(v, at(time)); };
  const auto out = [](int v, std::int64_t time) { return expect(timed{v, at(time)}); };
  CHECK(check<int>(making<int>(punctuated_watermarks(negative)),
                   {tagged(1, 5), out(1, 5), tagged(-1, 7), out(-1, 7), expect_watermark(at(7)),
                    tagged(-1, 6), out(-1, 6), restore(), tagged(-1, 7), out(-1, 7), tagged(-2, -3),
                    out(-2, -3), tagged(-2, 8), out(-2, 8), expect_watermark(at(8))})
            .error_text() == "");
}

/// The clock of a stream: its ticks, although no record comes.
struct counting {
  std::int64_t asked = 0;
  std::optional<event_time> on_periodic() { return at(++asked); }
};

TEST_CASE("a generator of the program's own is asked once per interval, with or without records",
          "[watermark_operator]") {
  control_texts c{making<int>(watermarks_by(counting{}))};
  c.h.push(0, at(10));
  CHECK(c.all() == texts{});
  c.h.advance_clock(duration{200});
  c.h.advance_clock(duration{200});
  CHECK(c.all() == texts{"watermark 1", "watermark 2"});
  c.h.end_of_input();
  c.h.advance_clock(duration{200});
  CHECK(c.all() == texts{"watermark 1", "watermark 2", "watermark max", "end of input"});
}

TEST_CASE("no generator ends event time", "[watermark_operator]") {
  const auto end = [](const int&, event_time) { return std::optional{event_time::max()}; };
  CHECK(check<int>(making<int>(punctuated_watermarks(end)),
                   {record(5), row(5), expect_watermark({event_time::max().ms - 1})})
            .error_text() == "");
}

TEST_CASE("bounds and intervals that make no sense are refused", "[watermark_operator]") {
  CHECK(bounded_out_of_orderness(duration{0}).validate().ok());
  CHECK_FALSE(bounded_out_of_orderness(duration{-1}).validate().ok());
  auto strategy = monotonous_timestamps();
  CHECK_FALSE(strategy.emit(watermark_emission::periodic, duration{0}).validate().ok());
  CHECK_FALSE(monotonous_timestamps().idle_after(duration{0}).validate().ok());
  CHECK_FALSE(monotonous_timestamps().idle_after(duration{-1}).validate().ok());
  CHECK_FALSE(monotonous_timestamps().with_alignment("", duration{1}).validate().ok());
}

}  // namespace
}  // namespace weir::dataflow
