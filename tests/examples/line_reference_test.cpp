// SPDX-License-Identifier: Apache-2.0
#include "examples/support/line_reference.hpp"

#include "weir/core/file_system.hpp"

#include "support/catch.hpp"
#include "support/temp_dir.hpp"

namespace word_counts {
namespace {

using rows = std::vector<std::string>;

/// Two files on the machine's disk.
struct two_files {
  weir::testing::temp_dir folder;
  std::vector<std::string> paths{folder.path() + "/a", folder.path() + "/b"};

  two_files(std::string_view a, std::string_view b) {
    REQUIRE(weir::write_file(weir::real_file_system(), paths[0], a).ok());
    REQUIRE(weir::write_file(weir::real_file_system(), paths[1], b).ok());
  }
};

TEST_CASE("words are counted by block, with lines numbered through all files", "[line_reference]") {
  const two_files in{"to be or\nnot to be\n\n", "to\nend"};
  const auto reference = make_line_reference(in.paths, 2);
  REQUIRE(reference.has_value());
  CHECK(reference->words_per_block == rows{"0|6", "1|1", "2|1"});
  CHECK(reference->counts_per_word ==
        rows{"0|be|2", "0|not|1", "0|or|1", "0|to|2", "1|to|1", "2|end|1"});
}

TEST_CASE("every ASCII blank parts words and nothing else does", "[line_reference]") {
  const two_files in{"a\tb\vc\fd  e\r\n", "\xc2\xa0x-y,z\xff\n \t\r\n"};
  const auto reference = make_line_reference(in.paths, 1);
  REQUIRE(reference.has_value());
  CHECK(reference->words_per_block == rows{"0|5", "1|1", "2|0"});
  CHECK(reference->counts_per_word ==
        rows{"0|a|1", "0|b|1", "0|c|1", "0|d|1", "0|e|1", "1|\xc2\xa0x-y,z\xff|1"});
}

TEST_CASE("a thousand lines are a block", "[line_reference]") {
  std::string text;
  for (int i = 0; i < 1'500; ++i) text.append("w\n");
  const two_files in{text, text};
  const auto reference = make_line_reference(in.paths);
  REQUIRE(reference.has_value());
  CHECK(reference->words_per_block == rows{"0|1000", "1|1000", "2|1000"});
}

TEST_CASE("a file that cannot be read gives no reference", "[line_reference]") {
  const two_files in{"x\n", "y\n"};
  CHECK_FALSE(make_line_reference({in.paths[0], in.folder.path() + "/missing"}).has_value());
}

}  // namespace
}  // namespace word_counts
