// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "weir/dataflow/timer_client.hpp"
#include "weir/dataflow/timer_queue.hpp"
#include "weir/dataflow/timer_service_logic.hpp"

namespace weir::testing {

/// One operator's client and its service, joined by two queues that keep their order, with a clock
/// that moves by hand. Messages wait until they are delivered.
template <class Subject>
class timer_loop {
 public:
  using timer = dataflow::timer<Subject>;
  using callback = std::function<void(const timer&)>;

  explicit timer_loop(clock_time now = {}, const state::restored_chunks& chunks = {},
                      dataflow::timer_limits limits = {})
      : service{limits}, clock{now} {
    auto queue = std::make_unique<dataflow::timer_queue<Subject>>(128);
    restored = queue->restore(chunks);
    service.add_operator(0, std::move(queue));
    carry_out(service.start(now));
  }

  /// Sends what the client has to say, with a request for a snapshot if `id` is given.
  void send(std::optional<checkpoint_id> id = std::nullopt) {
    dataflow::timer_message message;
    client.add_to(message);
    message.snapshot = id;
    if (message.empty()) return;
    ++messages;
    to_service.push_back(std::move(message));
  }

  bool deliver_to_service() {
    if (to_service.empty()) return false;
    auto message = std::move(to_service.front());
    to_service.pop_front();
    carry_out(service.on_message(std::move(message), clock));
    return true;
  }

  bool deliver_to_subtask() {
    if (to_subtask.empty()) return false;
    auto answer = std::move(to_subtask.front());
    to_subtask.pop_front();
    client.on_answer(std::move(answer));
    return true;
  }

  /// Delivers everything until nothing is on its way.
  void settle() {
    send();
    while (deliver_to_service() || deliver_to_subtask()) send();
  }

  /// Advances to `watermark` and returns the timers that were called back.
  std::vector<timer> advance(std::int64_t watermark, const callback& call = {}) {
    std::vector<timer> called;
    if (!client.needs_round_trip({watermark})) return called;
    client.begin_advance({watermark});
    while (client.advancing()) {
      settle();
      while (auto due = client.next_event()) {
        called.push_back(*due);
        if (call) call(*due);
      }
    }
    settle();
    return called;
  }

  /// Moves the clock, rings the alarm if it is time, and returns the timers called back.
  std::vector<timer> move_clock(std::int64_t now, const callback& call = {}) {
    clock = {now};
    settle();
    if (alarm && alarm->at <= clock) ring();
    return call_processing(call);
  }

  std::vector<timer> call_processing(const callback& call = {}) {
    std::vector<timer> called;
    for (settle(); client.processing_ready(); settle()) {
      while (auto due = client.next_processing()) {
        called.push_back(*due);
        if (call) call(*due);
      }
    }
    return called;
  }

  void ring() { carry_out(service.on_alarm(std::exchange(alarm, std::nullopt)->number, clock)); }

  /// The chunks of a snapshot taken now.
  std::vector<state::snapshot_chunk> snapshot() {
    send(checkpoint_id{1});
    settle();
    return taken;
  }

  void carry_out(dataflow::timer_actions actions) {
    for (auto& answer : actions.answers) to_subtask.push_back(std::move(answer));
    if (actions.snapshot) taken = std::move(actions.snapshot->operators.front().chunks);
    if (actions.alarm) alarm = actions.alarm;
    quiesced |= actions.quiesced;
  }

  dataflow::timer_service_logic service;
  dataflow::timer_client<Subject> client{0};
  clock_time clock;
  status restored;
  std::deque<dataflow::timer_message> to_service;
  std::deque<dataflow::timer_answer> to_subtask;
  std::optional<dataflow::timer_alarm> alarm;
  std::vector<state::snapshot_chunk> taken;
  std::size_t messages = 0;
  bool quiesced = false;
};

}  // namespace weir::testing
