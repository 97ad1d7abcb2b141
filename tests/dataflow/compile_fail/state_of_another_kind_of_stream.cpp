// SPDX-License-Identifier: Apache-2.0
// expect KEYED_ON_NON_KEYED: data_stream<T>::process(f): f declares keyed state; call key_by(...)
// expect BROADCAST_ON_NON_KEYED: data_stream<T>::process(f): f declares IDENTICAL (broadcast) state
// expect BROADCAST_ON_KEYED: keyed_stream<K, T>::process(f): f declares IDENTICAL (broadcast) state
// expect BROADCAST_ON_GLOBAL: global_stream<T>::process(f): f declares IDENTICAL (broadcast) state
// expect BROADCAST_ALONE: broadcast_stream<T>::process(f): a broadcast stream cannot be processed
// expect KEYED_ON_TWO_NON_KEYED: keyed state, which two non-keyed streams cannot have
// expect BROADCAST_ON_TWO_NON_KEYED: IDENTICAL (broadcast) state; connect a broadcast stream
// expect BROADCAST_ON_TWO_KEYED: IDENTICAL (broadcast) state; connect a broadcast stream
// expect KEYED_ON_TWO_GLOBAL: keyed state, which two global streams cannot have
// expect BROADCAST_ON_TWO_GLOBAL: IDENTICAL (broadcast) state; connect a broadcast stream
// expect KEYED_ON_NON_KEYED_AND_BROADCAST: keyed state, which a non-keyed stream cannot have
// expect WRITING_TO_BROADCAST_STATE: no member named
// expect STATE_IN_MAP: data_stream<T>::map(f): f declares state, which map cannot give it
// expect TWO_KEY_TYPES: a keyed stream can be connected to a stream with keys of the same type
// expect KEYED_TO_NON_KEYED: a non-keyed stream can be connected to another non-keyed stream
// expect ONE_SELECTOR_OF_TWO: f has two outputs; give a selector for both or for none
#include "weir/dataflow/stream.hpp"
#include "weir/state/state.hpp"

struct keyed_memory {
  weir::value_state<int> last{"last"};
  auto uses_states() { return weir::states(last); }
  void process_record(const int& n, weir::collector<int>& out) { out.collect(n); }
  void process_first(const int& n, weir::collector<int>& out) { out.collect(n); }
  void process_second(const int& n, weir::collector<int>& out) { out.collect(n); }
  void process_broadcast(const int& n, weir::collector<int>& out) { out.collect(n); }
  int operator()(int n) const { return n; }
};

struct listed_memory {
  weir::operator_list_state<int> all{"all"};
  auto uses_states() { return weir::states(all); }
  void process_record(const int& n, weir::collector<int>& out) { out.collect(n); }
  void process_first(const int& n, weir::collector<int>& out) { out.collect(n); }
  void process_second(const int& n, weir::collector<int>& out) { out.collect(n); }
  void process_broadcast(const int& n, weir::collector<int>& out) { out.collect(n); }
};

struct shared_memory {
  weir::broadcast_state<int, int> rules{"rules"};
  auto uses_states() { return weir::states(rules); }
  void process_record(const int& n, weir::collector<int>& out) {
    if (rules.contains(n)) out.collect(n);
  }
  void process_first(const int& n, weir::collector<int>& out) { out.collect(n); }
  void process_second(const int& n, weir::collector<int>& out) { out.collect(n); }
  void process_broadcast(const int& n, weir::collector<int>&, weir::broadcast_context& context) {
    context.writable(rules).put(n, n);
  }
};

struct splitter {
  void process_record(const int& n, weir::collector<int>& low, weir::collector<int>& high) {
    (n < 10 ? low : high).collect(n);
  }
};

int main() {
  weir::environment env{"job"};
  const auto same = [](int n) { return n; };
  const auto numbers = env.from_collection<int>({1, 2, 3});
  const auto keyed = numbers.key_by(same);
  const auto all = numbers.global();
  const auto rules = numbers.broadcast();
#if defined(KEYED_ON_NON_KEYED)
  numbers.process(keyed_memory{});
#elif defined(BROADCAST_ON_NON_KEYED)
  numbers.process(shared_memory{});
#elif defined(BROADCAST_ON_KEYED)
  keyed.process(shared_memory{});
#elif defined(BROADCAST_ON_GLOBAL)
  all.process(shared_memory{});
#elif defined(BROADCAST_ALONE)
  rules.process(listed_memory{});
#elif defined(KEYED_ON_TWO_NON_KEYED)
  numbers.connect(numbers).process(keyed_memory{});
#elif defined(BROADCAST_ON_TWO_NON_KEYED)
  numbers.connect(numbers).process(shared_memory{});
#elif defined(BROADCAST_ON_TWO_KEYED)
  keyed.connect(keyed).process(shared_memory{});
#elif defined(KEYED_ON_TWO_GLOBAL)
  all.connect(all).process(keyed_memory{});
#elif defined(BROADCAST_ON_TWO_GLOBAL)
  all.connect(all).process(shared_memory{});
#elif defined(KEYED_ON_NON_KEYED_AND_BROADCAST)
  numbers.connect(rules).process(keyed_memory{});
#elif defined(WRITING_TO_BROADCAST_STATE)
  shared_memory{}.rules.put(1, 2);
#elif defined(STATE_IN_MAP)
  numbers.map(keyed_memory{});
#elif defined(TWO_KEY_TYPES)
  keyed.connect(numbers.key_by([](int n) { return std::to_string(n); }));
#elif defined(KEYED_TO_NON_KEYED)
  numbers.connect(keyed);
#elif defined(ONE_SELECTOR_OF_TWO)
  keyed.process(splitter{}, same);
#else
  keyed.process(keyed_memory{});
  all.process(keyed_memory{});
  keyed.connect(rules).process(shared_memory{});
  numbers.connect(rules).process(listed_memory{});
  all.connect(all).process(listed_memory{});
#endif
}
