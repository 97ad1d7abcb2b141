// SPDX-License-Identifier: Apache-2.0
// The last login of each user is forgotten a day after it: state with a time to live. By event
// time, so that the output is the same each time; by default a TTL goes by processing time.
#include <iostream>
#include <string>

#include "weir/actors/job_handle.hpp"
#include "weir/dataflow/stream.hpp"
#include "weir/state/state.hpp"

using namespace std::chrono_literals;

struct login {
  std::string user;
  std::int64_t hour;
};

struct last_login {
  weir::value_state<std::int64_t> hour{
      "lastLoginTime", {.ttl = weir::ttl(24h).with_clock(weir::ttl_clock::event_time)}};
  auto uses_states() { return weir::states(hour); }

  void process_record(const login& in, weir::collector<std::string>& out) {
    const auto* before = hour.value();
    out.collect(in.user + " at " + std::to_string(in.hour) + " h: " +
                (before == nullptr ? "nothing known" : "was here at " + std::to_string(*before)));
    hour.update(in.hour);
  }
};

int main() {
  weir::environment env{"last login with TTL"};
  env.from_collection<login>(
         {{"ann", 0}, {"bob", 10}, {"ann", 20}, {"cat", 40}, {"bob", 41}, {"ann", 42}})
      .assign_timestamps_and_watermarks(
          weir::monotonous_timestamps()
              .timestamps([](const login& in) { return weir::event_time{in.hour * 3'600'000}; })
              .per_record())
      .key_by(&login::user)
      .process(last_login{})
      .print();
  if (auto done = weir::execute(env); !done) {
    std::cerr << done.error_text() << '\n';
    return 1;
  }
}
