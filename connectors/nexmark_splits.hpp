// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "weir/connectors/nexmark_config.hpp"

namespace weir::connectors {

/// A run of the stream that one subtask makes: the events with index in [first, first + count).
struct nexmark_split {
  std::uint64_t first = 0;
  std::uint64_t count = 0;

  friend bool operator==(const nexmark_split&, const nexmark_split&) = default;
};

/// How many events a split has, but for the last one.
inline constexpr std::uint64_t nexmark_split_events = 4'096;

/// Split number `ordinal` of the stream, from 0; of 0 events behind the end of a bounded stream.
/// Handed out in this order, the splits of one configuration are the stream, whatever the
/// parallelism: no two overlap, and event time ascends from split to split (shuffled groups of
/// events may lie across a border).
/// @pre config.validate().ok() and config.generators == 1
nexmark_split nexmark_split_at(const nexmark_config& config, std::uint64_t ordinal);

/// All splits of a bounded stream, in order.
/// Errors: invalid_argument if the configuration is, if the stream has no end, or if it is that of
/// several generators, whose event times start again with each.
result<std::vector<nexmark_split>> nexmark_splits(const nexmark_config& config);

}  // namespace weir::connectors
