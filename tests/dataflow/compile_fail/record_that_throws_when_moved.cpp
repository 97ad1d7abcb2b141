// SPDX-License-Identifier: Apache-2.0
// expect: data_stream<T>: T must be copyable, and movable without an exception
#include "weir/dataflow/stream.hpp"

struct heavy {
  heavy() = default;
  heavy(const heavy&) {}
};

int main() {
  weir::environment env{"job"};
  const auto numbers = env.from_collection<int>({1, 2, 3});
#ifdef WEIR_CORRECT
  static_cast<void>(numbers);
#else
  env.from_collection<heavy>({});
#endif
}
