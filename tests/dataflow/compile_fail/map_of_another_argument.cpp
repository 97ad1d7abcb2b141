// SPDX-License-Identifier: Apache-2.0
// expect: data_stream<T>::map(f): f must be callable as `R f(const T&)`, with R not void
#include <string>

#include "weir/dataflow/stream.hpp"
int main() {
  weir::environment env{"job"};
  const auto numbers = env.from_collection<int>({1, 2, 3});
#ifdef WEIR_CORRECT
  numbers.map([](const int& x) { return 2 * x; }).print();
#else
  numbers.map([](const std::string& text) { return text.size(); }).print();
#endif
}
