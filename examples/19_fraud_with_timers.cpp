// SPDX-License-Identifier: Apache-2.0
// A small payment, then a large one within a minute: fraud. A timer ends the minute, and is deleted
// when another payment decides before it.
#include <iostream>
#include <string>

#include "weir/actors/job_handle.hpp"
#include "weir/dataflow/stream.hpp"
#include "weir/state/state.hpp"

using namespace std::chrono_literals;

struct payment {
  std::string account;
  double amount;
  int second;
};

struct fraud_detector {
  /// When the minute ends that a small payment has begun.
  weir::value_state<weir::event_time> until{"until"};
  auto uses_states() { return weir::states(until); }

  void process_record(const payment& p, weir::collector<std::string>& out,
                      weir::keyed_context<std::string>& context) {
    if (const auto* end = until.value()) {
      // The timer may be still to come: the watermark is behind the records.
      if (p.amount > 500 && context.timestamp() <= *end)
        out.collect(p.account + ": fraud at second " + std::to_string(p.second));
      context.timers().delete_timer(*end);
      until.clear();
    }
    if (p.amount >= 1) return;
    const auto end = context.timestamp() + std::chrono::milliseconds{1min};
    until.update(end);
    context.timers().register_timer(end);
  }

  void on_event_timer(weir::event_time, weir::collector<std::string>&,
                      weir::keyed_context<std::string>&) {
    until.clear();
  }
};

int main() {
  weir::environment env{"fraud with timers"};
  env.from_collection<payment>({{"a", 0.5, 0},
                                {"b", 0.2, 10},
                                {"a", 700, 50},
                                {"b", 20, 30},
                                {"b", 900, 55},
                                {"c", 0.1, 60},
                                {"c", 800, 125},
                                {"a", 0.3, 130},
                                {"a", 0.4, 180},
                                {"a", 600, 200}})
      .assign_timestamps_and_watermarks(
          weir::bounded_out_of_orderness(30s)
              .timestamps([](const payment& p) { return weir::event_time{p.second * 1000}; })
              .per_record())
      .key_by(&payment::account)
      .process(fraud_detector{})
      .print();
  if (auto done = weir::execute(env); !done) {
    std::cerr << done.error_text() << '\n';
    return 1;
  }
}
