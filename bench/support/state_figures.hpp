// SPDX-License-Identifier: Apache-2.0
// What keyed state costs beside the accesses: memory, and snapshots.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "weir/checkpoint/state_file_writer.hpp"

#include "bench/support/keyed_access.hpp"
#include "bench/support/memory.hpp"
#include "bench/support/report.hpp"

namespace weir::bench {

/// Bytes of memory for each of `keys` keys that a function has state for.
template <class F, class Timing = state::untimed>
double bytes_per_key(const F& function, std::uint64_t keys) {
  constexpr std::uint64_t least = 1'000'000;  // so many together that pages do not count
  const auto accesses = make_each_key(keys);
  std::vector<std::unique_ptr<keyed_side<F, Timing>>> sides;
  const auto before = resident_bytes();
  std::uint64_t all = 0;
  for (; all < least; all += keys) {
    sides.push_back(std::make_unique<keyed_side<F, Timing>>(function));
    if constexpr (keyed_side<F, Timing>::rows_type::is_timed)
      sides.back()->rows().set_time(clock_time{0}, event_time::min());
    feed(*sides.back(), accesses);
  }
  return static_cast<double>(resident_bytes() - before) / static_cast<double>(all);
}

/// Where a snapshot goes: it becomes the pieces of a file, which nobody writes.
class snapshot_file final : public state::snapshot_stream {
 public:
  void put(state::snapshot_chunk chunk) override {
    to_file_.put(std::move(chunk));
    if (writer_.waiting() >= std::size_t{1} << 20) writer_.take_pieces();
  }

 private:
  checkpoint::state_file_writer writer_;
  checkpoint::state_file_stream to_file_{writer_, "operator"};
};

struct snapshot_figures {
  double before = 0;  ///< accesses per second without a snapshot
  double during = 0;  ///< while one is running
  double stall = 0;   ///< seconds at the barrier
};

/// Takes a snapshot of `side`, in slices of `slots` after each batch, between accesses.
template <class Side>
snapshot_figures take_snapshot(Side& side, const std::vector<access>& accesses, std::size_t slots) {
  snapshot_figures found;
  found.before =
      static_cast<double>(accesses.size()) / computing_seconds_of([&] { feed(side, accesses); });
  snapshot_file file;
  auto& rows = side.rows();
  found.stall = computing_seconds_of([&] { rows.begin_snapshot(file, "rows"); });
  std::size_t records = 0;
  const double seconds = computing_seconds_of([&] {
    while (rows.snapshotting()) {
      std::uint64_t hashes[batch_rows];
      const auto at = records % (accesses.size() - batch_rows);
      for (std::size_t i = 0; i < batch_rows; ++i) hashes[i] = stable_hash(accesses[at + i].key);
      side.batch(accesses.data() + at, hashes, batch_rows);
      records += batch_rows;
      rows.sweep(slots);
    }
  });
  found.during = static_cast<double>(records) / seconds;
  return found;
}

}  // namespace weir::bench
