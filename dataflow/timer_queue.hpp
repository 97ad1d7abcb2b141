// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "weir/core/codec.hpp"
#include "weir/dataflow/timer_heap.hpp"
#include "weir/dataflow/timer_message.hpp"
#include "weir/dataflow/timer_snapshot_format.hpp"
#include "weir/state/keyed_chunk_writer.hpp"

namespace weir::dataflow {

/// The timers of one operator, on the side of the timer service, by one virtual call per message.
/// Owned and used by the timer service.
class timer_queue_base {
 public:
  virtual ~timer_queue_base() = default;

  /// Does what the log says, in order, and empties it. @pre the log is of the queue's subject type
  virtual void apply(timer_log_base& log) = 0;

  /// Leases the timers ≤ `until` that are not on lease, in firing order, at most `limit`. They
  /// stay in the queue until they are confirmed or removed. Null if there are none.
  virtual std::unique_ptr<timer_chunk_base> lease_due(timer_domain domain, std::int64_t until,
                                                      std::size_t limit, timer_mutations) = 0;

  /// The time of the next timer that is not on lease.
  virtual std::optional<std::int64_t> earliest(timer_domain domain) const = 0;

  /// With those on lease.
  virtual std::size_t size(timer_domain domain) const = 0;

  /// Drops the processing timers later than `now`, and from now on all that are registered.
  virtual void quiesce(clock_time now) = 0;

  /// Puts the stored timers, with those on lease, by key group.
  virtual void snapshot(state::snapshot_stream& out) const = 0;

  /// Adds the timers of a snapshot, whatever parallelism it was taken with; chunks of other
  /// sections are passed over. Errors: corrupt for damaged bytes, invalid_argument if the timers
  /// were stored for another type of key.
  virtual status restore(const state::restored_chunks& chunks) = 0;
};

/// Ordered by time within a domain, each timer once.
template <class Subject>
class timer_queue final : public timer_queue_base {
 public:
  /// @pre max_parallelism in [1, max_key_groups]
  explicit timer_queue(std::uint32_t max_parallelism) : max_parallelism_{max_parallelism} {}

  void apply(timer_log_base& log) override {
    auto& entries = static_cast<timer_log<Subject>&>(log).entries;
    for (auto& e : entries) {
      if (e.change != timer_change::add) {
        heap(e.domain).erase(e.time, e.subject);
      } else if (e.domain == timer_domain::event || !quiesced_) {
        heap(e.domain).insert(e.time, std::move(e.subject));
      }
    }
    entries.clear();
  }

  std::unique_ptr<timer_chunk_base> lease_due(timer_domain domain, std::int64_t until,
                                              std::size_t limit,
                                              timer_mutations mutations) override {
    auto& from = heap(domain);
    if (from.idle() || from.earliest() > until) return nullptr;
    auto chunk = std::make_unique<timer_chunk<Subject>>();
    while (chunk->timers.size() < limit && !from.idle() && from.earliest() <= until) {
      const auto& due = from.lease_front();
      chunk->timers.push_back({domain, due.time, due.subject});
      if (mutations.fire_not_leased && is_fire(due.subject)) {
        const auto& sent = chunk->timers.back();
        from.erase(sent.time, sent.subject);
      }
    }
    return chunk;
  }

  std::optional<std::int64_t> earliest(timer_domain domain) const override {
    if (heap(domain).idle()) return std::nullopt;
    return heap(domain).earliest();
  }
  std::size_t size(timer_domain domain) const override { return heap(domain).size(); }

  void quiesce(clock_time now) override {
    quiesced_ = true;
    heap(timer_domain::processing).erase_after(now.ms);
  }

  void snapshot(state::snapshot_stream& out) const override {
    if constexpr (timer_subject<Subject>::storable) {
      state::keyed_chunk_writer writer{out, std::string{timer_section}, max_parallelism_};
      write_rows(writer, timer_domain::event);
      write_rows(writer, timer_domain::processing);
      writer.flush();
    }
  }

  status restore(const state::restored_chunks& chunks) override {
    if constexpr (timer_subject<Subject>::storable) {
      for (const auto& chunk : chunks) {
        if (chunk.section != timer_section) continue;
        if (auto read = read_rows(chunk.bytes); !read) return read;
      }
    }
    return {};
  }

 private:
  timer_heap<Subject>& heap(timer_domain domain) {
    return heaps_[static_cast<std::size_t>(domain)];
  }
  const timer_heap<Subject>& heap(timer_domain domain) const {
    return heaps_[static_cast<std::size_t>(domain)];
  }

  static bool is_fire(const Subject& subject) {
    return timer_subject<Subject>::kind(subject) == signal_kind::fire;
  }

  void write_rows(state::keyed_chunk_writer& writer, timer_domain domain) const {
    const std::string identity = codec<Subject>::identity();
    heap(domain).for_each([&](const auto& row) {
      if (!timer_subject<Subject>::stored(row.subject)) return;
      byte_writer out = writer.begin_row(timer_subject<Subject>::key_hash(row.subject));
      if (writer.begins_chunk()) write_timer_header(out, identity);
      write_timer_head(out, {domain, row.time});
      codec<Subject>::write(out, row.subject);
      writer.end_row(out);
    });
  }

  status read_rows(std::string_view bytes) {
    byte_reader in{bytes};
    if (auto header = read_timer_header(in, codec<Subject>::identity()); !header) return header;
    while (in.remaining() > 0) {
      const auto [domain, time] = read_timer_head(in);
      Subject subject = codec<Subject>::read(in);
      if (in.failed()) return damaged_timers();
      heap(domain).insert(time, std::move(subject));
    }
    return {};
  }

  timer_heap<Subject> heaps_[2];
  std::uint32_t max_parallelism_;
  bool quiesced_ = false;
};

}  // namespace weir::dataflow
