// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace weir::dataflow {

/// Where in the user's program a stream was made, for the errors of the graph. Taken by a default
/// argument, so that it is the caller's place.
struct call_site {
  const char* file = "";
  int line = 0;

  static constexpr call_site here(const char* file = __builtin_FILE(),
                                  int line = __builtin_LINE()) {
    return {file, line};
  }
  std::string text() const { return std::string{file} + ":" + std::to_string(line); }
};

}  // namespace weir::dataflow
