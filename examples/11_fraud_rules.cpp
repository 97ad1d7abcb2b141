// SPDX-License-Identifier: Apache-2.0
// Rules that are broadcast to every subtask of a fraud detector. Rules and transactions come in no
// particular order among each other, so an account is checked when either of them comes: each alert
// is given once, and the alerts are the same each time.
#include <functional>
#include <iostream>
#include <string>

#include "weir/actors/job_handle.hpp"
#include "weir/dataflow/stream.hpp"
#include "weir/state/state.hpp"

using namespace std::chrono_literals;

struct transaction {
  std::string account;
  std::int64_t cents;
};

struct rule {
  std::string name;
  std::int64_t limit_cents;
};

struct alert {
  std::string account;
  std::string rule;
};

struct fraud_detector {
  weir::broadcast_state<std::string, rule> rules{"rules"};
  weir::reducing_state<std::int64_t, std::plus<>> spent{"spent", {.ttl = weir::ttl(24h)}};
  weir::map_state<std::string, bool> alerted{"alerted", {.ttl = weir::ttl(24h)}};
  auto uses_states() { return weir::states(rules, spent, alerted); }

  void process_record(const transaction& t, weir::collector<alert>& out,
                      weir::keyed_context<std::string>& context) {
    spent.add(t.cents);
    for (const auto& [name, r] : rules.entries()) check(context.current_key(), r, out);
  }

  void process_broadcast(const rule& r, weir::collector<alert>& out,
                         weir::broadcast_context& context) {
    context.writable(rules).put(r.name, r);  // rules.put(...) does not exist: read-only by type
    context.apply_to_keyed_state(
        spent, [&](const std::string& account, decltype(spent)&) { check(account, r, out); });
  }

 private:
  void check(const std::string& account, const rule& r, weir::collector<alert>& out) {
    if (*spent.get() <= r.limit_cents || alerted.contains(r.name)) return;
    alerted.put(r.name, true);
    out.collect({account, r.name});
  }
};

int main() {
  weir::environment env{"fraud detector"};
  env.parallelism(2);
  const auto transactions = env.from_collection<transaction>(
      {{"ann", 4'000}, {"bob", 70'000}, {"ann", 9'000}, {"cat", 500}, {"ann", 1'000}});
  const auto rules = env.from_collection<rule>({{"watch", 10'000}, {"stop", 50'000}});
  transactions.key_by(&transaction::account)
      .connect(rules.broadcast())
      .process(fraud_detector{})
      .name("fraud detector")
      .uid("fraud-detector")
      .print();
  if (auto done = weir::execute(env); !done) {
    std::cerr << done.error_text() << '\n';
    return 1;
  }
}
