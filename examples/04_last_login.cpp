// SPDX-License-Identifier: Apache-2.0
// Greets users who log in for the first time: a value for each key that may be absent.
#include <iostream>
#include <string>

#include "weir/actors/job_handle.hpp"
#include "weir/dataflow/stream.hpp"
#include "weir/state/state.hpp"

struct login {
  std::string user;
  weir::event_time time;
};

struct last_login {
  weir::value_state<weir::event_time> last{"lastLoginTime"};
  auto uses_states() { return weir::states(last); }

  void process_record(const login& in, weir::collector<std::string>& out) {
    if (const auto* before = last.value(); before == nullptr) {
      out.collect(in.user + ": first login");
    } else {
      out.collect(in.user + ": again after " + std::to_string(in.time.ms - before->ms) + " ms");
    }
    last.update(in.time);
  }
};

int main() {
  weir::environment env{"last login"};
  env.from_collection<login>({{"ann", {1'000}}, {"bob", {2'000}}, {"ann", {5'500}}})
      .key_by(&login::user)
      .process(last_login{})
      .print();
  if (auto done = weir::execute(env); !done) {
    std::cerr << done.error_text() << '\n';
    return 1;
  }
}
