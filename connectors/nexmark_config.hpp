// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "weir/core/result.hpp"
#include "weir/core/time.hpp"

namespace weir::connectors {

/// Which NEXMark stream to make. Two equal configurations make the same bytes, on every machine
/// and at any parallelism.
struct nexmark_config {
  /// What an unbounded stream may count to, and `events` at most.
  static constexpr std::uint64_t max_events = std::uint64_t{1} << 42;

  /// Event time moves by 1 / events_per_second from event to event.
  double events_per_second = 10'000;

  /// How many events there are; 0: no end.
  std::uint64_t events = 0;

  /// Id and number of the first event. The SQL benchmark's table factory has 1 and 1.
  std::uint64_t first_event_id = 0;
  std::uint64_t first_event_number = 0;

  /// Timestamps are shuffled within groups of so many neighbours; 1: they ascend.
  std::uint64_t out_of_order_group_size = 1;

  /// The stream as that of so many upstream generators, one part after the other: each covers the
  /// whole event time. It does not say how many subtasks make the events.
  std::uint32_t generators = 1;

  /// Adds 1,000 to bidder ids once more than to person ids, as the SQL benchmark does.
  bool bidder_quirk = false;

  /// The event time of event number 0: 2015-07-15T00:00:00Z.
  event_time base_time = {1'436'918'400'000};

  /// Errors: invalid_argument, naming the option.
  status validate() const;

  friend bool operator==(const nexmark_config&, const nexmark_config&) = default;
};

}  // namespace weir::connectors
