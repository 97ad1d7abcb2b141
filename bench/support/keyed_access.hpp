// SPDX-License-Identifier: Apache-2.0
// The same accesses through keyed state, as an operator makes them, and through a bare table.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "weir/core/hash.hpp"
#include "weir/core/random.hpp"
#include "weir/state/keyed_rows.hpp"

#include "bench/support/bare_table.hpp"

namespace weir::bench {

struct access {
  std::uint64_t key;
  std::int64_t value;
};

/// Keys drawn evenly from [1, keys].
inline std::vector<access> make_accesses(std::size_t count, std::uint64_t keys) {
  random_generator random{42};
  std::vector<access> all;
  all.reserve(count);
  for (std::size_t i = 0; i < count; ++i)
    all.push_back({1 + random.below(keys), static_cast<std::int64_t>(random.below(1000))});
  return all;
}

/// Each of the keys [1, keys] once.
inline std::vector<access> make_each_key(std::uint64_t keys) {
  std::vector<access> all;
  all.reserve(keys);
  for (std::uint64_t key = 1; key <= keys; ++key) all.push_back({key, 1});
  return all;
}

inline constexpr std::size_t batch_rows = 1024;
inline constexpr std::size_t access_ahead = 16;
inline constexpr std::uint32_t key_groups = 128;

/// The state of a function `F`, used as an operator uses it: a batch at a time, with prefetching.
template <class F, class Timing = state::untimed>
class keyed_side {
 public:
  using rows_type = state::keyed_rows<std::uint64_t, F, Timing>;

  keyed_side() : keyed_side{F{}} {}
  explicit keyed_side(F f) : function_{std::move(f)} {}
  keyed_side(const keyed_side&) = delete;
  keyed_side& operator=(const keyed_side&) = delete;

  rows_type& rows() { return rows_; }

  [[gnu::flatten]] std::uint64_t batch(const access* in, const std::uint64_t* hashes,
                                       std::size_t count) {
    std::uint64_t sum = 0;
    auto keyed = rows_.make_batch();
    const std::size_t last = rows_.capacity() >= 8192 ? count : 0;
    for (std::size_t i = 0; i < std::min(access_ahead, last); ++i) keyed.prefetch(hashes[i]);
    for (std::size_t i = 0; i < count; ++i) {
      if (i + access_ahead < last) keyed.prefetch(hashes[i + access_ahead]);
      keyed.with_key(in[i].key, hashes[i],
                     [&](F& f, const std::uint64_t&) { sum += f.process(in[i].value); });
    }
    return sum;
  }

 private:
  F function_;
  rows_type rows_{function_, {{0}, {key_groups - 1}}, key_groups};
};

/// `Function` has a `value_type` and `process(value_type&, in)`.
template <class Function>
class bare_side {
 public:
  explicit bare_side(std::uint64_t keys) : table_{keys} {}

  [[gnu::flatten]] std::uint64_t batch(const access* in, const std::uint64_t* hashes,
                                       std::size_t count) {
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < std::min(access_ahead, count); ++i) table_.prefetch(hashes[i]);
    for (std::size_t i = 0; i < count; ++i) {
      if (i + access_ahead < count) table_.prefetch(hashes[i + access_ahead]);
      sum += Function::process(table_.at(in[i].key, hashes[i]), in[i].value);
    }
    return sum;
  }

 private:
  bare_table<typename Function::value_type> table_;
};

/// Feeds all accesses, in batches; `after_batch(rows)` follows each. The sum of what the function
/// returned.
template <class Side, class AfterBatch>
std::uint64_t feed(Side& side, const std::vector<access>& accesses, AfterBatch after_batch) {
  std::uint64_t hashes[batch_rows];
  std::uint64_t sum = 0;
  for (std::size_t at = 0; at < accesses.size(); at += batch_rows) {
    const auto count = std::min(batch_rows, accesses.size() - at);
    for (std::size_t i = 0; i < count; ++i) hashes[i] = stable_hash(accesses[at + i].key);
    sum += side.batch(accesses.data() + at, hashes, count);
    after_batch(count);
  }
  return sum;
}

template <class Side>
std::uint64_t feed(Side& side, const std::vector<access>& accesses) {
  return feed(side, accesses, [](std::size_t) {});
}

}  // namespace weir::bench
