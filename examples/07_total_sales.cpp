// SPDX-License-Identifier: Apache-2.0
// The sales of each shop so far: values that are reduced into one.
#include <functional>
#include <iostream>
#include <string>

#include "weir/actors/job_handle.hpp"
#include "weir/dataflow/stream.hpp"
#include "weir/state/state.hpp"

struct sale {
  std::string shop;
  std::int64_t amount;
};

struct total_sales {
  weir::reducing_state<std::int64_t, std::plus<>> total{"totalSales"};
  auto uses_states() { return weir::states(total); }

  void process_record(const sale& in, weir::collector<sale>& out) {
    total.add(in.amount);
    out.collect({in.shop, *total.get()});
  }
};

int main() {
  weir::environment env{"total sales"};
  env.from_collection<sale>({{"north", 10}, {"south", 7}, {"north", 5}, {"north", -3}})
      .key_by(&sale::shop)
      .process(total_sales{})
      .print();
  if (auto done = weir::execute(env); !done) {
    std::cerr << done.error_text() << '\n';
    return 1;
  }
}
