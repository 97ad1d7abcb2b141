// SPDX-License-Identifier: Apache-2.0
// The average of a sensor so far: values that are aggregated into a state of another type.
#include <iostream>
#include <string>

#include "weir/actors/job_handle.hpp"
#include "weir/dataflow/stream.hpp"
#include "weir/state/state.hpp"

struct reading {
  std::string sensor;
  std::int64_t value;
};

struct average {
  struct accumulator {
    std::int64_t sum = 0;
    std::int64_t count = 0;
  };
  void add(std::int64_t value, accumulator& a) const {
    a.sum += value;
    ++a.count;
  }
  void merge(const accumulator& from, accumulator& into) const {
    into.sum += from.sum;
    into.count += from.count;
  }
  double get_result(const accumulator& a) const {
    return static_cast<double>(a.sum) / static_cast<double>(a.count);
  }
};

struct mean {
  std::string sensor;
  double value;
};

struct running_average {
  weir::aggregating_state<average> values{"avgState"};
  auto uses_states() { return weir::states(values); }

  void process_record(const reading& in, weir::collector<mean>& out) {
    values.add(in.value);
    out.collect({in.sensor, *values.get()});
  }
};

int main() {
  weir::environment env{"average"};
  env.from_collection<reading>({{"a", 1}, {"a", 2}, {"b", 10}, {"a", 6}})
      .key_by(&reading::sensor)
      .process(running_average{})
      .print();
  if (auto done = weir::execute(env); !done) {
    std::cerr << done.error_text() << '\n';
    return 1;
  }
}
