// SPDX-License-Identifier: Apache-2.0
#include "weir/core/process_name.hpp"

#include <algorithm>
#include <set>
#include <string>

#include "support/catch.hpp"

namespace weir {
namespace {

TEST_CASE("no two process names are alike, and all are made of plain letters", "[process_name]") {
  std::set<std::string> names;
  for (int i = 0; i < 100; ++i) names.insert(unique_process_name());
  CHECK(names.size() == 100);
  for (const auto& name : names) {
    CAPTURE(name);
    CHECK(std::all_of(name.begin(), name.end(), [](char c) {
      return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
             c == '.' || c == '-' || c == '_';
    }));
  }
}

}  // namespace
}  // namespace weir
