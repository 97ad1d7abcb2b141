// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <deque>
#include <iterator>
#include <memory>
#include <utility>

namespace weir::state {

/// The elements of an operator's list as they were when it was asked for them: whatever is done to
/// the list, they stay. A value; owned and used by one subtask, like the list.
///
/// Elements are only ever added behind others, and all other changes begin a new list: so these are
/// references to the list and how long it was.
template <class T>
class list_elements {
 public:
  class iterator;
  using value_type = T;
  using const_iterator = iterator;

  list_elements() = default;
  /// All of `restored`, then the first `own_size` of `own`. Either may be null.
  list_elements(std::shared_ptr<const std::deque<T>> restored,
                std::shared_ptr<const std::deque<T>> own, std::size_t own_size)
      : restored_{std::move(restored)},
        own_{std::move(own)},
        restored_size_{restored_ ? restored_->size() : 0},
        size_{restored_size_ + own_size} {}

  std::size_t size() const noexcept { return size_; }
  bool empty() const noexcept { return size_ == 0; }

  /// @pre i < size()
  const T& operator[](std::size_t i) const noexcept {
    return i < restored_size_ ? (*restored_)[i] : (*own_)[i - restored_size_];
  }

  /// Iterators are good while the elements they come from live.
  iterator begin() const noexcept { return {this, 0}; }
  iterator end() const noexcept { return {this, size_}; }

 private:
  std::shared_ptr<const std::deque<T>> restored_;  // with the other subtasks, read only
  std::shared_ptr<const std::deque<T>> own_;       // with the list and other views of it
  std::size_t restored_size_ = 0;
  std::size_t size_ = 0;
};

template <class T>
class list_elements<T>::iterator {
 public:
  using iterator_category = std::forward_iterator_tag;
  using value_type = T;
  using difference_type = std::ptrdiff_t;
  using pointer = const T*;
  using reference = const T&;

  iterator() = default;
  reference operator*() const noexcept { return (*elements_)[at_]; }
  pointer operator->() const noexcept { return &(*elements_)[at_]; }
  iterator& operator++() noexcept {
    ++at_;
    return *this;
  }
  iterator operator++(int) noexcept {
    auto before = *this;
    ++at_;
    return before;
  }
  friend bool operator==(iterator a, iterator b) noexcept { return a.at_ == b.at_; }

 private:
  friend list_elements;
  iterator(const list_elements* elements, std::size_t at) noexcept : elements_{elements}, at_{at} {}

  const list_elements* elements_ = nullptr;
  std::size_t at_ = 0;
};

}  // namespace weir::state
