// SPDX-License-Identifier: Apache-2.0
// What windows hold, while they are open and when they are over.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

#include "weir/dataflow/environment.hpp"
#include "weir/testing/operator_harness.hpp"
#include "weir/windowing/windowed_stream.hpp"

#include "bench/support/memory.hpp"
#include "bench/support/window_jobs.hpp"

namespace weir::bench {

/// The sums of records by key and window, of an operator alone.
template <class Assigner>
testing::operator_harness::factory lone_sums(const Assigner& windows) {
  environment env{"window sums"};
  const auto sums = env.from_source(list_source{make_records(0, 1, 1)})
                        .key_by(&record::key)
                        .window(windows)
                        .aggregate(window_sum{}, to_sum_row{});
  return env.job().at(sums.origin().node).make;
}

/// Gives the operator a record of each of `keys` keys at `time`.
inline void feed_each_key(testing::operator_harness& to, std::uint64_t keys, std::int64_t time) {
  for (std::uint64_t key = 1; key <= keys; ++key) to.push(record{key, time, 1}, event_time{time});
  to.deliver();
}

/// Bytes for each of `keys` keys and each of the windows that each of them is in, when each has a
/// record at the `times` [0, step, 2 · step, …).
template <class Assigner>
double bytes_per_window_and_key(const Assigner& assigner, std::uint64_t keys, std::int64_t times,
                                std::int64_t step, double windows) {
  testing::operator_harness alone{lone_sums(assigner), testing::harness_mode::all_at_once};
  const auto before = resident_bytes();
  for (std::int64_t i = 0; i < times; ++i) feed_each_key(alone, keys, i * step);
  const auto after = resident_bytes();
  return static_cast<double>(after - before) / (static_cast<double>(keys) * windows);
}

/// Rows in a snapshot of an operator.
class counted_rows final : dataflow::snapshot_context, state::snapshot_stream {
 public:
  explicit counted_rows(dataflow::operator_base& of) {
    of.begin_snapshot(*this);
    while (of.snapshot_running()) of.sweep_snapshot(1 << 20);
  }

  /// Of chunks with rows of keys.
  std::size_t bytes() const { return bytes_; }

 private:
  checkpoint_id id() const override { return {1}; }
  state::snapshot_stream& stream() override { return *this; }
  void defer(dataflow::snapshot_work) override {}
  void put(state::snapshot_chunk chunk) override {
    if (chunk.group && chunk.section != "watermark") bytes_ += chunk.bytes.size();
  }

  std::size_t bytes_ = 0;
};

/// What is left of `keys` keys with one window each that are all over.
struct leftovers {
  std::size_t state_bytes = 0;
  std::size_t timers = 0;
  double memory = 0;  ///< as a part of what there was before
};

template <class Assigner>
leftovers left_of_expired(const Assigner& assigner, std::uint64_t keys) {
  testing::operator_harness alone{lone_sums(assigner), testing::harness_mode::all_at_once};
  const auto before = resident_bytes();
  feed_each_key(alone, keys, 0);
  alone.watermark(event_time{1'000'000});
  for (std::int64_t t = 1'000'001; t < 1'000'100; ++t) alone.watermark(event_time{t});
  const auto after = resident_bytes();
  return {counted_rows{alone.instance()}.bytes(), alone.timers(),
          static_cast<double>(after) / static_cast<double>(before)};
}

}  // namespace weir::bench
