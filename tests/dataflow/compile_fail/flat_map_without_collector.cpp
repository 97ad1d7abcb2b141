// SPDX-License-Identifier: Apache-2.0
// expect: data_stream<T>::flat_map<R>(f): f must be callable as `f(const T&, collector<R>&)`
#include "weir/dataflow/stream.hpp"
int main() {
  weir::environment env{"job"};
  const auto numbers = env.from_collection<int>({1, 2, 3});
#ifdef WEIR_CORRECT
  numbers.flat_map<int>([](const int& x, weir::collector<int>& out) { out.collect(x); });
#else
  numbers.flat_map<int>([](const int& x) { return x; });
#endif
}
