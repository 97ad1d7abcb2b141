// SPDX-License-Identifier: Apache-2.0
#include "weir/dataflow/timer_service_logic.hpp"

#include <algorithm>
#include <utility>

namespace weir::dataflow {
namespace {

class chunk_collector final : public state::snapshot_stream {
 public:
  void put(state::snapshot_chunk chunk) override { chunks.push_back(std::move(chunk)); }

  std::vector<state::snapshot_chunk> chunks;
};

}  // namespace

void timer_service_logic::add_operator(std::uint32_t operator_index,
                                       std::unique_ptr<timer_queue_base> queue) {
  operators_[operator_index].queue = std::move(queue);
}

timer_actions timer_service_logic::start(clock_time now) {
  timer_actions out;
  send_due_processing(now, out);
  set_alarm(out);
  return out;
}

timer_actions timer_service_logic::on_message(timer_message message, clock_time now) {
  timer_actions out;
  for (auto& [index, log] : message.logs) {
    auto& host = operators_[index];
    host.seen = log->last_sequence;
    host.unanswered_removals += log->processing_removals;
    host.queue->apply(*log);
  }
  if (message.quiesce) {
    quiescing_ = true;
    for (auto& [index, host] : operators_) host.queue->quiesce(now);
  }
  for (const auto& request : message.requests) answer_request(request, out);
  send_due_processing(now, out);
  for (const auto& [index, host] : operators_)
    if (host.unanswered_removals >= limits_.unanswered_removals)
      answer(index, timer_domain::processing, nullptr, {}, out);
  if (message.snapshot) out.snapshot = take_snapshot(*message.snapshot);
  if (quiescing_ && !has_processing_timers()) {
    out.quiesced = true;
    quiescing_ = false;
  }
  set_alarm(out);
  return out;
}

timer_actions timer_service_logic::on_alarm(std::uint64_t alarm, clock_time now) {
  timer_actions out;
  if (!alarm_ || alarm_->number != alarm) return out;
  alarm_.reset();
  send_due_processing(now, out);
  set_alarm(out);
  return out;
}

std::size_t timer_service_logic::size() const {
  std::size_t sum = 0;
  for (const auto& [index, host] : operators_)
    sum += host.queue->size(timer_domain::event) + host.queue->size(timer_domain::processing);
  return sum;
}

void timer_service_logic::answer_request(const timer_request& request, timer_actions& out) {
  auto& host = operators_[request.operator_index];
  if (request.domain == timer_domain::processing) {
    host.processing_chunk_out = false;
    return;
  }
  auto chunk =
      host.queue->lease_due(timer_domain::event, request.until.ms, limits_.chunk, mutations_);
  answer(request.operator_index, timer_domain::event, std::move(chunk), request.until, out);
}

void timer_service_logic::send_due_processing(clock_time now, timer_actions& out) {
  for (auto& [index, host] : operators_) {
    if (host.processing_chunk_out) continue;
    auto chunk = host.queue->lease_due(timer_domain::processing, now.ms, limits_.chunk, mutations_);
    if (!chunk) continue;
    host.processing_chunk_out = true;
    answer(index, timer_domain::processing, std::move(chunk), {}, out);
  }
}

void timer_service_logic::answer(std::uint32_t index, timer_domain domain,
                                 std::unique_ptr<timer_chunk_base> chunk, event_time until,
                                 timer_actions& out) {
  auto& host = operators_[index];
  const auto earliest = host.queue->earliest(timer_domain::event);
  const bool more = domain == timer_domain::event && earliest && *earliest <= until.ms;
  const event_time told = earliest ? event_time{*earliest} : event_time::max();
  host.unanswered_removals = 0;
  out.answers.push_back({index, domain, std::move(chunk), host.seen, told, more});
}

void timer_service_logic::set_alarm(timer_actions& out) {
  std::optional<clock_time> next;
  for (const auto& [index, host] : operators_) {
    const auto earliest = host.queue->earliest(timer_domain::processing);
    if (host.processing_chunk_out || !earliest) continue;
    if (!next || *earliest < next->ms) next = clock_time{*earliest};
  }
  if (!next || (alarm_ && alarm_->at <= *next)) return;
  alarm_ = timer_alarm{++alarms_, *next};
  out.alarm = alarm_;
}

timer_snapshot timer_service_logic::take_snapshot(checkpoint_id id) const {
  timer_snapshot taken{id, {}};
  for (const auto& [index, host] : operators_) {
    chunk_collector collector;
    host.queue->snapshot(collector);
    taken.operators.push_back({index, std::move(collector.chunks)});
  }
  return taken;
}

bool timer_service_logic::has_processing_timers() const {
  return std::any_of(operators_.begin(), operators_.end(), [](const auto& host) {
    return host.second.queue->size(timer_domain::processing) > 0;
  });
}

}  // namespace weir::dataflow
