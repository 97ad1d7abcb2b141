// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <tuple>
#include <vector>

#include "weir/core/random.hpp"
#include "weir/windowing/windows.hpp"

#include "simulation/window_job.hpp"

namespace weir::testing {

/// The events of a `window_job` in windows of every kind at the same time: sliding ones that share
/// panes, sessions whose trigger is derived, sessions and windows with triggers that have timers
/// and states, windows that keep all records, and one for all time. Each time that its process
/// starts, its operators get other parallelisms. What a window emits in sum does not depend on
/// the order in which the records of the two sources come.
class windows_job {
 public:
  using event = window_job::event;

  /// Kind of window, key, start of the window.
  using place = std::tuple<int, std::uint32_t, std::int64_t>;
  struct row {
    int kind = 0;
    std::uint32_t key = 0;
    event_time start;
    std::int64_t sum = 0;
  };

  explicit windows_job(std::uint64_t seed) : random_{seed} {}

  void describe(environment& env) {
    static constexpr std::array<std::uint32_t, 3> parallelisms{1, 2, 3};
    const auto p = [this] { return parallelisms[random_.below(parallelisms.size())]; };
    env.parallelism(p());
    const auto events = source_.keyed_events(env);
    const auto sliding = events.window(sliding_event_time(duration{20}, duration{10}))
                             .aggregate(sum{}, to_row<0>{})
                             .uid("sliding")
                             .parallelism(p());
    const auto sessions = events.window(session_event_time(duration{5}))
                              .aggregate(sum{}, to_row<1>{})
                              .uid("sessions")
                              .parallelism(p());
    const auto by_three = events.window(tumbling_event_time(duration{25}))
                              .trigger(purging(any_of(event_time_trigger{}, after_count(3))))
                              .aggregate(sum{}, to_row<2>{})
                              .uid("purging")
                              .parallelism(p());
    const auto all_records = events.window(tumbling_event_time(duration{30}))
                                 .process(sum_all{})
                                 .uid("all records")
                                 .parallelism(p());
    const auto at_end = events.window(session_event_time(duration{5}))
                            .trigger(any_of(at_cleanup(), at_cleanup()))
                            .process(sum_all_of_session{})
                            .uid("sessions by trigger")
                            .parallelism(p());
    const auto all_time = events.window(global_windows().with_end_of_stream_trigger())
                              .aggregate(sum{}, to_row_of_all{})
                              .uid("all time")
                              .parallelism(p());
    sliding.union_with(sessions, by_three, all_records, at_end, all_time)
        .sink_to(out_)
        .uid("sink")
        .parallelism(1);
  }

  std::map<place, std::int64_t> sums() const {
    std::map<place, std::int64_t> sums;
    for (const auto& r : out_.rows()) sums[{r.kind, r.key, r.start.ms}] += r.sum;
    return sums;
  }
  /// Windows emit once, but for those with the trigger that purges.
  bool each_once() const {
    std::map<place, int> rows;
    for (const auto& r : out_.rows())
      if (r.kind != 2 && ++rows[{r.kind, r.key, r.start.ms}] > 1) return false;
    return true;
  }

  static std::map<place, std::int64_t> expected() {
    std::map<place, std::int64_t> sums;
    std::map<std::uint32_t, std::map<std::int64_t, std::int64_t>> by_time;
    for (const auto& e : window_job{}.all_events()) {
      const auto start = [&](std::int64_t size) { return e.time.ms - floor_mod(e.time.ms, size); };
      sums[{0, e.key, start(10)}] += e.value;
      sums[{0, e.key, start(10) - 10}] += e.value;
      sums[{2, e.key, start(25)}] += e.value;
      sums[{3, e.key, start(30)}] += e.value;
      sums[{5, e.key, event_time::min().ms}] += e.value;
      by_time[e.key][e.time.ms] += e.value;
    }
    for (const auto& [key, events] : by_time) {
      std::int64_t start = 0, last = 0;
      for (const auto& [time, value] : events) {
        if (time == events.begin()->first || time - last > 5) start = time;
        last = time;
        sums[{1, key, start}] += value;
        sums[{4, key, start}] += value;
      }
    }
    return sums;
  }

 private:
  using sum = window_job::sum;
  template <int Kind>
  struct to_row {
    void process_record(std::uint32_t key, const time_window& w, std::int64_t total,
                        collector<row>& rows) {
      rows.collect({Kind, key, w.start, total});
    }
  };
  struct to_row_of_all {
    void process_record(std::uint32_t key, const global_window&, std::int64_t total,
                        collector<row>& rows) {
      rows.collect({5, key, event_time::min(), total});
    }
  };
  template <int Kind>
  struct sum_records {
    void process_record(std::uint32_t key, const time_window& w, std::span<const event> all,
                        collector<row>& rows) {
      std::int64_t total = 0;
      for (const auto& e : all) total += e.value;
      rows.collect({Kind, key, w.start, total});
    }
  };
  using sum_all = sum_records<3>;
  using sum_all_of_session = sum_records<4>;

  window_job source_;
  random_generator random_;
  collect_sink<row> out_{"rows"};
};

}  // namespace weir::testing
