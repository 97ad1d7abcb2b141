// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "weir/core/ids.hpp"
#include "weir/core/time.hpp"
#include "weir/dataflow/timer.hpp"
#include "weir/state/snapshot_stream.hpp"

namespace weir::dataflow {

/// The messages between a subtask and its timer service, which runs beside it in the same process.
/// Messages of each direction arrive in the order in which they were sent.

enum class timer_change : std::uint8_t {
  add,      ///< Registered; nothing if it is there.
  remove,   ///< Deleted; nothing if it is not there. Ends its lease.
  confirm,  ///< Its callback is about to run: the lease ends, the timer goes.
};

/// What one operator did to its timers, in order. A value that travels in a message.
struct timer_log_base {
  virtual ~timer_log_base() = default;

  std::uint64_t last_sequence = 0;  ///< number of the last change; from 1, without gaps
  std::uint32_t processing_removals = 0;
};

template <class Subject>
struct timer_log final : timer_log_base {
  struct entry {
    timer_change change;
    timer_domain domain;
    std::int64_t time;
    Subject subject;
  };

  std::vector<entry> entries;
};

/// Due timers in firing order, all of one operator and domain, on lease. Never empty. A value.
struct timer_chunk_base {
  virtual ~timer_chunk_base() = default;

  /// For traces: " FIRE <time>" or " PURGE <time>" for each timer.
  virtual void append_text(std::string& out) const = 0;
};

template <class Subject>
struct timer_chunk final : timer_chunk_base {
  std::vector<timer<Subject>> timers;

  void append_text(std::string& out) const override {
    for (const auto& t : timers) {
      out += timer_subject<Subject>::kind(t.subject) == signal_kind::fire ? " FIRE " : " PURGE ";
      out += std::to_string(t.time);
    }
  }
};

struct tagged_timer_log {
  std::uint32_t operator_index;
  std::unique_ptr<timer_log_base> log;
};

/// Event domain: answer with the next chunk of timers ≤ `until`. Processing domain: the chunk sent
/// last is done with. Either way all leases of that operator and domain have been dealt with.
struct timer_request {
  std::uint32_t operator_index;
  timer_domain domain;
  event_time until;
};

/// From the subtask, at most one per handler. The service does things in the order of the members.
struct timer_message {
  std::vector<tagged_timer_log> logs;
  /// The input has ended: processing timers that are not due are dropped, and later ones refused.
  bool quiesce = false;
  std::vector<timer_request> requests;
  std::optional<checkpoint_id> snapshot;  ///< the service's cut is here

  bool empty() const { return logs.empty() && !quiesce && requests.empty() && !snapshot; }
};

/// To one operator of the subtask. Without a chunk it tells `seen` only, or that nothing is due.
struct timer_answer {
  std::uint32_t operator_index;
  timer_domain domain;
  std::unique_ptr<timer_chunk_base> chunk;
  std::uint64_t seen;         ///< number of the last change that the service knew
  event_time earliest_event;  ///< of the event timers that are not on lease; `max()`: none
  bool more;                  ///< event domain: there are more timers ≤ `until`
};

/// To be handed back by `timer_service_logic::on_alarm` when the clock is at `at`, or before: an
/// alarm that comes early is set again. A new alarm takes the place of the one before.
struct timer_alarm {
  std::uint64_t number;
  clock_time at;
};

struct operator_timer_snapshot {
  std::uint32_t operator_index;
  std::vector<state::snapshot_chunk> chunks;
};

struct timer_snapshot {
  checkpoint_id id;
  std::vector<operator_timer_snapshot> operators;
};

/// What the service has to do, in the order of the members: send the answers and the snapshot to
/// the subtask, set the alarm.
struct timer_actions {
  std::vector<timer_answer> answers;
  std::optional<timer_snapshot> snapshot;
  bool quiesced = false;  ///< told once: no processing timer is left, nor comes
  std::optional<timer_alarm> alarm;
};

struct timer_limits {
  std::size_t chunk = 1024;  ///< most timers in a chunk
  /// After so many removals of processing timers an operator gets an answer that tells what was
  /// seen, so that it can let go of them.
  std::uint32_t unanswered_removals = 1024;
};

/// Faults that tests plant to prove that they are found. None by default.
struct timer_mutations {
  bool fire_not_leased = false;  ///< a FIRE leaves the queue when it is sent
};

}  // namespace weir::dataflow
