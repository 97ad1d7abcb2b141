// SPDX-License-Identifier: Apache-2.0
// The loops that one would write by hand for the benchmarks' jobs: one thread, open addressing,
// prefetch, one table per window.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "bench/support/checksum_sink.hpp"
#include "bench/support/records.hpp"

namespace weir::bench {

/// Sums by key. Keys are not 0.
class sum_table {
 public:
  struct cell {
    std::uint64_t key = 0;
    std::int64_t sum = 0;
  };

  explicit sum_table(std::uint64_t keys) {
    std::size_t slots = 16;
    while (slots < keys * 2) slots *= 2;
    cells_.resize(slots);
    mask_ = slots - 1;
  }

  static std::uint64_t hash(std::uint64_t x) {
    x ^= x >> 32;
    x *= 0xd6e8feb86659fd93ull;
    return x ^ (x >> 32);
  }
  void prefetch(std::uint64_t key) const { __builtin_prefetch(&cells_[hash(key) & mask_], 1); }

  std::int64_t add(std::uint64_t key, std::int64_t value) {
    for (std::size_t i = hash(key) & mask_;; i = (i + 1) & mask_) {
      cell& c = cells_[i];
      if (c.key == key) return c.sum += value;
      if (c.key != 0) continue;
      c = {key, value};
      return value;
    }
  }

  template <class Use>
  void for_each(Use use) const {
    for (const cell& c : cells_) {
      if (c.key != 0) use(c);
    }
  }
  void clear() { std::fill(cells_.begin(), cells_.end(), cell{}); }

 private:
  std::vector<cell> cells_;
  std::size_t mask_ = 0;
};

inline constexpr std::size_t prefetch_distance = 16;

/// Digest of a running sum, and of a window's sum.
inline std::uint64_t digest_of(std::uint64_t key, std::int64_t sum) {
  return key ^ static_cast<std::uint64_t>(sum);
}

/// The sum so far of each record's key, for each record.
inline checksum running_sums(const std::vector<record>& records, std::uint64_t keys) {
  sum_table table{keys};
  checksum total;
  for (std::size_t i = 0; i < records.size(); ++i) {
    if (i + prefetch_distance < records.size()) table.prefetch(records[i + prefetch_distance].key);
    total.add(digest_of(records[i].key, table.add(records[i].key, records[i].value)));
  }
  return total;
}

/// The sums by key of windows of `size` ms; times never decrease, as a watermark would say.
inline checksum tumbling_sums(const std::vector<record>& records, std::uint64_t keys,
                              std::int64_t size) {
  sum_table pane{keys};
  checksum total;
  const auto close = [&] {
    pane.for_each([&](const auto& c) { total.add(digest_of(c.key, c.sum)); });
    pane.clear();
  };
  std::int64_t end = size;
  for (std::size_t i = 0; i < records.size(); ++i) {
    if (i + prefetch_distance < records.size()) pane.prefetch(records[i + prefetch_distance].key);
    while (records[i].time >= end) {
      close();
      end += size;
    }
    pane.add(records[i].key, records[i].value);
  }
  close();
  return total;
}

}  // namespace weir::bench
