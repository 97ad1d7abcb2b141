// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

#include "weir/dataflow/timer_client_base.hpp"
#include "weir/dataflow/timer_lane.hpp"
#include "weir/dataflow/timer_table.hpp"

namespace weir::dataflow {

/// The typed half of `timer_client_base`, for the operator. Owned and used by one subtask.
template <class Subject>
class timer_client final : public timer_client_base {
 public:
  using timer_client_base::timer_client_base;

  /// Registers an event timer; nothing if it is there. At or behind the watermark it is due at the
  /// next one; during an advance to W, a timer ≤ W is called back within that advance.
  void register_timer(event_time time, const Subject& subject) {
    if (in_advance(time.ms)) return events_.add(time.ms, subject);
    if (registered_before(timer_domain::event, time.ms, subject)) return;
    note_registered(time.ms);
    log_registration(timer_domain::event, time.ms, subject);
  }

  /// Registers a processing timer; nothing if it is there.
  void register_timer(clock_time time, const Subject& subject) {
    // Known to the service, but due before the chunk at hand is through: called back in order, and
    // confirmed like the others.
    if (processing_.chunk_reaches_past(time.ms)) processing_.add(time.ms, subject);
    if (registered_before(timer_domain::processing, time.ms, subject)) return;
    log_registration(timer_domain::processing, time.ms, subject);
  }

  /// Deletes an event timer; nothing if it is not there.
  void delete_timer(event_time time, const Subject& subject) {
    log_removal(timer_domain::event, time.ms, subject);
    // Outside an advance no chunk is on its way: the request that begins one follows the log.
    if (in_advance(time.ms)) events_.remove(time.ms, subject, sequence_);
  }

  /// Deletes a processing timer; nothing if it is not there.
  void delete_timer(clock_time time, const Subject& subject) {
    log_removal(timer_domain::processing, time.ms, subject);
    ++log_->processing_removals;
    processing_.remove(time.ms, subject, sequence_);
  }

  /// The next event timer of the advance, to be called back now: it counts as called. In time
  /// order, FIREs before PURGEs of the same time.
  std::optional<timer<Subject>> next_event() {
    if (!advancing() || waiting()) return std::nullopt;
    for (;;) {
      if (!events_.chunk_has_more() && service_has_more()) {
        ask_for_next_chunk();
        return std::nullopt;
      }
      auto due = events_.take(timer_domain::event);
      if (!due) break;
      if (at_end_of_input() && is_endless(*due)) {
        count_dropped();
        continue;
      }
      if (due->leased) log_confirmation(due->value);
      return std::move(due->value);
    }
    events_.unload();
    events_.forget_all_deletions();
    in_a_row_.clear();
    end_advance();
    return std::nullopt;
  }

  /// The next processing timer of the chunk, to be called back now: it counts as called. In time
  /// order within a chunk.
  std::optional<timer<Subject>> next_processing() {
    if (!processing_.loaded()) return std::nullopt;
    auto due = processing_.take(timer_domain::processing);
    if (due) {
      log_confirmation(due->value);
      return std::move(due->value);
    }
    processing_.unload();
    end_processing_chunk();
    processing_.forget_deletions(seen_);
    return std::nullopt;
  }

  bool processing_ready() override { return processing_.loaded(); }

  void add_to(timer_message& message) override {
    if (log_) {
      log_->last_sequence = sequence_;
      expected_ = log_->entries.size();
      message.logs.push_back({operator_index(), std::move(log_)});
      recent_.fill(0);
    }
    add_requests(message);
  }

  void on_answer(timer_answer answer) override {
    seen_ = answer.seen;
    if (answer.domain == timer_domain::event) {
      note_answer(answer);
      if (answer.chunk) events_.load(std::move(answer.chunk), answer.seen);
    } else if (answer.chunk) {
      processing_.load(std::move(answer.chunk), answer.seen);
    }
    processing_.forget_deletions(processing_.loaded() ? processing_.seen() : seen_);
  }

 private:
  static constexpr std::size_t recent_size = 64;
  using entry = typename timer_log<Subject>::entry;

  /// The records of a batch mostly ask for the same few timers, those of the open windows. So some
  /// registrations of the log are remembered, by time and not by subject, whose hash may be dear.
  std::uint32_t& recent(timer_domain domain, std::int64_t time, const Subject& subject) {
    const auto spread = static_cast<std::uint64_t>(time) * 0x9E3779B97F4A7C15ull >> 58;
    const auto kind = static_cast<std::uint64_t>(timer_subject<Subject>::kind(subject));
    return recent_[spread ^ kind ^ (static_cast<std::uint64_t>(domain) << 1)];
  }

  /// Whether the log has this registration and nothing that undoes it. No proof if false.
  bool registered_before(timer_domain domain, std::int64_t time, const Subject& subject) {
    const std::uint32_t number = recent(domain, time, subject);
    if (number == 0) return false;
    const entry& e = log_->entries[number - 1];
    return e.time == time && e.domain == domain &&
           timer_subject<Subject>::equal(e.subject, subject);
  }

  void log_registration(timer_domain domain, std::int64_t time, const Subject& subject) {
    append({timer_change::add, domain, time, subject});
    recent(domain, time, subject) = static_cast<std::uint32_t>(log_->entries.size());
  }

  void log_removal(timer_domain domain, std::int64_t time, const Subject& subject) {
    recent(domain, time, subject) = 0;
    append({timer_change::remove, domain, time, subject});
  }

  void log_confirmation(const timer<Subject>& called) {
    recent(called.domain, called.time, called.subject) = 0;
    append({timer_change::confirm, called.domain, called.time, called.subject});
  }

  void append(entry e) {
    if (!log_) {
      log_ = std::make_unique<timer_log<Subject>>();
      log_->entries.reserve(expected_);
    }
    log_->entries.push_back(std::move(e));
    ++sequence_;
  }

  /// Counts the timers that callbacks registered, by subject, since the last one that was there
  /// before the advance.
  bool is_endless(const typename timer_lane<Subject>::due_timer& due) {
    const auto& subject = due.value.subject;
    if (due.leased) {
      if (const auto at = in_a_row_.find(0, subject); at != timer_table<Subject>::none)
        in_a_row_.erase(at);
      return false;
    }
    const auto at = in_a_row_.insert(0, subject).first;
    return ++in_a_row_[at].value > max_timers_in_a_row;
  }

  timer_lane<Subject> events_;
  timer_lane<Subject> processing_;
  timer_table<Subject> in_a_row_;  // of the advance to the end of input; the time is always 0
  std::unique_ptr<timer_log<Subject>> log_;
  std::array<std::uint32_t, recent_size> recent_{};  // 0: none, else 1 + position in the log
  std::uint64_t sequence_ = 0;                       // of the last change
  std::uint64_t seen_ = 0;                           // the greatest that an answer has told
  std::size_t expected_ = 0;                         // changes in a log
};

}  // namespace weir::dataflow
