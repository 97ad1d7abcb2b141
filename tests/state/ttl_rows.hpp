// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <utility>

#include "weir/state/keyed_rows.hpp"
#include "weir/state/state.hpp"

#include "state/collected_chunks.hpp"
#include "support/catch.hpp"

namespace weir::testing {

inline constexpr std::uint32_t ttl_max_parallelism = 128;
inline constexpr key_group_range ttl_groups{{0}, {ttl_max_parallelism - 1}};

/// A function with TTL, its rows, and a clock that both times follow: processing time and the
/// watermark.
template <class Function, class Timing = state::timed>
class ttl_rows {
 public:
  explicit ttl_rows(Function given)
      : f{std::move(given)}, rows{f, ttl_groups, ttl_max_parallelism} {
    set_time(0);
  }

  void set_time(std::int64_t ms) {
    now_ = ms;
    if constexpr (std::is_same_v<Timing, state::timed>) rows.set_time({ms}, {ms});
  }
  std::int64_t now() const { return now_; }

  template <class Use>
  void at(std::int64_t ms, int key, Use&& use) {
    set_time(ms);
    rows.with_key(key, stable_hash(key), [&](Function& g, int) { use(g); });
  }

  collected_chunks snapshot() {
    collected_chunks out;
    rows.begin_snapshot(out, "op");
    while (rows.snapshotting()) rows.sweep(3);
    return out;
  }

  Function f;
  state::keyed_rows<int, Function, Timing> rows;

 private:
  std::int64_t now_ = 0;
};

/// Rows in the snapshot, of keys that are ints and of values that are `int64_t`, without a look at
/// the clock.
template <class Function>
std::size_t restored_size(const collected_chunks& chunks, Function f) {
  ttl_rows<Function> restored{std::move(f)};
  REQUIRE(restored.rows.restore(chunks.chunks, "op").ok());
  return restored.rows.size();
}

}  // namespace weir::testing
