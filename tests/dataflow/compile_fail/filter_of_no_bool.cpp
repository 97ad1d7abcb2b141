// SPDX-License-Identifier: Apache-2.0
// expect: data_stream<T>::filter(f): f must be callable as `bool f(const T&)`
#include <string>

#include "weir/dataflow/stream.hpp"
int main() {
  weir::environment env{"job"};
  const auto numbers = env.from_collection<int>({1, 2, 3});
#ifdef WEIR_CORRECT
  numbers.filter([](const int& x) { return x > 1; });
#else
  numbers.filter([](const int&) { return std::string{"yes"}; });
#endif
}
