// SPDX-License-Identifier: Apache-2.0
// Whole jobs that add up the values of each key in windows.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>

#include "weir/actors/job_handle.hpp"
#include "weir/dataflow/environment.hpp"
#include "weir/windowing/windowed_stream.hpp"

#include "bench/support/checksum_sink.hpp"
#include "bench/support/hand_written.hpp"
#include "bench/support/records.hpp"
#include "bench/support/report.hpp"

namespace weir::bench {

struct sum_row {
  std::uint64_t key;
  std::int64_t sum;
  std::uint64_t digest() const { return digest_of(key, sum); }
};

struct window_sum {
  struct accumulator {
    std::int64_t sum = 0;
  };
  void add(const record& in, accumulator& a) const { a.sum += in.value; }
  void merge(const accumulator& from, accumulator& into) const { into.sum += from.sum; }
  std::int64_t get_result(const accumulator& a) const { return a.sum; }
};

struct to_sum_row {
  void process_record(const std::uint64_t& key, const time_window&, const std::int64_t& sum,
                      collector<sum_row>& out) const {
    out.collect({key, sum});
  }
};

/// What came to the sink of a job that runs to its end; ends the process if it fails.
inline checksum run(environment& env, const checksum_sink<sum_row>& sink) {
  auto done = execute(env);
  if (!done) {
    std::fprintf(stderr, "%s\n", done.error_text().c_str());
    std::exit(1);
  }
  return sink.total();
}

/// The sums of `records` by key and window; `watermarks` says how often event time moves on.
template <class Assigner>
checksum windowed_job(const record_list& records, const Assigner& windows,
                      duration watermarks = duration{200}) {
  environment env{"window sums"};
  checksum_sink<sum_row> sink;
  env.from_source(list_source{records})
      .assign_timestamps_and_watermarks(
          monotonous_timestamps().emit(watermark_emission::periodic, watermarks))
      .key_by(&record::key)
      .window(windows)
      .aggregate(window_sum{}, to_sum_row{})
      .sink_to(sink);
  return run(env, sink);
}

/// Runs a job over `count` records and its reference in turn; the first round only warms up.
inline comparison compare(const std::string& row, std::size_t count, int rounds,
                          const std::function<checksum()>& job,
                          const std::function<checksum()>& reference) {
  comparison c{row, {}, {}};
  for (int round = 0; round <= rounds; ++round) {
    checksum expected, got;
    const double by_hand = seconds_of([&] { expected = reference(); });
    const double by_weir = seconds_of([&] { got = job(); });
    if (!(expected == got)) {
      std::fprintf(stderr, "%s: the job's rows are not those of the loop\n", row.c_str());
      std::exit(1);
    }
    if (round == 0) continue;
    c.job.push_back(static_cast<double>(count) / by_weir);
    c.reference.push_back(static_cast<double>(count) / by_hand);
  }
  return c;
}

}  // namespace weir::bench
