// SPDX-License-Identifier: Apache-2.0
// A state that is declared in one place and asked for in every call, as in DataStream V2. What is
// not listed in uses_states() is an error that names it.
#include <iostream>
#include <string>

#include "weir/actors/job_handle.hpp"
#include "weir/dataflow/stream.hpp"
#include "weir/state/state.hpp"

// Step 1: the declaration.
const weir::list_state<std::int64_t> example_list{"example-list-state"};

struct stateful_function {
  // Step 2: the function declares that it uses it.
  weir::list_state<std::int64_t> mine = example_list;
  auto uses_states() { return weir::states(mine); }

  void process_record(const std::int64_t& record, weir::collector<std::string>& out,
                      weir::keyed_context<std::int64_t>& context) {
    // Step 3: asks for it, and uses it.
    auto& state = context.state_manager().get_state(example_list);
    std::string before = "nothing";
    for (const auto& n : state.get()) before = std::to_string(n);
    state.update({record});
    out.collect("key " + std::to_string(context.current_key()) + ": " + before + ", then " +
                std::to_string(record));
  }
};

int main() {
  weir::environment env{"declared list state"};
  env.from_collection<std::int64_t>({1, 2, 3, 4})
      .key_by([](std::int64_t n) { return n % 2; })
      .process(stateful_function{})
      .print();
  if (auto done = weir::execute(env); !done) {
    std::cerr << done.error_text() << '\n';
    return 1;
  }
}
