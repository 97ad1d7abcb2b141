// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <deque>
#include <memory>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "weir/dataflow/chain.hpp"
#include "weir/dataflow/timer_client_base.hpp"
#include "weir/dataflow/timer_service_logic.hpp"
#include "weir/dataflow/watermark_valve.hpp"

namespace weir::testing::internal {

/// Collects the chunks of one snapshot.
class chunk_collector final : public dataflow::snapshot_context, public state::snapshot_stream {
 public:
  explicit chunk_collector(checkpoint_id id) : id_{id} {}

  checkpoint_id id() const override { return id_; }
  state::snapshot_stream& stream() override { return *this; }
  void defer(dataflow::snapshot_work work) override { works.push_back(std::move(work)); }
  void put(state::snapshot_chunk chunk) override { chunks.push_back(std::move(chunk)); }

  std::vector<state::snapshot_chunk> chunks;
  std::vector<dataflow::snapshot_work> works;
  bool timers_missing = false;

 private:
  checkpoint_id id_;
};

/// An instance of an operator under test, and all that lives and dies with it.
struct running_operator {
  dataflow::chain chain;
  std::vector<dataflow::watermark_valve> valves;  // one per input
  dataflow::two_input_watermarks both_inputs;
  std::vector<dataflow::watermark_valve> valves_at_cut;
  dataflow::two_input_watermarks both_inputs_at_cut;
  std::set<std::size_t> ended_at_cut;
  std::set<std::size_t> ended;  // inputs
  std::size_t readers = 0;
  bool woken = false;
  bool quiesce_sent = false;

  std::optional<dataflow::timer_service_logic> service;
  dataflow::timer_message to_send;
  std::deque<dataflow::timer_message> to_service;
  std::deque<dataflow::timer_actions> to_operator;
  std::optional<dataflow::timer_alarm> alarm;

  std::unique_ptr<chunk_collector> snapshot;

  dataflow::operator_base& op() { return chain.head(); }

  void carry_out(dataflow::timer_actions actions) {
    if (actions.alarm) alarm = *actions.alarm;
    actions.alarm.reset();
    if (actions.answers.empty() && !actions.snapshot && !actions.quiesced) return;
    to_operator.push_back(std::move(actions));
  }

  /// What the subtask sends at the end of each of its handlers.
  void send_to_service() {
    if (!op().timers()) return;
    op().timers()->add_to(to_send);
    if (!quiesce_sent && op().wants_timers_quiesced()) quiesce_sent = to_send.quiesce = true;
    if (!to_send.empty()) to_service.push_back(std::exchange(to_send, {}));
  }

  bool deliver_to_service(clock_time now) {
    if (to_service.empty()) return false;
    auto message = std::move(to_service.front());
    to_service.pop_front();
    carry_out(service->on_message(std::move(message), now));
    return true;
  }

  bool deliver_to_operator() {
    if (to_operator.empty()) return false;
    auto actions = std::move(to_operator.front());
    to_operator.pop_front();
    for (auto& answer : actions.answers) op().timers()->on_answer(std::move(answer));
    if (actions.quiesced) op().on_timers_quiesced();
    if (actions.snapshot && snapshot) {
      for (auto& part : actions.snapshot->operators) {
        for (auto& chunk : part.chunks) snapshot->put(std::move(chunk));
      }
      snapshot->timers_missing = false;
    }
    return true;
  }

  bool ring_service(clock_time now) {
    if (!alarm || alarm->at > now) return false;
    const auto number = alarm->number;
    alarm.reset();
    carry_out(service->on_alarm(number, now));
    return true;
  }

  clock_time next_alarm() {
    const auto own = op().next_alarm();
    return alarm ? std::min(own, alarm->at) : own;
  }

  bool output_waits() {
    for (std::size_t i = 1; i <= readers; ++i) {
      if (!chain.at(i).input(0).empty()) return true;
    }
    return false;
  }

  /// How many batches an output has beyond its capacity, at most.
  std::size_t overrun() {
    std::size_t most = 0;
    for (std::size_t i = 1; i <= readers; ++i) {
      const auto& output = chain.at(i).input(0);
      if (output.batches() > output.capacity()) {
        most = std::max(most, output.batches() - output.capacity());
      }
    }
    return most;
  }

  bool at_rest() {
    for (std::size_t port = 0; port < op().inputs(); ++port) {
      if (!op().input(port).empty()) return false;
    }
    return chain.no_control_inside();
  }
};

}  // namespace weir::testing::internal
