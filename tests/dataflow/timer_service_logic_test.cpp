// SPDX-License-Identifier: Apache-2.0
#include "weir/dataflow/timer_service_logic.hpp"

#include <memory>
#include <utility>
#include <vector>

#include "support/catch.hpp"

namespace weir::dataflow {
namespace {

constexpr auto event = timer_domain::event;
constexpr auto processing = timer_domain::processing;

using entry = timer_log<int>::entry;

/// Builds the messages of one operator and numbers their changes.
class sender {
 public:
  explicit sender(std::uint32_t index) : index_{index} {}

  timer_message changes(std::vector<entry> entries) {
    auto log = std::make_unique<timer_log<int>>();
    for (const auto& e : entries)
      if (e.change == timer_change::remove && e.domain == processing) ++log->processing_removals;
    log->last_sequence = sequence_ += entries.size();
    log->entries = std::move(entries);
    timer_message message;
    message.logs.push_back({index_, std::move(log)});
    return message;
  }

  timer_message adds(timer_domain domain, std::vector<std::int64_t> times, int key = 1) {
    std::vector<entry> entries;
    for (auto time : times) entries.push_back({timer_change::add, domain, time, key});
    return changes(std::move(entries));
  }

  timer_message request(timer_domain domain, std::int64_t until = 0) {
    timer_message message;
    message.requests.push_back({index_, domain, {until}});
    return message;
  }

 private:
  std::uint32_t index_;
  std::uint64_t sequence_ = 0;
};

timer_service_logic make_service(timer_limits limits = {},
                                 const std::vector<std::uint32_t>& operators = {4}) {
  timer_service_logic service{limits};
  for (auto index : operators) service.add_operator(index, std::make_unique<timer_queue<int>>(128));
  return service;
}

std::vector<std::int64_t> times(const timer_answer& answer) {
  std::vector<std::int64_t> out;
  if (!answer.chunk) return out;
  for (const auto& t : static_cast<timer_chunk<int>&>(*answer.chunk).timers) out.push_back(t.time);
  return out;
}

using times_type = std::vector<std::int64_t>;

}  // namespace

TEST_CASE("an advance is answered in chunks, with what is left and what was seen",
          "[timer_service_logic]") {
  auto service = make_service({.chunk = 2});
  sender from{4};
  CHECK(service.on_message(from.adds(event, {40, 10, 30, 20}), {0}).answers.empty());

  auto first = service.on_message(from.request(event, 30), {0});
  REQUIRE(first.answers.size() == 1);
  CHECK(first.answers[0].operator_index == 4);
  CHECK(first.answers[0].domain == event);
  CHECK(times(first.answers[0]) == times_type{10, 20});
  CHECK(first.answers[0].seen == 4);
  CHECK(first.answers[0].earliest_event == at(30));
  CHECK(first.answers[0].more);

  auto second = service.on_message(from.request(event, 30), {0});
  REQUIRE(second.answers.size() == 1);
  CHECK(times(second.answers[0]) == times_type{30});
  CHECK(second.answers[0].earliest_event == at(40));
  CHECK_FALSE(second.answers[0].more);
}

TEST_CASE("an advance that finds nothing is answered without a chunk", "[timer_service_logic]") {
  auto service = make_service();
  sender from{4};
  const auto until = GENERATE(std::int64_t{30}, event_time::max().ms);
  const auto out = service.on_message(from.request(event, until), {0});
  REQUIRE(out.answers.size() == 1);
  CHECK(out.answers[0].chunk == nullptr);
  CHECK(out.answers[0].earliest_event == event_time::max());
  CHECK_FALSE(out.answers[0].more);
  CHECK_FALSE(out.alarm);
}

TEST_CASE("a processing timer comes when the clock reaches its time", "[timer_service_logic]") {
  auto service = make_service();
  sender from{4};
  const auto added = service.on_message(from.adds(processing, {20, 10}), {5});
  CHECK(added.answers.empty());
  REQUIRE(added.alarm);
  CHECK(added.alarm->at == clock_time{10});

  const auto due = service.on_alarm(added.alarm->number, {10});
  REQUIRE(due.answers.size() == 1);
  CHECK(due.answers[0].domain == processing);
  CHECK(times(due.answers[0]) == times_type{10});
  CHECK_FALSE(due.alarm);  // while the chunk is out no other is sent

  const auto done = service.on_message(from.request(processing), {11});
  CHECK(done.answers.empty());
  REQUIRE(done.alarm);
  CHECK(done.alarm->at == clock_time{20});
}

TEST_CASE("a processing timer that is due when it is registered comes at once",
          "[timer_service_logic]") {
  auto service = make_service();
  sender from{4};
  const auto out = service.on_message(from.adds(processing, {50, 7}), {50});
  REQUIRE(out.answers.size() == 1);
  CHECK(times(out.answers[0]) == times_type{7, 50});
}

TEST_CASE("an alarm that comes early is set again, one that was replaced does nothing",
          "[timer_service_logic]") {
  auto service = make_service();
  sender from{4};
  const auto late = service.on_message(from.adds(processing, {20}), {0}).alarm;
  const auto soon = service.on_message(from.adds(processing, {10}), {0}).alarm;
  REQUIRE(late);
  REQUIRE(soon);
  CHECK(soon->at == clock_time{10});

  const auto replaced = service.on_alarm(late->number, {9});
  CHECK_FALSE(replaced.alarm);
  CHECK(replaced.answers.empty());

  const auto early = service.on_alarm(soon->number, {9});
  CHECK(early.answers.empty());
  REQUIRE(early.alarm);
  CHECK(early.alarm->at == clock_time{10});
  CHECK(early.alarm->number != soon->number);
  CHECK(service.on_alarm(early.alarm->number, {10}).answers.size() == 1);
}

TEST_CASE("there is one alarm only, for the head of the queues", "[timer_service_logic]") {
  auto service = make_service({}, {1, 2});
  sender one{1};
  sender two{2};
  CHECK(service.on_message(one.adds(processing, {10, 20, 30}), {0}).alarm->at == clock_time{10});
  CHECK_FALSE(service.on_message(two.adds(processing, {10, 20}), {0}).alarm);
  CHECK(service.on_message(two.adds(processing, {5}), {0}).alarm->at == clock_time{5});
}

TEST_CASE("chunks are out for each operator by itself", "[timer_service_logic]") {
  auto service = make_service({}, {2, 1});
  sender one{1};
  sender two{2};
  service.on_message(one.adds(processing, {10}), {0});
  const auto both = service.on_message(two.adds(processing, {10}), {10});
  REQUIRE(both.answers.size() == 2);
  CHECK(both.answers[0].operator_index == 1);
  CHECK(both.answers[1].operator_index == 2);

  CHECK(service.on_message(one.adds(processing, {10}, 2), {10}).answers.empty());
  const auto next = service.on_message(one.request(processing), {10});
  REQUIRE(next.answers.size() == 1);
  CHECK(next.answers[0].operator_index == 1);
  CHECK(next.answers[0].seen == 2);
}

TEST_CASE("removals of processing timers are answered from time to time", "[timer_service_logic]") {
  auto service = make_service({.unanswered_removals = 3});
  sender from{4};
  const std::vector<entry> removals(2, {timer_change::remove, processing, 10, 1});
  CHECK(service.on_message(from.changes(removals), {0}).answers.empty());
  const auto out = service.on_message(from.changes(removals), {0});
  REQUIRE(out.answers.size() == 1);
  CHECK(out.answers[0].domain == processing);
  CHECK(out.answers[0].chunk == nullptr);
  CHECK(out.answers[0].seen == 4);
  CHECK(service.on_message(from.changes(removals), {0}).answers.empty());
}

TEST_CASE("a snapshot cuts behind the changes of its own message", "[timer_service_logic]") {
  auto service = make_service({}, {1, 2});
  sender from{2};
  auto message = from.adds(event, {10});
  message.snapshot = checkpoint_id{7};
  const auto out = service.on_message(std::move(message), {0});
  REQUIRE(out.snapshot);
  CHECK(out.snapshot->id == checkpoint_id{7});
  REQUIRE(out.snapshot->operators.size() == 2);
  CHECK(out.snapshot->operators[0].operator_index == 1);
  CHECK(out.snapshot->operators[0].chunks.empty());
  CHECK(out.snapshot->operators[1].operator_index == 2);
  CHECK(out.snapshot->operators[1].chunks.size() == 1);
}

TEST_CASE("at the end of input processing timers that are not due are dropped, the others awaited",
          "[timer_service_logic]") {
  auto service = make_service();
  sender from{4};
  auto message = from.adds(processing, {10, 11});
  message.quiesce = true;
  auto out = service.on_message(std::move(message), {10});
  REQUIRE(out.answers.size() == 1);
  CHECK(times(out.answers[0]) == times_type{10});
  CHECK_FALSE(out.quiesced);
  CHECK_FALSE(out.alarm);

  auto handled = from.changes(
      {{timer_change::confirm, processing, 10, 1}, {timer_change::add, processing, 12, 1}});
  handled.requests.push_back({4, processing, {}});
  out = service.on_message(std::move(handled), {20});
  CHECK(out.answers.empty());
  CHECK(out.quiesced);
  CHECK(service.size() == 0);
  CHECK_FALSE(service.on_message(from.request(event), {20}).quiesced);
}

TEST_CASE("quiescing without processing timers is over at once", "[timer_service_logic]") {
  auto service = make_service();
  timer_message message;
  message.quiesce = true;
  CHECK(service.on_message(std::move(message), {0}).quiesced);
}

}  // namespace weir::dataflow
