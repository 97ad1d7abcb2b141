// SPDX-License-Identifier: Apache-2.0
// Whole jobs at parallelism 1 beside hand-written loops over the same records, in the same run:
// keyed running sums and sums of tumbling windows of 1 s, with 1 k and 1 M keys.
#include <functional>
#include <string>

#include "weir/dataflow/environment.hpp"
#include "weir/dataflow/process_streams.hpp"
#include "weir/state/state.hpp"
#include "weir/windowing/tumbling_windows.hpp"

#include "bench/support/hand_written.hpp"
#include "bench/support/records.hpp"
#include "bench/support/report.hpp"
#include "bench/support/window_jobs.hpp"

namespace {

using namespace weir::bench;
using namespace std::chrono_literals;

constexpr std::size_t record_count = 16'000'000;
constexpr std::size_t records_per_ms = 4'000;
constexpr int rounds = 7;

struct running_sum {
  weir::reducing_state<std::int64_t, std::plus<>> sum{"sum"};
  auto uses_states() { return weir::states(sum); }

  void process_record(const record& in, weir::collector<sum_row>& out) {
    sum.add(in.value);
    out.collect({in.key, *sum.get()});
  }
};

checksum keyed_job(const record_list& records) {
  weir::environment env{"keyed sum"};
  checksum_sink<sum_row> sink;
  env.from_source(list_source{records}).key_by(&record::key).process(running_sum{}).sink_to(sink);
  return run(env, sink);
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
          keyed, record_count, rounds, [&] { return keyed_job(records); },
          [&, count] { return running_sums(*records, count); }));
    }
    if (rows.wants(tumbling)) {
      rows.add(compare(
          tumbling, record_count, rounds,
          [&] { return windowed_job(records, weir::tumbling_event_time(1s)); },
          [&, count] { return tumbling_sums(*records, count, 1'000); }));
    }
  }
  return rows.finish();
}
