// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "weir/core/key_groups.hpp"
#include "weir/core/result.hpp"
#include "weir/core/time.hpp"
#include "weir/state/snapshot_stream.hpp"

namespace weir::dataflow {

/// The watermark that each key group of a keyed operator had seen at its last snapshot. After a
/// restore with another parallelism they differ: the operator goes on from the lowest, and the
/// groups that were further keep theirs as a floor, so that nothing happens to a key twice.
/// Owned and used by one subtask.
class key_group_watermarks {
 public:
  /// The section of its chunks.
  static constexpr std::string_view section = "watermark";

  /// To be called once, before all else.
  void open(key_group_range groups, std::uint32_t max_parallelism) {
    groups_ = groups;
    max_parallelism_ = max_parallelism;
  }

  /// Reads the floors of the own key groups. False if the snapshot had none.
  /// Errors: corrupt for damaged bytes.
  result<bool> restore(const state::restored_chunks& chunks);

  /// The lowest of what was restored; `min()` if nothing was.
  event_time lowest() const;

  /// Whether some key group was further than the operator is.
  bool any() const noexcept { return !floors_.empty(); }

  /// The floor of the keys with this hash. @pre any()
  event_time floor_of(std::uint64_t hash) const {
    return floors_[key_group_of(hash, max_parallelism_).value - groups_.first.value];
  }

  /// The operator has got to `watermark`: lets go of the floors if none is above it.
  void reached(event_time watermark);

  /// Puts the watermark of each key group, when that of the operator is `watermark`.
  void write(event_time watermark, state::snapshot_stream& out) const;

 private:
  key_group_range groups_;
  std::uint32_t max_parallelism_ = 1;
  std::vector<event_time> floors_;  // one a group of `groups_`, or none
};

}  // namespace weir::dataflow
