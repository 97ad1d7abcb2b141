// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <utility>

#include "weir/state/element_block.hpp"

namespace weir::state {

/// A block without an index.
struct no_index {
  static constexpr std::size_t slots(std::size_t) { return 0; }
  static constexpr std::size_t capacity(std::size_t) { return ~std::size_t{0}; }
};

template <class T>
using list_block = element_block<T, no_index>;

/// The elements of a list as they were when it was read, for as long as the view lives: whatever
/// happens to the list, and when another key is the current one. Cheap to copy. The first change of
/// the list while a view of it lives copies the list, so let a view go when it is not needed.
/// Owned and used by the subtask that read the list.
template <class T>
class list_view {
 public:
  using value_type = T;
  using size_type = std::size_t;
  using const_iterator = const T*;
  using iterator = const_iterator;

  /// An empty one.
  list_view() noexcept = default;

  /// For the engine.
  explicit list_view(list_block<T> elements) noexcept : elements_{std::move(elements)} {}

  std::size_t size() const noexcept { return elements_.size(); }
  bool empty() const noexcept { return size() == 0; }

  const T* begin() const noexcept { return elements_.data(); }
  const T* end() const noexcept { return elements_.data() + elements_.size(); }

  /// @pre i < size()
  const T& operator[](std::size_t i) const noexcept { return elements_.data()[i]; }
  /// @pre !empty()
  const T& front() const noexcept { return *begin(); }
  const T& back() const noexcept { return end()[-1]; }

 private:
  list_block<T> elements_;
};

}  // namespace weir::state
