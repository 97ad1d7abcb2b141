// SPDX-License-Identifier: Apache-2.0
// A trigger of one's own: the sum of every five numbers. What it is made with is a field, what it
// remembers is a state, of which each window of each key has its own.
#include <iostream>
#include <tuple>

#include "weir/actors/job_handle.hpp"
#include "weir/dataflow/stream.hpp"
#include "weir/state/state.hpp"
#include "weir/windowing/windows.hpp"

struct custom_count_trigger : weir::trigger_defaults {
  int threshold;
  weir::value_state_with_default<int> count{"count", 0};
  explicit custom_count_trigger(int n) : threshold{n} {}
  auto uses_states() { return weir::states(count); }

  template <class T, class W>
  weir::trigger_result on_element(const T&, weir::event_time, const W&, weir::trigger_context&) {
    if (count.edit([](int& n) { return ++n; }) < threshold) return weir::trigger_result::continue_;
    count.clear();
    return weir::trigger_result::fire_and_purge;
  }
};

int main() {
  weir::environment env{"custom count trigger"};
  std::vector<std::tuple<int>> numbers;
  for (int i = 1; i <= 15; ++i) numbers.emplace_back(i);
  env.from_collection(numbers)
      .window_all(weir::global_windows())
      .trigger(custom_count_trigger{5})
      .reduce(
          [](const auto& a, const auto& b) { return std::tuple{std::get<0>(a) + std::get<0>(b)}; })
      .print();
  if (auto done = weir::execute(env); !done) {
    std::cerr << done.error_text() << '\n';
    return 1;
  }
}
