// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

#include "weir/core/file_system.hpp"

#include "support/catch.hpp"
#include "support/program.hpp"

namespace weir::testing {
namespace {

/// The lines of a text, sorted: the order of what different keys print is up to the engine.
std::vector<std::string> lines_of(const std::string& text) {
  std::istringstream in{text};
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  std::sort(lines.begin(), lines.end());
  return lines;
}

TEST_CASE("each numbered example prints what its file of expected output says", "[examples]") {
  const std::string folder = std::string{WEIR_SOURCES} + "/examples";
  const auto names = real_file_system().list(folder);
  REQUIRE(names.ok());
  std::size_t checked = 0;
  for (const auto& name : *names) {
    if (!name.ends_with(".expected")) continue;
    const auto program = name.substr(0, name.size() - std::string{".expected"}.size());
    CAPTURE(program);
    const auto end = run_program(program, {});
    CAPTURE(end.errors);
    CHECK(end.exit_code == 0);
    const auto expected = read_file(real_file_system(), folder + "/" + name);
    REQUIRE(expected.ok());
    CHECK(lines_of(end.output) == lines_of(*expected));
    ++checked;
  }
  CHECK(checked >= 19);
}

}  // namespace
}  // namespace weir::testing
