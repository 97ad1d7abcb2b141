// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <sstream>

#include "support/catch.hpp"
#include "support/program.hpp"

namespace weir::testing {
namespace {

TEST_CASE("the first example counts the words of each minute", "[examples]") {
  const auto end = run_program("01_word_count", {});
  CAPTURE(end.errors);
  REQUIRE(end.exit_code == 0);
  std::istringstream lines{end.output};
  std::vector<std::string> rows;
  for (std::string row; std::getline(lines, row);) rows.push_back(row);
  // Within a minute, in any order.
  REQUIRE(rows.size() == 12);
  std::sort(rows.begin(), rows.begin() + 8);
  std::sort(rows.begin() + 8, rows.end());
  CHECK(rows == std::vector<std::string>{"{be, 2}", "{is, 1}", "{not, 1}", "{or, 1}",
                                         "{question, 1}", "{that, 1}", "{the, 1}", "{to, 2}",
                                         "{oppose, 1}", "{or, 1}", "{suffer, 1}", "{to, 2}"});
}

}  // namespace
}  // namespace weir::testing
