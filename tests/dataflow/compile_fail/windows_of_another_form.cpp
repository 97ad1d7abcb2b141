// SPDX-License-Identifier: Apache-2.0
// expect OTHER_KEY: windowed_stream<K, T>: a window function must have `process_record(
// expect KEY_WITHOUT_KEYS: windowed_stream<K, T>: a window function must have `process_record(
// expect STATES_THAT_MERGE: windowed_stream<K, T>: windows that merge have no states of their own
// expect OTHER_ARGUMENTS: windowed_stream<K, T>::reduce(f): f must be callable as `T f(const T&,
// expect NO_MERGE: windowed_stream<K, T>::aggregate(a): a must have a type `accumulator`
// expect NO_TRIGGER: a trigger must derive from weir::trigger_defaults
// expect OTHER_TAG: windowed_stream<K, T>::late_output(tag): tag must be an output_tag<T>
#include <span>
#include <string>

#include "weir/dataflow/stream.hpp"
#include "weir/state/state.hpp"
#include "weir/windowing/windows.hpp"

using namespace std::chrono_literals;

struct count_all {
  void process_record(const std::string&, const weir::time_window&,
                      std::span<const std::string> all, weir::collector<std::size_t>& out) const {
    out.collect(all.size());
  }
};
struct count_of_number : count_all {
  void process_record(int, const weir::time_window&, std::span<const std::string> all,
                      weir::collector<std::size_t>& out) const {
    out.collect(all.size());
  }
};
struct count_firings : count_all {
  weir::value_state<int> firings{"firings"};
  auto uses_window_states() { return weir::states(firings); }
};
struct without_merge {
  struct accumulator {};
  void add(const std::string&, accumulator&) const {}
  int get_result(const accumulator&) const { return 0; }
};
struct no_trigger {};

int main() {
  weir::environment env{"job"};
  const auto words = env.from_collection<std::string>({"a"});
  const auto by_word = words.key_by([](const std::string& s) { return s; });
  const auto windows = by_word.window(weir::tumbling_event_time(1s));
  windows.process(count_all{});
  windows.process(count_firings{});
#ifdef OTHER_KEY
  windows.process(count_of_number{});
#endif
#ifdef KEY_WITHOUT_KEYS
  words.window_all(weir::tumbling_event_time(1s)).process(count_all{});
#endif
#ifdef STATES_THAT_MERGE
  by_word.window(weir::session_event_time(1s)).process(count_firings{});
#endif
#ifdef OTHER_ARGUMENTS
  windows.reduce([](int a, int b) { return a + b; });
#endif
#ifdef NO_MERGE
  windows.aggregate(without_merge{});
#endif
#ifdef NO_TRIGGER
  windows.trigger(no_trigger{});
#endif
#ifdef OTHER_TAG
  windows.late_output(weir::output_tag<int>{"late"});
#endif
}
