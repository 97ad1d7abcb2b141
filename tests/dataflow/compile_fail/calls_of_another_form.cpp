// SPDX-License-Identifier: Apache-2.0
// expect OTHER_RECORD: process(f): f must be callable for a record as
// expect OTHER_CONTEXT: process(f): f must be callable for a record as
// expect OTHER_OPEN: open: it must be callable as `void open(non_partitioned_context&)`
// expect OTHER_INITIALIZE: initialize_state: it must be callable as
// expect OTHER_SNAPSHOT: snapshot_state: it must be callable as
// expect OTHER_NOTICE: notify_checkpoint_complete: it must be callable as
// expect OTHER_END: end_input: it must be callable as
// expect OTHER_TIMER: on_event_timer: it must be callable as
// expect GENERIC_VISIT: apply_to_all_partitions(f): f must be a function object
#include "weir/dataflow/stream.hpp"

struct function {
#if defined(OTHER_RECORD)
  void process_record(const std::string&, weir::collector<int>&) {}
#elif defined(OTHER_CONTEXT)
  void process_record(const int&, weir::collector<int>&, weir::partitioned_context&) {}
#else
  void process_record(const int&, weir::collector<int>&, weir::keyed_context<int>& c) {
#if defined(GENERIC_VISIT)
    c.non_partitioned().apply_to_all_partitions([](auto&, auto&) {});
#else
    c.non_partitioned().apply_to_all_partitions(
        [](weir::collector<int>&, weir::keyed_context<int>&) {});
#endif
  }
#endif
#if defined(OTHER_OPEN)
  void open() {}
#elif defined(OTHER_INITIALIZE)
  void initialize_state(weir::non_partitioned_context&) {}
#elif defined(OTHER_SNAPSHOT)
  void snapshot_state() {}
#elif defined(OTHER_NOTICE)
  void notify_checkpoint_complete() {}
#elif defined(OTHER_END)
  void end_input(weir::collector<int>&) {}
#elif defined(OTHER_TIMER)
  void on_event_timer(weir::event_time, weir::collector<int>&) {}
#else
  void open(weir::non_partitioned_context&) {}
  void initialize_state(weir::initialization_context&) {}
  void snapshot_state(weir::function_snapshot_context&) {}
  void notify_checkpoint_complete(weir::checkpoint_id) {}
  void end_input(weir::collector<int>&, weir::non_partitioned_context&) {}
  void on_event_timer(weir::event_time, weir::collector<int>&, weir::keyed_context<int>&) {}
#endif
};

int main() {
  weir::environment env{"job"};
  env.from_collection<int>({1, 2, 3}).key_by([](int n) { return n; }).process(function{});
}
