// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace weir::bench {

/// What one would write by hand instead of keyed state: open addressing, key and value in the
/// slot, as many slots as it will ever need, at most half of them in use. Keys are not 0.
template <class Value>
class bare_table {
 public:
  explicit bare_table(std::uint64_t keys) {
    std::size_t slots = 16;
    while (slots < keys * 2) slots *= 2;
    cells_.resize(slots);
    mask_ = slots - 1;
  }

  void prefetch(std::uint64_t hash) const { __builtin_prefetch(&cells_[hash & mask_], 1); }

  /// The value of `key`; a new one is a `Value{}`.
  Value& at(std::uint64_t key, std::uint64_t hash) {
    for (std::size_t i = hash & mask_;; i = (i + 1) & mask_) {
      cell& c = cells_[i];
      if (c.key == key) return c.value;
      if (c.key != 0) continue;
      c.key = key;
      return c.value;
    }
  }

 private:
  struct cell {
    std::uint64_t key = 0;
    Value value{};
  };

  std::vector<cell> cells_;
  std::size_t mask_ = 0;
};

}  // namespace weir::bench
