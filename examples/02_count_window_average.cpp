// SPDX-License-Identifier: Apache-2.0
// The average of every two readings of a sensor: a value for each key, with a default.
#include <iostream>
#include <string>

#include "weir/actors/job_handle.hpp"
#include "weir/dataflow/stream.hpp"
#include "weir/state/state.hpp"

struct reading {
  std::int64_t sensor;
  std::int64_t value;
};

struct average {
  std::int64_t sensor;
  std::int64_t mean;
};

struct totals {
  std::int64_t count = 0;
  std::int64_t sum = 0;
};

struct count_window_average {
  weir::value_state_with_default<totals> sum{"average", totals{}};
  auto uses_states() { return weir::states(sum); }

  void process_record(const reading& in, weir::collector<average>& out) {
    const totals now = sum.edit([&](totals& t) {
      ++t.count;
      t.sum += in.value;
      return t;
    });
    if (now.count < 2) return;
    out.collect({in.sensor, now.sum / now.count});
    sum.clear();
  }
};

int main() {
  weir::environment env{"count-window average"};
  env.from_collection<reading>({{1, 3}, {1, 5}, {1, 7}, {1, 4}, {1, 2}})
      .key_by(&reading::sensor)
      .process(count_window_average{})
      .print();
  if (auto done = weir::execute(env); !done) {
    std::cerr << done.error_text() << '\n';
    return 1;
  }
}
