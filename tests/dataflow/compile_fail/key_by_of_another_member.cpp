// SPDX-License-Identifier: Apache-2.0
// expect: data_stream<T>::key_by(f): f must give the key of a record
#include <string>

#include "weir/dataflow/stream.hpp"

struct reading {
  std::string sensor;
};

int main() {
  weir::environment env{"job"};
  const auto numbers = env.from_collection<int>({1, 2, 3});
#ifdef WEIR_CORRECT
  numbers.key_by([](const int& x) { return x; });
#else
  numbers.key_by(&reading::sensor);
#endif
}
