// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>

#include "weir/core/time.hpp"

namespace weir::actors::internal {

/// What `snapshot_pace` keeps to.
struct snapshot_limits {
  /// Table slots in a slice at least; and when there is nothing else to do.
  std::size_t least_slots = 1024;
  std::size_t idle_slots = 16384;

  /// Bytes in a slice at most, as far as they can be foretold.
  std::size_t slice_bytes = std::size_t{1} << 20;

  /// Bytes that are written at once.
  std::size_t write_size = std::size_t{1} << 20;

  /// Bytes on their way to the disk that make the sweep wait, and those that make all work wait:
  /// rows are saved by the work, too, when it comes to them first.
  std::size_t sweep_waits = std::size_t{16} << 20;
  std::size_t work_waits = std::size_t{64} << 20;

  /// When a snapshot should be complete, from its start on.
  duration time = std::chrono::minutes{5};
};

/// How fast a snapshot goes on beside the work of a subtask. A row that is saved costs about as
/// much as a record, so a slice after each run of the chain is as many slots as it took rows: then
/// work goes on, and the snapshot ends when there were about as many rows as there are slots. It
/// goes faster when there is nothing else to do and when the time gets short, more slowly when rows
/// are large, and not at all while the disk does not keep up. Pure; owned by a subtask.
class snapshot_pace {
 public:
  explicit snapshot_pace(snapshot_limits limits) : limits_{limits} {}

  /// A snapshot begins.
  void begin(clock_time now) {
    started_ = now;
    swept_slots_ = first_slots;
    swept_bytes_ = std::uint64_t{first_slots} << 10;
  }

  /// Slots for the next slice of an operator that has taken so many rows since its last one.
  /// `busy`: there is more work.
  std::size_t slots(std::uint64_t rows, bool busy, clock_time now) const {
    if (!may_sweep()) return 0;
    const auto least = busy ? limits_.least_slots : limits_.idle_slots;
    const auto wanted = std::max<std::uint64_t>(least, rows) * urgency(now);
    const auto most = limits_.slice_bytes * swept_slots_ / (swept_bytes_ + 1) + 1;
    return static_cast<std::size_t>(std::min<std::uint64_t>(wanted, most));
  }

  /// A slice of so many slots came to so many bytes.
  void swept(std::size_t slots, std::size_t bytes) {
    swept_slots_ += slots;
    swept_bytes_ += bytes;
  }

  /// Whether the sweep may go on.
  bool may_sweep() const { return in_flight_ < limits_.sweep_waits; }

  /// Whether there may be work that saves rows.
  bool may_work() const { return in_flight_ < limits_.work_waits; }

  /// Bytes are given to the executor that writes them; it has written them, or will never.
  void hand_over(std::size_t bytes) { in_flight_ += bytes; }
  void written(std::size_t bytes) { in_flight_ -= bytes; }

  /// Bytes that are on their way to the disk.
  std::size_t in_flight() const { return in_flight_; }

 private:
  /// A factor that grows in each quarter of the time.
  std::uint64_t urgency(clock_time now) const {
    const auto quarter = std::max<std::int64_t>(limits_.time.count() / 4, 1);
    const auto passed = std::clamp<std::int64_t>((now.ms - started_.ms) / quarter, 0, 3);
    return std::uint64_t{1} << (2 * passed);
  }

  /// The first slice is small: it is not known yet how large the rows are.
  static constexpr std::size_t first_slots = 64;

  snapshot_limits limits_;
  clock_time started_{};
  std::uint64_t swept_slots_ = 0;
  std::uint64_t swept_bytes_ = 0;
  std::size_t in_flight_ = 0;
};

}  // namespace weir::actors::internal
