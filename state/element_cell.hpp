// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "weir/state/element_block.hpp"
#include "weir/state/ttl_rule.hpp"

namespace weir::state {

/// What the cells of lists and of maps have in common: elements, and with TTL a stamp for each,
/// which says when it was touched last. One pointer wide. Owned and used by one subtask.
template <class T, class Index>
class element_cell {
 public:
  using block = element_block<T, Index>;

  std::size_t size() const noexcept { return elements_.size(); }
  bool empty() const noexcept { return size() == 0; }

  /// The elements, the expired ones too, as they are now.
  const block& elements() const noexcept { return elements_; }

  // -- @pre empty(), or the elements have stamps -------------------------------------------------

  /// How many elements have not expired.
  std::size_t live(const ttl_rule& rule) const noexcept {
    if (empty()) return 0;
    return static_cast<std::size_t>(
        std::count_if(elements_.stamps(), elements_.stamps() + size(),
                      [&](std::int64_t stamp) { return !rule.expired(stamp); }));
  }

  /// Whether an element has not expired. Quick where the last one has not.
  bool any_live(const ttl_rule& rule) const noexcept {
    for (std::size_t i = size(); i > 0; --i)
      if (!rule.expired(elements_.stamps()[i - 1])) return true;
    return false;
  }

  /// All elements were read, and none has expired.
  void refresh(const ttl_rule& rule) noexcept {
    for (std::size_t i = 0; i < size(); ++i)
      elements_.stamps()[i] = rule.after_read(elements_.stamps()[i]);
  }

 protected:
  element_cell() = default;
  ~element_cell() = default;
  element_cell(const element_cell&) = default;
  element_cell(element_cell&&) noexcept = default;
  element_cell& operator=(const element_cell&) = default;
  element_cell& operator=(element_cell&&) noexcept = default;

  block elements_;
};

}  // namespace weir::state
