// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <string>

#include "weir/core/bytes.hpp"
#include "weir/core/error.hpp"

int main() {
  std::string bytes;
  weir::byte_writer{bytes}.block(to_string(weir::errc::cancelled));
  weir::byte_reader reader{bytes};
  const std::string word{reader.block()};
  std::puts(word.c_str());
  return word == "cancelled" && !reader.failed() ? 0 : 1;
}
