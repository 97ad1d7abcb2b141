// SPDX-License-Identifier: Apache-2.0
// How many of each product are in a user's cart: a map for each key.
#include <iostream>
#include <string>

#include "weir/actors/job_handle.hpp"
#include "weir/dataflow/stream.hpp"
#include "weir/state/state.hpp"

struct order {
  std::string user;
  std::string product;
};

struct cart {
  weir::map_state<std::string, int> count{"cart"};
  auto uses_states() { return weir::states(count); }

  void process_record(const order& in, weir::collector<std::string>& out) {
    const int* before = count.get(in.product);
    count.put(in.product, before == nullptr ? 1 : *before + 1);
    std::string line = in.user + ":";
    for (const auto& [product, pieces] : count.entries()) {
      line += " " + std::to_string(pieces) + " " + product;
    }
    out.collect(line);
  }
};

int main() {
  weir::environment env{"shopping cart"};
  env.from_collection<order>({{"ann", "tea"}, {"ann", "cup"}, {"bob", "tea"}, {"ann", "tea"}})
      .key_by(&order::user)
      .process(cart{})
      .print();
  if (auto done = weir::execute(env); !done) {
    std::cerr << done.error_text() << '\n';
    return 1;
  }
}
