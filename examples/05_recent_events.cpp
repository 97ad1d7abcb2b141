// SPDX-License-Identifier: Apache-2.0
// The last three events of each user, told with every new one: a list for each key, kept short.
#include <iostream>
#include <string>
#include <vector>

#include "weir/actors/job_handle.hpp"
#include "weir/dataflow/stream.hpp"
#include "weir/state/state.hpp"

struct event {
  std::string user;
  std::string type;
};

struct recent_events {
  static constexpr std::size_t most = 3;

  weir::list_state<std::string> recent{"recentEvents"};
  auto uses_states() { return weir::states(recent); }

  void process_record(const event& in, weir::collector<std::string>& out) {
    recent.add(in.type);
    const auto all = recent.get();
    if (all.size() > most) {
      recent.update(std::vector<std::string>(all.end() - most, all.end()));
    }
    std::string history = in.user + ":";
    for (const std::string& type : recent.get()) history += " " + type;
    out.collect(history);
  }
};

int main() {
  weir::environment env{"recent events"};
  env.from_collection<event>(
         {{"ann", "login"}, {"ann", "view"}, {"bob", "login"}, {"ann", "cart"}, {"ann", "pay"}})
      .key_by(&event::user)
      .process(recent_events{})
      .print();
  if (auto done = weir::execute(env); !done) {
    std::cerr << done.error_text() << '\n';
    return 1;
  }
}
