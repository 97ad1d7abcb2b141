// SPDX-License-Identifier: Apache-2.0
// Clicks of a page are counted when there are three, or after a minute if there are fewer, and both
// start anew each time. Every 5 s, 100 elements, one of two conditions, both: one line each.
#include <iostream>
#include <string>

#include "weir/actors/job_handle.hpp"
#include "weir/dataflow/stream.hpp"
#include "weir/windowing/windows.hpp"

using namespace std::chrono_literals;

struct clicks {
  std::string page;
  int count;
};

int main() {
  // These go with any windows.
  [[maybe_unused]] const auto every_5_s = weir::continuous_processing_time(5s);
  [[maybe_unused]] const auto every_100 = weir::after_count(100);
  [[maybe_unused]] const auto both =
      weir::repeatedly(weir::all_of(weir::after_count(50), weir::after_processing_time(1min)));
  const auto either =
      weir::repeatedly(weir::any_of(weir::after_processing_time(1min), weir::after_count(3)));

  weir::environment env{"time or count"};
  env.from_collection<clicks>({{"home", 1},
                               {"home", 1},
                               {"shop", 1},
                               {"home", 1},
                               {"home", 1},
                               {"shop", 1},
                               {"home", 1},
                               {"home", 1},
                               {"shop", 1},
                               {"home", 1}})
      .key_by(&clicks::page)
      .window(weir::global_windows())
      .trigger(weir::purging(either))
      .reduce([](const clicks& a, const clicks& b) { return clicks{a.page, a.count + b.count}; })
      .print();
  if (auto done = weir::execute(env); !done) {
    std::cerr << done.error_text() << '\n';
    return 1;
  }
}
