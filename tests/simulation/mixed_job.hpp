// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <compare>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "weir/dataflow/collect_sink.hpp"
#include "weir/dataflow/environment.hpp"
#include "weir/dataflow/global_stream.hpp"
#include "weir/dataflow/process_streams.hpp"
#include "weir/state/states.hpp"
#include "weir/state/value_state_with_default.hpp"

namespace weir::testing {

/// A bit of everything: sources of many small splits, read by two subtasks; operators without
/// state; every partitioning, and three parallelisms; sums per key, told by an event timer at the
/// end; a side output; two sinks.
class mixed_job {
 public:
  struct row {
    std::int64_t key = 0;
    std::int64_t sum = 0;
    friend auto operator<=>(const row&, const row&) = default;
  };

  static constexpr std::int64_t numbers_of_source = 1'500;
  static constexpr std::int64_t split_size = 100;
  static constexpr std::int64_t keys = 13;

 private:
  /// The numbers from 0 on, in splits.
  struct numbers {
    using value_type = std::int64_t;
    using split_type = std::int64_t;
    using position_type = std::int64_t;

    struct reader {
      std::int64_t next = 0;
      std::int64_t first = 0;

      status open(const split_type& split, const position_type& read) {
        first = split;
        next = split + read;
        return {};
      }
      result<dataflow::poll_outcome> poll(collector<std::int64_t>& out, std::size_t most) {
        const std::int64_t end = first + split_size;
        for (; next < end && most > 0; --most) out.collect(next++, event_time::min());
        return next == end ? dataflow::poll_outcome::split_done : dataflow::poll_outcome::produced;
      }
      position_type position() const { return next - first; }
    };

    result<std::vector<split_type>> splits(file_system&) const {
      std::vector<split_type> all;
      for (std::int64_t n = 0; n < numbers_of_source; n += split_size) all.push_back(n);
      return all;
    }
    reader make_reader(file_system&) const { return {}; }
  };

  static constexpr output_tag<std::int64_t> thirds{"thirds"};

  struct sum_by_key {
    state::value_state_with_default<std::int64_t> sum{"sum", 0};
    auto uses_states() { return state::states(sum); }

    void process_record(const std::int64_t& n, collector<row>&,
                        keyed_context<std::int64_t>& context) {
      sum.edit([&](std::int64_t& s) { s += n; });
      context.timers().register_timer(at(1'000'000));
      if (n % 3 == 0) context.output(thirds, n);
    }
    void on_event_timer(event_time, collector<row>& rows, keyed_context<std::int64_t>& context) {
      rows.collect({context.current_key(), sum.value()});
      sum.clear();
    }
  };

  static std::int64_t halved_unless_odd(std::int64_t n) { return n % 2 == 0 ? n / 2 : n; }

 public:
  void describe(environment& env) const {
    env.parallelism(2);
    auto left = env.from_source(numbers{}).filter([](std::int64_t n) { return n % 7 != 0; });
    auto right = env.from_source(numbers{})
                     .rebalance()
                     .map(halved_unless_odd)
                     .parallelism(3)
                     .flat_map<std::int64_t>([](std::int64_t n, collector<std::int64_t>& out) {
                       for (std::int64_t i = 0; i < n % 4; ++i) out.collect(n);
                     })
                     .parallelism(3);
    auto everywhere = env.from_source(numbers{})
                          .parallelism(1)
                          .filter([](std::int64_t n) { return n < 20; })
                          .parallelism(1)
                          .replicate()
                          .map([](std::int64_t n) { return -n; })
                          .parallelism(3);
    const auto sums = left.union_with(right, everywhere)
                          .key_by([](std::int64_t n) { return (n + 100) % keys; })
                          .process(sum_by_key{})
                          .parallelism(3);
    sums.sink_to(sums_);
    sums.side_output(thirds).global().sink_to(thirds_);
  }

  bool rows_are_right() const {
    std::map<std::int64_t, std::int64_t> by_key;
    std::vector<std::int64_t> thirds;
    for (const auto n : expected_numbers()) {
      by_key[(n + 100) % keys] += n;
      if (n % 3 == 0) thirds.push_back(n);
    }
    std::vector<row> rows;
    for (const auto& [key, sum] : by_key) rows.push_back({key, sum});
    return sorted(sums_.rows()) == rows && sorted(thirds_.rows()) == sorted(std::move(thirds));
  }

 private:
  /// All that reaches the keyed operator.
  static std::vector<std::int64_t> expected_numbers() {
    std::vector<std::int64_t> all;
    for (std::int64_t n = 0; n < numbers_of_source; ++n) {
      if (n % 7 != 0) all.push_back(n);
      const auto halved = halved_unless_odd(n);
      all.insert(all.end(), static_cast<std::size_t>(halved % 4), halved);
      if (n < 20) all.insert(all.end(), 3, -n);
    }
    return all;
  }

  template <class T>
  static std::vector<T> sorted(std::vector<T> values) {
    std::sort(values.begin(), values.end());
    return values;
  }

  collect_sink<row> sums_{"sums"};
  collect_sink<std::int64_t> thirds_{"thirds"};
};

}  // namespace weir::testing
