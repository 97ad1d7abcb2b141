// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

#include "weir/state/row_table.hpp"

namespace weir::state {

/// The table of one pane of windows: an accumulator for each key, in cell 0 of its row; `More` are
/// the types of further cells, of a trigger's states for instance.
template <class Key, class Accumulator, class... More>
class pane_table : public row_table<Key, row_layout<Accumulator, More...>> {
  using base = row_table<Key, row_layout<Accumulator, More...>>;

 public:
  using base::base;
  using typename base::layout;

  /// A row, and whether it is a new one, which has no accumulator yet.
  struct place {
    std::byte* row;
    bool inserted;

    /// The accumulator. @pre !inserted, or it was created
    Accumulator& accumulator() const noexcept { return layout::template value<0>(row); }

    /// Gives a new row its accumulator, made of `args`.
    template <class... Args>
    Accumulator& create(Args&&... args) const {
      return layout::template create<0>(row, std::forward<Args>(args)...);
    }
  };

  /// As `row_table::finder`, for panes.
  class finder : public base::finder {
   public:
    explicit finder(pane_table& table) : base::finder{table.base::make_finder()} {}

    template <class K>
    [[gnu::always_inline]] place find_or_insert(const K& key, std::uint64_t hash) {
      std::byte* row = base::finder::find_or_insert(key, hash);
      return {row, !is_present(row, 0)};
    }
  };

  finder make_finder() { return finder{*this}; }

  template <class K>
  place find_or_insert(const K& key, std::uint64_t hash) {
    return make_finder().find_or_insert(key, hash);
  }

  /// The accumulator of a row that has one.
  static Accumulator& accumulator_of(std::byte* row) noexcept {
    return layout::template value<0>(row);
  }
  static const Accumulator& accumulator_of(const std::byte* row) noexcept {
    return layout::template value<0>(row);
  }
};

}  // namespace weir::state
