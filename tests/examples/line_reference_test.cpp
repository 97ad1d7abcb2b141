// SPDX-License-Identifier: Apache-2.0
#include "examples/support/line_reference.hpp"

#include "weir/core/file_system.hpp"

#include "support/catch.hpp"
#include "support/temp_dir.hpp"

namespace word_blocks {
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

  /// All rows, block after block; `blocks` and `lines` are how many there were.
  rows reference(std::uint64_t lines_per_block) {
    rows all;
    blocks = 0;
    lines = read_line_reference(paths, lines_per_block, [&](std::uint64_t block, const rows& some) {
      CHECK(block == blocks++);
      all.insert(all.end(), some.begin(), some.end());
    });
    return all;
  }
  std::uint64_t blocks = 0;
  std::uint64_t lines = 0;
};

TEST_CASE("words are counted by block, with lines numbered through all files", "[line_reference]") {
  two_files in{"to be or\nnot to be\n\n", "to\nend"};
  CHECK(in.reference(2) == rows{"0|be|2", "0|not|1", "0|or|1", "0|to|2", "1|to|1", "2|end|1"});
  CHECK(in.lines == 5);
  CHECK(in.blocks == 3);
}

TEST_CASE("every ASCII blank parts words and nothing else does", "[line_reference]") {
  two_files in{"a\tb\vc\fd  e\r\n", "\xc2\xa0x-y,z\xff\n \t\r\n"};
  CHECK(in.reference(1) ==
        rows{"0|a|1", "0|b|1", "0|c|1", "0|d|1", "0|e|1", "1|\xc2\xa0x-y,z\xff|1"});
  CHECK(in.blocks == 3);  // the last one is without words
}

TEST_CASE("a thousand lines are a block", "[line_reference]") {
  std::string text;
  for (int i = 0; i < 1'500; ++i) text.append("w\n");
  two_files in{text, text};
  CHECK(in.reference(1'000) == rows{"0|w|1000", "1|w|1000", "2|w|1000"});
}

TEST_CASE("a file that cannot be read gives no lines", "[line_reference]") {
  two_files in{"x\n", "y\n"};
  in.paths[1] += "missing";
  in.reference(2);
  CHECK(in.lines == 0);
}

}  // namespace
}  // namespace word_blocks
