// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>

namespace weir::windowing {

/// Of two times, or numbers, the smaller one: reduces a state to the smallest.
struct smallest_of {
  template <class T>
  T operator()(const T& a, const T& b) const {
    return std::min(a, b);
  }
};

}  // namespace weir::windowing
