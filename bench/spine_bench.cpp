// SPDX-License-Identifier: Apache-2.0
// Whole jobs at parallelism 1 beside hand-written loops over the same records, in the same run:
// keyed running sums and sums of tumbling windows of 1 s, with 1 k and 1 M keys.
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

#include "weir/actors/job_handle.hpp"
#include "weir/dataflow/environment.hpp"
#include "weir/dataflow/process_streams.hpp"
#include "weir/state/state.hpp"
#include "weir/windowing/tumbling_windows.hpp"

#include "bench/support/checksum_sink.hpp"
#include "bench/support/hand_written.hpp"
#include "bench/support/records.hpp"
#include "bench/support/report.hpp"

namespace {

using namespace weir::bench;
using namespace std::chrono_literals;

constexpr std::size_t record_count = 16'000'000;
constexpr std::size_t records_per_ms = 4'000;
constexpr int rounds = 7;

struct sum_row {
  std::uint64_t key;
  std::int64_t sum;
  std::uint64_t digest() const { return digest_of(key, sum); }
};

struct running_sum {
  weir::reducing_state<std::int64_t, std::plus<>> sum{"sum"};
  auto uses_states() { return weir::states(sum); }

  void process_record(const record& in, weir::collector<sum_row>& out) {
    sum.add(in.value);
    out.collect({in.key, *sum.get()});
  }
};

struct window_sum {
  struct accumulator {
    std::int64_t sum = 0;
  };
  void add(const record& in, accumulator& a) const { a.sum += in.value; }
  void merge(const accumulator& from, accumulator& into) const { into.sum += from.sum; }
  std::int64_t get_result(const accumulator& a) const { return a.sum; }
};

struct to_row {
  void process_record(const std::uint64_t& key, const weir::time_window&, const std::int64_t& sum,
                      weir::collector<sum_row>& out) const {
    out.collect({key, sum});
  }
};

checksum run(weir::environment& env, const checksum_sink<sum_row>& sink) {
  auto done = weir::execute(env);
  if (!done) {
    std::fprintf(stderr, "%s\n", done.error_text().c_str());
    std::exit(1);
  }
  return sink.total();
}

checksum keyed_job(const record_list& records) {
  weir::environment env{"keyed sum"};
  checksum_sink<sum_row> sink;
  env.from_source(list_source{records}).key_by(&record::key).process(running_sum{}).sink_to(sink);
  return run(env, sink);
}

checksum tumbling_job(const record_list& records) {
  weir::environment env{"tumbling sum"};
  checksum_sink<sum_row> sink;
  env.from_source(list_source{records})
      .assign_timestamps_and_watermarks(weir::monotonous_timestamps())
      .key_by(&record::key)
      .window(weir::tumbling_event_time(1s))
      .aggregate(window_sum{}, to_row{})
      .sink_to(sink);
  return run(env, sink);
}

/// Runs both in turn; the first round only warms up.
comparison compare(const std::string& row, const std::function<checksum()>& job,
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
    c.job.push_back(record_count / by_weir);
    c.reference.push_back(record_count / by_hand);
  }
  return c;
}

}  // namespace

int main(int argc, char** argv) {
  report rows{parse_options("spine", argc, argv)};
  for (const auto& [name, keys] : {std::pair{"1k", 1'000ull}, std::pair{"1M", 1'000'000ull}}) {
    const auto count = keys;
    const std::string keyed = std::string{"keyed_sum/"} + name;
    const std::string tumbling = std::string{"tumbling/"} + name;
    if (!rows.wants(keyed) && !rows.wants(tumbling)) continue;
    const auto records = make_records(record_count, keys, records_per_ms);
    if (rows.wants(keyed)) {
      rows.add(compare(
          keyed, [&] { return keyed_job(records); },
          [&, count] { return running_sums(*records, count); }));
    }
    if (rows.wants(tumbling)) {
      rows.add(compare(
          tumbling, [&] { return tumbling_job(records); },
          [&, count] { return tumbling_sums(*records, count, 1'000); }));
    }
  }
  return rows.finish();
}
