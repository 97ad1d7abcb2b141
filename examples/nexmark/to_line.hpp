// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <tuple>

#include "weir/core/print.hpp"
#include "weir/core/reflect.hpp"

namespace nexmark {

/// A row as text: its fields in the order of their declaration, with '|' between them.
template <class Row>
std::string to_line(const Row& row) {
  std::string line;
  const char* before = "";
  std::apply(
      [&](const auto&... field) {
        ((line += before, weir::print_value(line, field), before = "|"), ...);
      },
      weir::fields(row));
  return line;
}

}  // namespace nexmark
