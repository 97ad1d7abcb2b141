// SPDX-License-Identifier: Apache-2.0
#include "weir/dataflow/timer_client.hpp"

#include <string>
#include <vector>

#include "dataflow/timer_loop.hpp"
#include "support/catch.hpp"

namespace weir::dataflow {
namespace {

using loop = testing::timer_loop<std::string>;
using timers = std::vector<timer<std::string>>;

constexpr auto event = timer_domain::event;
constexpr auto processing = timer_domain::processing;

std::size_t log_size(timer_client<std::string>& client) {
  timer_message message;
  client.add_to(message);
  if (message.logs.empty()) return 0;
  return static_cast<timer_log<std::string>&>(*message.logs[0].log).entries.size();
}

}  // namespace

TEST_CASE("C050: a timer registered several times fires once", "[timer_client]") {
  const bool in_messages_of_their_own = GENERATE(false, true);
  loop run;
  for (int i = 0; i < 3; ++i) {
    run.client.register_timer(at(10), "a");
    if (in_messages_of_their_own) run.settle();
  }
  run.client.register_timer(at(10), "b");
  CHECK(run.advance(10) == timers{{event, 10, "a"}, {event, 10, "b"}});
  CHECK(run.advance(20).empty());
}

TEST_CASE("C052: a looping timer makes each step within one big advance", "[timer_client]") {
  loop run;
  run.client.register_timer(at(10), "a");
  const auto called =
      run.advance(27, [&](const auto& t) { run.client.register_timer(at(t.time + 5), t.subject); });
  CHECK(called == timers{{event, 10, "a"}, {event, 15, "a"}, {event, 20, "a"}, {event, 25, "a"}});
  CHECK(run.service.size() == 1);
  CHECK_FALSE(run.client.needs_round_trip(at(29)));
  CHECK(run.advance(30) == timers{{event, 30, "a"}});
}

TEST_CASE("C054: an overdue processing timer fires once after a restore, with its own time",
          "[timer_client]") {
  loop before;
  before.client.register_timer(clock_time{10}, "a");
  const auto chunks = before.snapshot();

  loop after{clock_time{100}, chunks};
  REQUIRE(after.restored.ok());
  CHECK(after.call_processing() == timers{{processing, 10, "a"}});
  CHECK(after.move_clock(110).empty());
  CHECK(after.service.size() == 0);
  CHECK_FALSE(after.alarm);
}

TEST_CASE("a watermark below all timers needs no round trip", "[timer_client]") {
  loop run;
  CHECK(run.client.needs_round_trip(at(0)));  // what was restored is not known yet
  CHECK(run.advance(0).empty());
  CHECK_FALSE(run.client.needs_round_trip(at(1'000'000)));
  run.client.register_timer(at(50), "a");
  CHECK_FALSE(run.client.needs_round_trip(at(49)));
  CHECK(run.client.needs_round_trip(at(50)));
  run.settle();
  CHECK(run.advance(50).size() == 1);
  CHECK_FALSE(run.client.needs_round_trip(at(1'000'000)));
}

TEST_CASE("what an advance leaves and what its callbacks register is due later", "[timer_client]") {
  loop run;
  run.client.register_timer(at(10), "a");
  run.client.register_timer(at(40), "b");
  run.advance(10, [&](const auto&) { run.client.register_timer(at(30), "c"); });
  CHECK_FALSE(run.client.needs_round_trip(at(29)));
  CHECK(run.advance(30) == timers{{event, 30, "c"}});
  CHECK_FALSE(run.client.needs_round_trip(at(39)));
  CHECK(run.advance(40) == timers{{event, 40, "b"}});
}

TEST_CASE("a timer registered while the service is asked is not forgotten", "[timer_client]") {
  loop run;
  run.client.begin_advance(at(10));
  run.send();
  run.client.register_timer(at(30), "a");
  run.settle();
  CHECK_FALSE(run.client.next_event());
  CHECK_FALSE(run.client.advancing());
  CHECK_FALSE(run.client.needs_round_trip(at(29)));
  CHECK(run.client.needs_round_trip(at(30)));
}

TEST_CASE("timers that come and go within an advance never reach the service", "[timer_client]") {
  loop run;
  run.client.register_timer(at(10), "a");
  run.client.begin_advance(at(100));
  run.settle();
  while (const auto due = run.client.next_event())
    run.client.register_timer(at(due->time + 10), "a");
  CHECK(log_size(run.client) == 2);  // 10 is confirmed, 110 registered
}

TEST_CASE("ten million watermarks without timers send no message", "[timer_client]") {
  loop run;
  run.advance(0);
  run.client.register_timer(at(20'000'000), "a");
  run.settle();
  const auto messages = run.messages;
  std::size_t trips = 0;
  for (std::int64_t w = 1; w <= 10'000'000; ++w) trips += run.client.needs_round_trip(at(w));
  CHECK(trips == 0);
  run.settle();
  CHECK(run.messages == messages);
}

TEST_CASE("a timer behind the watermark fires at the next watermark", "[timer_client]") {
  loop run;
  run.advance(100);
  run.client.register_timer(at(50), "a");
  run.client.register_timer(at(100), "b");
  run.settle();
  CHECK(run.client.next_event() == std::nullopt);
  CHECK(run.advance(101) == timers{{event, 50, "a"}, {event, 100, "b"}});
}

TEST_CASE("callbacks change what is due in the same advance", "[timer_client]") {
  loop run;
  for (auto key : {"a", "b", "c"}) run.client.register_timer(at(10), key);
  run.client.register_timer(at(30), "a");
  const auto called = run.advance(30, [&](const auto& t) {
    if (t.time != 10 || t.subject != "a") return;
    run.client.delete_timer(at(10), "b");    // in the chunk
    run.client.register_timer(at(20), "b");  // before what is left of the chunk
    run.client.register_timer(at(20), "d");
    run.client.delete_timer(at(20), "d");    // never leaves the subtask
    run.client.register_timer(at(30), "a");  // there already
    run.client.delete_timer(at(10), "c");
    run.client.register_timer(at(10), "c");  // deleted and registered again: once
  });
  CHECK(called == timers{{event, 10, "a"}, {event, 10, "c"}, {event, 20, "b"}, {event, 30, "a"}});
  CHECK(run.service.size() == 0);
}

TEST_CASE("a timer that its own callback registers again is not taken for the old one",
          "[timer_client]") {
  loop run;
  bool again = true;
  SECTION("event time, within the advance") {
    run.client.register_timer(at(10), "a");
    const auto called = run.advance(10, [&](const auto&) {
      if (std::exchange(again, false)) run.client.register_timer(at(10), "a");
    });
    CHECK(called.size() == 2);
  }
  SECTION("processing time") {
    run.client.register_timer(clock_time{10}, "a");
    const auto called = run.move_clock(10, [&](const auto&) {
      if (std::exchange(again, false)) run.client.register_timer(clock_time{10}, "a");
    });
    CHECK(called.size() == 2);
  }
  CHECK(run.service.size() == 0);
}

TEST_CASE("many timers come in order over several chunks", "[timer_client]") {
  loop run{{}, {}, {.chunk = 3}};
  for (std::int64_t i = 0; i < 10; ++i) run.client.register_timer(at(i * 7 % 10), "a");
  const auto called = run.advance(9, [&](const auto& t) {
    if (t.time == 1) run.client.register_timer(at(8), "a");  // still with the service
    if (t.time == 2) run.client.register_timer(at(5), "b");
  });
  REQUIRE(called.size() == 11);
  for (std::size_t i = 1; i < called.size(); ++i) CHECK(called[i - 1].time <= called[i].time);
  CHECK(run.service.size() == 0);
}

TEST_CASE("an advance can stop between timers and go on later", "[timer_client]") {
  loop run;
  run.client.register_timer(at(10), "a");
  run.client.register_timer(at(20), "a");
  run.client.begin_advance(at(20));
  CHECK(run.client.waiting());
  CHECK_FALSE(run.client.next_event());
  run.settle();
  CHECK_FALSE(run.client.waiting());
  CHECK(run.client.next_event());
  run.settle();
  CHECK(run.client.advancing());
  CHECK(run.client.next_event());
  CHECK_FALSE(run.client.next_event());
  CHECK_FALSE(run.client.advancing());
}

TEST_CASE("a processing timer that was deleted while it was on its way is not called back",
          "[timer_client]") {
  const bool register_again = GENERATE(false, true);
  loop run;
  run.client.register_timer(clock_time{10}, "a");
  run.client.register_timer(clock_time{10}, "b");
  run.settle();
  run.clock = {10};
  run.ring();  // the chunk is on its way
  run.client.delete_timer(clock_time{10}, "a");
  if (register_again) run.client.register_timer(clock_time{10}, "a");
  auto called = run.call_processing();
  CHECK(called.size() == (register_again ? 2 : 1));
  CHECK(called[0] == timer<std::string>{processing, 10, "b"});
  CHECK(run.service.size() == 0);
}

TEST_CASE("deletions are remembered while a chunk that has not seen them is here",
          "[timer_client]") {
  loop run{{}, {}, {.unanswered_removals = 1}};
  run.client.register_timer(clock_time{10}, "a");
  run.client.register_timer(clock_time{10}, "b");
  run.settle();
  run.clock = {10};
  run.ring();
  run.settle();
  run.client.delete_timer(clock_time{10}, "b");
  run.settle();  // the answer has seen the deletion, the chunk at hand has not
  CHECK(run.call_processing() == timers{{processing, 10, "a"}});
}

TEST_CASE("a processing timer registered while a chunk is called back keeps the order",
          "[timer_client]") {
  loop run;
  run.client.register_timer(clock_time{10}, "a");
  run.client.register_timer(clock_time{20}, "a");
  const auto called = run.move_clock(30, [&](const auto& t) {
    if (t.time == 10) run.client.register_timer(clock_time{15}, "b");
    if (t.time == 15) run.client.register_timer(clock_time{25}, "b");
  });
  CHECK(called == timers{{processing, 10, "a"},
                         {processing, 15, "b"},
                         {processing, 20, "a"},
                         {processing, 25, "b"}});
  CHECK(run.service.size() == 0);
}

TEST_CASE("a processing timer that came and went with a chunk can come again", "[timer_client]") {
  loop run;
  run.client.register_timer(clock_time{10}, "a");
  run.client.register_timer(clock_time{20}, "a");
  const auto called = run.move_clock(30, [&](const auto& t) {
    if (t.subject == "a") run.client.register_timer(clock_time{15}, "b");
  });
  CHECK(called == timers{{processing, 10, "a"},
                         {processing, 15, "b"},
                         {processing, 20, "a"},
                         {processing, 15, "b"}});
}

TEST_CASE("timers on lease are in the snapshot until they are called back", "[timer_client]") {
  loop run;
  run.client.register_timer(clock_time{1}, "a");
  run.client.register_timer(clock_time{2}, "b");
  run.settle();
  run.clock = {5};
  run.ring();
  run.settle();
  CHECK(run.client.next_processing()->subject == "a");

  loop after{clock_time{5}, run.snapshot()};
  CHECK(after.call_processing() == timers{{processing, 2, "b"}});
}

TEST_CASE("records that ask for the same timers put them into the log once", "[timer_client]") {
  loop run;
  for (int record = 0; record < 1000; ++record)
    for (std::int64_t end = 1; end <= 5; ++end) run.client.register_timer(at(end * 100), "window");
  CHECK(log_size(run.client) == 5);
  CHECK(log_size(run.client) == 0);

  for (int record = 0; record < 1000; ++record) {
    run.client.register_timer(at(100), "a");
    run.client.register_timer(clock_time{100}, "a");
  }
  CHECK(log_size(run.client) == 2);
}

TEST_CASE("a timer is registered again after it was deleted or called back", "[timer_client]") {
  loop run;
  run.client.register_timer(clock_time{10}, "a");
  run.client.delete_timer(clock_time{10}, "a");
  run.client.register_timer(clock_time{10}, "a");
  run.client.register_timer(at(10), "a");
  run.client.delete_timer(at(10), "a");
  run.client.register_timer(at(10), "a");
  CHECK(run.advance(10).size() == 1);
  CHECK(run.move_clock(10).size() == 1);
}

TEST_CASE("at the end of input a timer that registers itself is dropped after 1000 in a row",
          "[timer_client]") {
  loop run;
  run.client.register_timer(at(10), "endless");
  run.client.register_timer(at(10), "endless too");
  run.client.register_timer(at(12), "short");
  std::size_t shorts = 0;
  const auto called = run.advance(event_time::max().ms, [&](const auto& t) {
    if (t.subject != "short" || ++shorts < 900)
      run.client.register_timer(at(t.time + 5), t.subject);
  });
  CHECK(called.size() == 2 * 1001 + 900);
  CHECK(run.client.dropped_in_loops() == 2);
  CHECK(run.service.size() == 0);
}

TEST_CASE("timers that were there before the end of input do not count as a loop",
          "[timer_client]") {
  loop run;
  for (std::int64_t i = 0; i < 3000; ++i) run.client.register_timer(at(i * 10), "a");
  const auto called = run.advance(event_time::max().ms, [&](const auto& t) {
    if (t.time % 10 == 0) run.client.register_timer(at(t.time + 5), t.subject);
  });
  CHECK(called.size() == 6000);
  CHECK(run.client.dropped_in_loops() == 0);
}

TEST_CASE("the job's end waits for due processing timers and drops the others", "[timer_client]") {
  loop run;
  run.client.register_timer(clock_time{10}, "a");
  run.client.register_timer(clock_time{20}, "a");
  run.clock = {10};
  timer_message message;
  run.client.add_to(message);
  message.quiesce = true;
  run.to_service.push_back(std::move(message));
  run.deliver_to_service();
  CHECK_FALSE(run.quiesced);
  CHECK(run.call_processing() == timers{{processing, 10, "a"}});
  CHECK(run.quiesced);
  CHECK(run.move_clock(20).empty());
}

}  // namespace weir::dataflow
