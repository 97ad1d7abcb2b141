// SPDX-License-Identifier: Apache-2.0
// A function that asks, when it is opened, how its job runs and how wide its operator is.
#include <iostream>
#include <string>

#include "weir/actors/job_handle.hpp"
#include "weir/dataflow/stream.hpp"

struct where_it_runs {
  std::uint32_t parallelism = 0;
  weir::execution_mode mode{};

  void open(weir::non_partitioned_context& context) {
    parallelism = context.task().parallelism;
    mode = context.job().mode;
  }

  void process_record(const std::string& in, weir::collector<std::string>& out) {
    out.collect(in + ": parallelism " + std::to_string(parallelism) +
                (mode == weir::execution_mode::streaming ? ", streaming" : ", batch"));
  }
};

int main() {
  weir::environment env{"where it runs"};
  env.from_collection<std::string>({"a", "b"})
      .process(where_it_runs{})
      .parallelism(2)
      .print()
      .parallelism(1);
  if (auto done = weir::execute(env); !done) {
    std::cerr << done.error_text() << '\n';
    return 1;
  }
}
