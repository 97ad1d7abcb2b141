// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace weir {

/// A number that only grows. Written by one thread at a time, read by any.
class counter {
 public:
  void increment(std::uint64_t by = 1) noexcept {
    // One writer: no read-modify-write instruction is needed.
    value_.store(value() + by, std::memory_order_relaxed);
  }

  std::uint64_t value() const noexcept { return value_.load(std::memory_order_relaxed); }

 private:
  std::atomic<std::uint64_t> value_{0};
};

/// A number that goes up and down. Written by one thread at a time, read by any.
class gauge {
 public:
  void set(std::int64_t value) noexcept { value_.store(value, std::memory_order_relaxed); }

  void add(std::int64_t by) noexcept { set(value() + by); }

  /// Raises the gauge to `candidate` if that is above it.
  void max(std::int64_t candidate) noexcept {
    if (candidate > value()) set(candidate);
  }

  std::int64_t value() const noexcept { return value_.load(std::memory_order_relaxed); }

 private:
  std::atomic<std::int64_t> value_{0};
};

/// Whether a metric only grows.
enum class metric_kind { counter, gauge };

/// A metric as it was when a snapshot was taken.
struct metric_value {
  std::string name;
  std::int64_t value = 0;
  metric_kind kind = metric_kind::counter;

  friend bool operator==(const metric_value&, const metric_value&) = default;
};

/// The named metrics of one thing: a subtask, a node, a job. Any thread may add and take
/// snapshots. The metrics live as long as the group.
class metric_group {
 public:
  /// The counter of that name, made at 0 if there is none.
  counter& add_counter(std::string_view name);

  /// The gauge of that name, made at 0 if there is none. Counters have names of their own.
  gauge& add_gauge(std::string_view name);

  /// All metrics, sorted by name; of one name the counter first. Each value is one that the metric
  /// had during the call; they need not be of the same instant.
  std::vector<metric_value> snapshot() const;

 private:
  mutable std::mutex mutex_;
  // Guarded by mutex_ (the maps, not the numbers in them):
  std::map<std::string, counter, std::less<>> counters_;
  std::map<std::string, gauge, std::less<>> gauges_;
};

}  // namespace weir
