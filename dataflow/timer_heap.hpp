// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "weir/dataflow/timer_table.hpp"

namespace weir::dataflow {

/// A set of timers of one domain that gives them in firing order: by time, FIREs before PURGEs,
/// then as they came. Timers can be deleted wherever they stand. A leased timer has left the
/// order but is still in the set. Owned and used by one actor.
///
/// The order is a heap of its own beside the table. It does not know where an item stands, which
/// would cost a cache miss per level: items of deleted timers stay, are passed over when they come
/// to the top, and swept out when they outnumber the others.
template <class Subject>
class timer_heap {
 public:
  using entry = typename timer_table<Subject>::entry;

  /// All timers, with those on lease.
  std::size_t size() const noexcept { return table_.size(); }

  /// Whether no timer waits for its turn.
  bool idle() const noexcept { return waiting_ == 0; }

  /// The time of the next timer. @pre !idle()
  std::int64_t earliest() const { return heap_.front().time; }

  /// The next timer. @pre !idle()
  const entry& front() const { return table_[heap_.front().at]; }

  /// False, and nothing happens, if the timer is there, on lease or not.
  bool insert(std::int64_t time, Subject subject) {
    const auto kind = static_cast<std::uint32_t>(timer_subject<Subject>::kind(subject));
    const auto [at, added] = table_.insert(time, std::move(subject));
    if (!added) return false;
    const std::uint32_t rank = kind << 31 | (came_++ & 0x7FFFFFFF);
    table_[at].value = rank;
    heap_.push_back({time, rank, at});
    move_up(heap_.size() - 1);
    ++waiting_;
    return true;
  }

  /// False if it is not there. Ends its lease.
  bool erase(std::int64_t time, const Subject& subject) {
    const handle at = table_.find(time, subject);
    if (at == none) return false;
    const bool waited = table_[at].value != on_lease;
    table_.erase(at);
    if (waited) {
      --waiting_;
      sweep();
    }
    return true;
  }

  /// Takes the next timer out of the order, and leaves it in the set. The reference holds until
  /// the next change. @pre !idle()
  const entry& lease_front() {
    const handle at = heap_.front().at;
    table_[at].value = on_lease;
    --waiting_;
    sweep();
    return table_[at];
  }

  /// Takes the next timer out. @pre !idle()
  Subject take_front() {
    Subject taken = table_.erase(heap_.front().at);
    --waiting_;
    sweep();
    return taken;
  }

  /// Every timer, with those on lease, in an order that depends on the calls so far only.
  template <class Function>
  void for_each(Function&& f) const {
    table_.for_each(f);
  }

  /// Erases the timers that wait and are later than `time`.
  void erase_after(std::int64_t time) {
    for (const item& i : heap_) {
      if (i.time <= time || table_.empty() || is_gone(i)) continue;
      table_.erase(i.at);
      --waiting_;
    }
    sweep();
  }

 private:
  using handle = typename timer_table<Subject>::handle;
  static constexpr handle none = timer_table<Subject>::none;
  static constexpr std::uint64_t on_lease = ~std::uint64_t{0};
  static constexpr std::size_t arity = 4;  // half the depth of a binary heap, same cache lines
  static constexpr std::size_t few = 64;
  static constexpr std::size_t max_kept = 4096;

  struct item {
    std::int64_t time;
    std::uint32_t rank;
    handle at;

    bool before(const item& other) const {
      return time != other.time ? time < other.time : rank < other.rank;
    }
  };

  /// Whether the timer of the item was deleted or taken, and its place perhaps given to another.
  bool is_gone(const item& i) const {
    const entry& e = table_[i.at];
    return !e.used || e.value != i.rank || e.time != i.time;
  }

  /// Sees to it that the top is a timer that waits, and that most items are.
  void sweep() {
    if (waiting_ == 0) {
      if (heap_.capacity() > max_kept)
        heap_ = {};
      else
        heap_.clear();
      return;
    }
    if (heap_.size() > 2 * waiting_ + few) {
      std::erase_if(heap_, [this](const item& i) { return is_gone(i); });
      for (std::size_t i = heap_.size() / arity + 1; i-- > 0;)
        if (i < heap_.size()) move_down(i);
    }
    while (!heap_.empty() && is_gone(heap_.front())) {
      heap_.front() = heap_.back();
      heap_.pop_back();
      if (!heap_.empty()) move_down(0);
    }
  }

  void move_up(std::size_t i) {
    const item moved = heap_[i];
    for (; i > 0 && moved.before(heap_[(i - 1) / arity]); i = (i - 1) / arity)
      heap_[i] = heap_[(i - 1) / arity];
    heap_[i] = moved;
  }

  void move_down(std::size_t i) {
    const item moved = heap_[i];
    for (;;) {
      const std::size_t first = arity * i + 1;
      if (first >= heap_.size()) break;
      std::size_t least = first;
      for (std::size_t c = first + 1; c < first + arity && c < heap_.size(); ++c)
        if (heap_[c].before(heap_[least])) least = c;
      if (!heap_[least].before(moved)) break;
      heap_[i] = heap_[least];
      i = least;
    }
    heap_[i] = moved;
  }

  timer_table<Subject> table_;  // the value of an entry is the rank of its item, or `on_lease`
  std::vector<item> heap_;
  std::size_t waiting_ = 0;
  std::uint32_t came_ = 0;
};

}  // namespace weir::dataflow
