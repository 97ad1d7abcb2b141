// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <type_traits>
#include <utility>
#include <vector>

#include "weir/dataflow/output.hpp"

namespace weir::dataflow {

/// Where a function puts the records that it emits. Handed to the function by the engine; valid
/// during that call only. A record gets the time of the record or timer that caused it, unless it
/// is given one.
template <class R>
class collector final : public output_base {
 public:
  collector() : output_base{tag_of<R>()} {}
  collector(const collector&) = delete;
  collector& operator=(const collector&) = delete;
  ~collector() override {
    if (open_) open_->set_rows(static_cast<std::size_t>(at_ - open_->values()));
  }

  void collect(R record) { put(std::move(record), time_); }
  void collect(R record, event_time time) { put(std::move(record), time); }

  /// Emits `count` records from `first` on, each with the time `time_of(record)`: for sources,
  /// faster than one by one.
  template <class TimeOf>
  void collect_all(const R* first, std::size_t count, TimeOf time_of) {
    if constexpr (has_dynamic_payload<R>) {
      for (std::size_t i = 0; i < count; ++i) put(first[i], time_of(first[i]));
      return;
    }
    while (count > 0) {
      if (at_ == end_) next();
      const std::size_t now = std::min(count, static_cast<std::size_t>(end_ - at_));
      R* const values = at_;
      event_time* const times = time_at_;
      for (std::size_t i = 0; i < now; ++i) {
        // An address only, which may be past the end: prefetching it is harmless.
        __builtin_prefetch(reinterpret_cast<const void*>(
            reinterpret_cast<std::uintptr_t>(first + i) + read_ahead));
        ::new (values + i) R(first[i]);
        times[i] = time_of(first[i]);
        // A copy that throws must leave what was constructed counted.
        if constexpr (!std::is_nothrow_copy_constructible_v<R>) at_ = values + i + 1;
      }
      at_ = values + now;
      time_at_ = times + now;
      first += now;
      count -= now;
    }
  }

  /// For the engine: the time of what is emitted from here on.
  void set_time(event_time time) { time_ = time; }
  event_time time() const { return time_; }

  /// For the engine: from now on `look(records, times, count)` sees each record once, before it is
  /// shipped: what was emitted since `show_emitted` was called last, when it is called again. It
  /// may set the times.
  void set_observer(std::function<void(const R*, event_time*, std::size_t)> look) {
    observer_ = std::move(look);
  }
  void show_emitted() {
    const auto rows = open_ ? static_cast<std::size_t>(at_ - open_->values()) : 0;
    if (rows == shown_) return;
    const auto from = std::exchange(shown_, rows);
    observer_(open_->values() + from, open_->times() + from, rows - from);
  }

  /// For the engine: whether the targets had no room left when a batch was last shipped.
  bool full() const { return full_; }

  /// For the engine: passes a whole batch on without a copy.
  void pass(batch_reference<batch<R>> b) {
    flush();
    if (b->rows() > 0) ship(std::move(b));
  }

  void connect(element_queue_base& target) override {
    targets_.push_back(static_cast<element_queue<R>*>(&target));
  }
  std::size_t targets() const override { return targets_.size(); }

  bool has_room() const override {
    full_ = false;
    for (auto* target : targets_) full_ |= !target->has_room();
    return !full_;
  }

  bool has_partial() const override { return open_ && at_ != open_->values(); }

  void flush() override {
    if (has_partial()) ship_open();
  }

  void send(control c) override {
    flush();
    for (auto* target : targets_) target->push_control(c);
  }

  void set_limits(batch_limits limits) override { limits_ = limits; }

  /// For the engine: how many records were collected so far, those in the open batch included.
  std::uint64_t collected() const {
    return shipped_ + (open_ ? static_cast<std::uint64_t>(at_ - open_->values()) : 0);
  }

  /// Records emitted while nobody reads this output: they are dropped.
  std::uint64_t dropped() const { return dropped_; }

 private:
  [[gnu::always_inline]] void put(R record, event_time time) {
    if (at_ == end_) [[unlikely]]
      next();
    ::new (at_) R(std::move(record));
    if constexpr (has_dynamic_payload<R>) payload_ += payload_bytes(*at_);
    ++at_;
    *time_at_++ = time;
    if constexpr (has_dynamic_payload<R>) {
      if (payload_ + static_cast<std::size_t>(at_ - open_->values()) * sizeof(R) >= limits_.bytes)
          [[unlikely]] {
        ship_open();
      }
    }
  }

  [[gnu::noinline]] void next() {
    if (open_) ship_open();
    open_ = batch<R>::make(batch<R>::max_rows(limits_));
    at_ = open_->values();
    end_ = at_ + open_->capacity();
    time_at_ = open_->times();
    payload_ = 0;
  }

  [[gnu::noinline]] void ship_open() {
    if (observer_) {
      show_emitted();
      shown_ = 0;
    }
    open_->set_rows(static_cast<std::size_t>(at_ - open_->values()));
    at_ = end_ = nullptr;
    ship(std::exchange(open_, {}));
  }

  void ship(batch_reference<batch<R>> b) {
    b->account();
    shipped_ += b->rows();
    if (targets_.empty()) {
      dropped_ += b->rows();
      return;
    }
    for (std::size_t i = 1; i < targets_.size(); ++i) targets_[i]->push(b);
    targets_.front()->push(std::move(b));
    for (auto* target : targets_) full_ |= !target->has_room();
  }

  /// Bytes by which `collect_all` fetches ahead of what it copies.
  static constexpr std::size_t read_ahead = 1024;

  batch_reference<batch<R>> open_;
  R* at_ = nullptr;
  R* end_ = nullptr;
  event_time* time_at_ = nullptr;
  event_time time_ = event_time::min();
  mutable bool full_ = false;
  std::size_t payload_ = 0;
  batch_limits limits_;
  std::vector<element_queue<R>*> targets_;
  std::function<void(const R*, event_time*, std::size_t)> observer_;
  std::size_t shown_ = 0;  // rows of the open batch that the observer has seen
  std::uint64_t shipped_ = 0;
  std::uint64_t dropped_ = 0;
};

}  // namespace weir::dataflow

namespace weir {
using dataflow::collector;
}
