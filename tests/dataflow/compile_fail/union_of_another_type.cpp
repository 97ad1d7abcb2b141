// SPDX-License-Identifier: Apache-2.0
// expect: data_stream<T>::union_with(others): the others must be data_stream<T>, too
#include "weir/dataflow/stream.hpp"
int main() {
  weir::environment env{"job"};
  const auto numbers = env.from_collection<int>({1, 2, 3});
#ifdef WEIR_CORRECT
  numbers.union_with(env.from_collection<int>({4}));
#else
  numbers.union_with(env.from_collection<double>({0.5}));
#endif
}
