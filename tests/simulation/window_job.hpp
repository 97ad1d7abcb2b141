// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <compare>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "weir/core/random.hpp"
#include "weir/dataflow/collect_sink.hpp"
#include "weir/dataflow/environment.hpp"
#include "weir/dataflow/keyed_stream.hpp"
#include "weir/windowing/tumbling_windows.hpp"

namespace weir::testing {

/// Sums per key in tumbling windows, over a union of two sources, the records of each at most
/// `disorder` behind its newest.
class window_job {
 public:
  struct event {
    std::uint32_t key = 0;
    std::int64_t value = 0;
    event_time time;
  };
  struct row {
    std::uint32_t key = 0;
    event_time window;
    std::int64_t sum = 0;
    friend auto operator<=>(const row&, const row&) = default;
  };

  /// The aggregate.
  struct sum {
    using accumulator = std::int64_t;
    void add(const event& e, accumulator& into) { into += e.value; }
    void merge(const accumulator& from, accumulator& into) { into += from; }
    std::int64_t get_result(const accumulator& a) { return a; }
  };

  static constexpr duration disorder{7};
  static constexpr duration window_size{25};
  static constexpr std::uint32_t keys = 5;

  window_job() : left_{events(1)}, right_{events(2)} {}

  /// Both sources, by key.
  auto keyed_events(environment& env) const {
    const auto watermarks =
        bounded_out_of_orderness(disorder).timestamps(&event::time).per_record();
    auto left =
        env.from_collection(left_).assign_timestamps_and_watermarks(watermarks).parallelism(1);
    auto right = env.from_collection(right_).assign_timestamps_and_watermarks(watermarks);
    return left.union_with(right).key_by(&event::key);
  }

  data_stream<row> describe_rows(environment& env) const {
    env.parallelism(2);
    return keyed_events(env).window(tumbling_event_time(window_size)).aggregate(sum{}, to_row{});
  }

  void describe(environment& env) const { describe_rows(env).sink_to(out_); }

  std::vector<row> rows() const { return sorted(out_.rows()); }

  /// Those of both sources.
  std::vector<event> all_events() const {
    auto all = left_;
    all.insert(all.end(), right_.begin(), right_.end());
    return all;
  }

  /// What the rows must be.
  std::vector<row> expected() const {
    std::map<std::pair<std::uint32_t, std::int64_t>, std::int64_t> sums;
    for (const auto* events : {&left_, &right_}) {
      for (const auto& e : *events) {
        sums[{e.key, e.time.ms - floor_mod(e.time.ms, window_size.count())}] += e.value;
      }
    }
    std::vector<row> rows;
    for (const auto& [at, total] : sums) rows.push_back({at.first, {at.second}, total});
    return sorted(std::move(rows));
  }

 private:
  struct to_row {
    void process_record(std::uint32_t key, const windowing::time_window& w, std::int64_t total,
                        collector<row>& rows) {
      rows.collect({key, w.start, total});
    }
  };

  static std::vector<event> events(std::uint64_t seed) {
    random_generator random{seed};
    std::vector<event> all;
    for (std::int64_t i = 0; i < 500; ++i) {
      const auto late = static_cast<std::int64_t>(random.below(disorder.count()));
      all.push_back({static_cast<std::uint32_t>(random.below(keys)),
                     static_cast<std::int64_t>(random.below(1'000)),
                     {2 * i - late - 50}});
    }
    return all;
  }

  static std::vector<row> sorted(std::vector<row> rows) {
    std::sort(rows.begin(), rows.end());
    return rows;
  }

  std::vector<event> left_;
  std::vector<event> right_;
  collect_sink<row> out_{"rows"};
};

}  // namespace weir::testing
