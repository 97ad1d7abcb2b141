// SPDX-License-Identifier: Apache-2.0
// expect: data_stream<T>::sink_to(sink): the sink's value_type must be T
#include "weir/dataflow/stream.hpp"
int main() {
  weir::environment env{"job"};
  const auto numbers = env.from_collection<int>({1, 2, 3});
#ifdef WEIR_CORRECT
  numbers.sink_to(weir::collect_sink<int>{"rows"});
#else
  numbers.sink_to(weir::collect_sink<double>{"rows"});
#endif
}
