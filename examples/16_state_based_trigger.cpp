// SPDX-License-Identifier: Apache-2.0
// A condition on a running value: payments of an account are paid out when they come to 100.
#include <iostream>
#include <string>

#include "weir/actors/job_handle.hpp"
#include "weir/dataflow/stream.hpp"
#include "weir/windowing/windows.hpp"

struct payment {
  std::string account;
  double amount;
};

int main() {
  weir::environment env{"state-based trigger"};
  env.from_collection<payment>(
         {{"x", 60}, {"y", 10}, {"x", 50}, {"x", 30}, {"y", 95}, {"x", 70}, {"y", 5}})
      .key_by(&payment::account)
      .window(weir::global_windows())
      .trigger(weir::purging(weir::when_accumulated(&payment::amount, 100.0)))
      .reduce([](const payment& a, const payment& b) {
        return payment{a.account, a.amount + b.amount};
      })
      .print();
  if (auto done = weir::execute(env); !done) {
    std::cerr << done.error_text() << '\n';
    return 1;
  }
}
