// SPDX-License-Identifier: Apache-2.0
// expect ANOTHER_RESULT: then(f): f must be callable with what the access returns
// expect COPIED_COLLECTOR: then(f): f must be callable with what the access returns
// expect ANY_COLLECTOR: then(f): f must be callable with what the access returns
#include "weir/dataflow/collector.hpp"
#include "weir/state/state.hpp"

void access(weir::value_state<int>& state) {
  state.async_value().then([](const int*, weir::collector<int>& out) { out.collect(1); });
#if defined(ANOTHER_RESULT)
  state.async_value().then([](const weir::collector<int>&) {});
#elif defined(COPIED_COLLECTOR)
  state.async_value().then([](const int*, weir::collector<int>) {});
#elif defined(ANY_COLLECTOR)
  state.async_value().then([](const int*, auto& out) { out.collect(1); });
#endif
}
