// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <utility>

#include "weir/windowing/time_window.hpp"

namespace weir::windowing {

/// The open sessions of one key, in order: no two of them intersect. `State` is where the contents
/// of a session are found, such as a pointer or an index; when sessions merge, one of their states
/// goes on and takes in the others. Owned and used by one subtask.
///
/// One session needs no memory of its own. Takes O(log n), and O(n) to insert in the middle.
///
/// Source: the rules are those of Apache Flink's MergingWindowSet, whose windows stay with the
/// state that they were given first; here that is always the one of the earliest session.
template <class State>
class merging_window_set {
  static_assert(std::is_trivially_copyable_v<State>, "State is a pointer, an index or the like");

 public:
  struct entry {
    time_window window;
    State state;
  };

  merging_window_set() noexcept : place_{.one = {}} {}
  merging_window_set(merging_window_set&& other) noexcept : merging_window_set{} {
    *this = std::move(other);
  }
  merging_window_set& operator=(merging_window_set&& other) noexcept {
    std::swap(size_, other.size_);
    std::swap(capacity_, other.capacity_);
    std::swap(place_, other.place_);
    return *this;
  }
  merging_window_set(const merging_window_set&) = delete;
  merging_window_set& operator=(const merging_window_set&) = delete;
  ~merging_window_set() {
    if (!in_place()) delete[] place_.many;
  }

  bool empty() const noexcept { return size_ == 0; }

  /// All sessions, by time. Until the set is changed.
  std::span<entry> sessions() noexcept { return {begin(), size_}; }
  std::span<const entry> sessions() const noexcept { return {begin(), size_}; }

  /// Null if that is no session.
  entry* find(const time_window& window) {
    entry* const at = first_ending_at(window.start);
    return at != end() && at->window == window ? at : nullptr;
  }

  /// The session that `window` belongs to from now on:
  ///
  /// - If it intersects none, it becomes one with the state `make_state()`.
  /// - If it lies within one, it is that.
  /// - Else all that it intersects and itself become one. Before that,
  ///   on_merge(session, members) is called with what it will be and with those that merge: the
  ///   state of the first will be its state, those of the others go. If that throws, nothing has
  ///   changed.
  ///
  /// What it returns is there until the set is changed.
  template <class MakeState, class OnMerge>
  entry& add(const time_window& window, MakeState&& make_state, OnMerge&& on_merge) {
    entry* const first = first_ending_at(window.start);
    entry* last = first;
    time_window merged = window;
    for (; last != end() && intersects(last->window, merged); ++last)
      merged = cover(last->window, merged);
    if (first == last) return insert(first, {window, make_state()});
    if (last - first == 1 && first->window == merged) return *first;
    on_merge(std::as_const(merged), std::span<entry>{first, last});
    first->window = merged;
    erase(first + 1, last);
    return *first;
  }

  /// Forgets a session. False if `window` is none.
  bool retire(const time_window& window) {
    entry* const at = find(window);
    if (at == nullptr) return false;
    erase(at, at + 1);
    return true;
  }

  /// Puts a session back behind the others, as it was stored. False, and nothing has changed, if it
  /// is not behind them, or is none: then what was stored is corrupt.
  bool append(const entry& stored) {
    if (stored.window.end < stored.window.start) return false;
    if (!empty() && sessions().back().window.end >= stored.window.start) return false;
    insert(end(), stored);
    return true;
  }

 private:
  /// The only session, or the place of all.
  union place {
    entry one;
    entry* many;
  };

  bool in_place() const noexcept { return capacity_ == 1; }
  entry* begin() noexcept { return in_place() ? &place_.one : place_.many; }
  const entry* begin() const noexcept { return in_place() ? &place_.one : place_.many; }
  entry* end() noexcept { return begin() + size_; }

  /// The first session that does not end before `t`.
  entry* first_ending_at(event_time t) {
    return std::partition_point(begin(), end(), [t](const entry& e) { return e.window.end < t; });
  }

  entry& insert(entry* before, const entry& added) {
    const auto at = static_cast<std::size_t>(before - begin());
    if (size_ == capacity_) grow();
    std::copy_backward(begin() + at, end(), end() + 1);
    ++size_;
    return begin()[at] = added;
  }

  void erase(entry* first, entry* last) {
    std::copy(last, end(), first);
    size_ -= static_cast<std::uint32_t>(last - first);
  }

  void grow() {
    const std::uint32_t capacity = capacity_ * 2;
    auto* const many = new entry[capacity];
    std::copy(begin(), end(), many);
    if (!in_place()) delete[] place_.many;
    place_.many = many;
    capacity_ = capacity;
  }

  std::uint32_t size_ = 0;
  std::uint32_t capacity_ = 1;
  place place_;
};

}  // namespace weir::windowing
