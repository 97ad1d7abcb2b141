// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <functional>
#include <optional>
#include <type_traits>
#include <utility>

#include "weir/dataflow/batch.hpp"
#include "weir/dataflow/key_group_watermarks.hpp"
#include "weir/dataflow/operator_environment.hpp"
#include "weir/dataflow/ttl_driver.hpp"
#include "weir/state/keyed_rows.hpp"
#include "weir/state/state_error.hpp"

namespace weir::dataflow {

/// Lasts as long as a visit of all keys, of which there is one at a time.
class visit_mark {
 public:
  /// Errors: throws `state_error` if a visit is under way.
  explicit visit_mark(bool& visiting) : visiting_{&visiting} {
    if (visiting)
      throw state::state_error{"all keys are being visited: another visit must wait for its end"};
    visiting = true;
  }
  visit_mark(const visit_mark&) = delete;
  visit_mark& operator=(const visit_mark&) = delete;
  ~visit_mark() { *visiting_ = false; }

 private:
  bool* visiting_;
};

/// The keyed half of an operator's state: the rows of its function's states, and the watermark that
/// each key group has seen. Goes through batches record by record. Owned by the operator; `F` must
/// outlive it.
template <class K, class F, class Timing>
class keyed_state_port {
  using keyed_rows = state::keyed_rows<K, F, Timing>;

 public:
  explicit keyed_state_port(F& function) : function_{&function} {}

  /// @pre `environment` outlives this
  void open(const operator_environment& environment) {
    environment_ = &environment;
    rows_.emplace(*function_, environment.groups, environment.max_parallelism);
    floors_.open(environment.groups, environment.max_parallelism);
    ttl_.open(*rows_, environment);
  }

  /// Errors: those of the rows; corrupt.
  status restore(const state::restored_chunks& chunks) {
    auto found = floors_.restore(chunks);
    if (!found) return std::move(found).failure();
    if (*found) restored_ = watermark_ = floors_.lowest();
    ttl_.set_time(watermark_);
    if (auto done = rows_->restore(chunks, "rows"); !done) return done;
    ttl_.log_restore(*environment_);
    return {};
  }

  void begin_snapshot(state::snapshot_stream& out) {
    floors_.write(watermark_, out);
    ttl_.set_time(watermark_);
    rows_->begin_snapshot(out, "rows");
  }
  keyed_rows& rows() { return *rows_; }
  const keyed_rows& rows() const { return *rows_; }

  // What has expired is cleaned up in the background: alarms of the operator, work for its steps.
  clock_time next_alarm() const { return ttl_.next_alarm(); }
  void on_alarm(clock_time now) { ttl_.on_alarm(now); }
  bool has_work() const { return ttl_.has_work(); }
  void work() { ttl_.work(watermark_); }

  event_time watermark() const { return watermark_; }
  /// The watermark from which the operator goes on; none: it was not restored.
  std::optional<event_time> restored_watermark() const { return restored_; }

  /// False if the watermark is not beyond the one before.
  bool advance(event_time watermark) {
    if (watermark <= watermark_) return false;
    watermark_ = watermark;
    floors_.reached(watermark_);
    return true;
  }

  /// Where the batch in hand goes on.
  std::size_t cursor() const { return cursor_; }

  /// Makes the keys of the records of `data` the current one, from the cursor on, until all are
  /// done or `call(F&, const T&, const K&, event_time)` gives false. True: all are done.
  template <class Select, class T, class Call>
  [[gnu::always_inline]] bool process(const Select& select, const batch<T>& data, Call&& call) {
    // A copy that no store can change, where a copy costs nothing.
    const std::conditional_t<std::is_trivially_copyable_v<Select>, Select, const Select&> key_in =
        select;
    const T* const values = data.values();
    const event_time* const times = data.times();
    const std::uint64_t* const hashes = data.hashes();
    const std::size_t rows = data.rows();
    ttl_.set_time(watermark_);
    std::size_t i = cursor_;
    {
      auto keyed = rows_->make_batch();
      const std::size_t last_prefetch = rows_->capacity() >= worth_prefetching ? rows : 0;
      for (std::size_t j = i; j < std::min(last_prefetch, i + ahead); ++j)
        keyed.prefetch(hashes[j]);
      bool more = true;
      while (more && i < rows) {
        if (i + ahead < last_prefetch) keyed.prefetch(hashes[i + ahead]);
        const T& in = values[i];
        if constexpr (keyed_rows::is_timed) rows_->set_record_time(times[i]);
        keyed.with_key(std::invoke(key_in, in), hashes[i],
                       [&](F& f, const K& current) { more = call(f, in, current, times[i]); });
        ++i;
      }
    }
    ttl_.clean_up_behind(i - cursor_);
    cursor_ = i < rows ? i : 0;
    return i == rows;
  }

  /// Hands the records of `data` out, from the cursor on, until all are or `take(const K&,
  /// std::uint64_t hash, std::size_t row)` gives false. True: all are.
  template <class Select, class T, class Take>
  bool hand_out(const Select& select, const batch<T>& data, Take&& take) {
    bool more = true;
    for (; more && cursor_ < data.rows(); ++cursor_) {
      const K key(std::invoke(select, data.values()[cursor_]));
      more = take(key, data.hashes()[cursor_], cursor_);
    }
    if (cursor_ < data.rows()) return false;
    cursor_ = 0;
    return true;
  }

  /// Calls `use(const K&)` for each key that has state, with that key as the current one.
  /// Errors: throws `state_error` within itself.
  template <class Use>
  void visit(Use&& use) {
    const visit_mark mark{visiting_};
    if (state::attached_row(*function_) == nullptr) ttl_.set_time(watermark_);
    rows_->for_each_key([&](F&, const K& key) { use(key); });
  }

  /// The same for a single key: of a timer, or of a record that was handed out and its time.
  template <class Call>
  void with_key(const K& key, std::uint64_t hash, event_time time, Call&& call) {
    ttl_.set_time(watermark_);
    if constexpr (keyed_rows::is_timed) rows_->set_record_time(time);
    rows_->with_key(key, hash, std::forward<Call>(call));
    ttl_.clean_up_behind(1);
  }

 private:
  static constexpr std::size_t ahead = 16;
  /// Slots of a table that does not fit the nearer caches.
  static constexpr std::size_t worth_prefetching = 8192;

  F* function_;
  const operator_environment* environment_ = nullptr;
  std::optional<keyed_rows> rows_;
  ttl_driver<keyed_rows> ttl_;
  key_group_watermarks floors_;
  event_time watermark_ = event_time::min();
  std::optional<event_time> restored_;
  std::size_t cursor_ = 0;
  bool visiting_ = false;
};

}  // namespace weir::dataflow
