// SPDX-License-Identifier: Apache-2.0
// What the examples that survive a kill do with their command lines.
#include "support/catch.hpp"
#include "support/program.hpp"

namespace weir::testing {
namespace {

using words = std::vector<std::string>;

bool is_one_line(const std::string& text) {
  return !text.empty() && text.find('\n') == text.size() - 1;
}

/// Text files of so many lines each.
struct text_files {
  temp_dir folder;
  std::string path(const std::string& name) const { return folder.path() + "/" + name; }

  std::string write(const std::string& name, const std::string& text) const {
    REQUIRE(write_file(real_file_system(), path(name), text).ok());
    return path(name);
  }
};

TEST_CASE("a command line that makes no sense is refused in a line, with exit code 2",
          "[examples]") {
  struct row {
    std::string program;
    words arguments;
    std::string expected;
  };
  const auto r = GENERATE(
      row{"auction_monitor", {"--frobnicate"}, "unknown option --frobnicate"},
      row{"auction_monitor", {"events"}, "unknown option events"},
      row{"auction_monitor", {"--input", "x"}, "unknown option --input"},
      row{"auction_monitor", {"--events"}, "--events needs a number"},
      row{"auction_monitor", {"--events", "many"}, "not \"many\""},
      row{"auction_monitor", {"--events=0"}, "from 1 on"},
      row{"auction_monitor", {"--parallelism", "-1"}, "--parallelism needs a number"},
      row{"auction_monitor", {"--parallelism", "99999999999"}, "--parallelism needs a number"},
      row{"auction_monitor", {"--fresh=yes"}, "--fresh takes no value"},
      row{"auction_monitor", {"--folder", "--fresh"}, "--folder needs a value"},
      row{"auction_monitor", {"--on-damaged-checkpoint=ignore"}, "\"stop\" or \"previous\""},
      row{"auction_monitor", {"--kill-at", "somewhere"}, "is no point and passage"},
      row{"word_blocks", {}, "--input needs files"},
      row{"word_blocks", {"--input", "--fresh"}, "--input needs files"},
      row{"word_blocks", {"--input", "x", "--events", "3"}, "unknown option --events"});
  CAPTURE(r.program, r.arguments);
  const auto end = run_program(r.program, r.arguments);
  CHECK(end.exit_code == 2);
  CHECK(end.output.empty());
  CAPTURE(end.errors);
  CHECK(is_one_line(end.errors));
  CHECK(end.errors.find(r.expected) != std::string::npos);
}

TEST_CASE("input that cannot be read is refused in a line that names it", "[examples]") {
  const text_files in;
  const auto good = in.write("good", "a line\n");
  struct row {
    std::string file;
    std::string expected;
  };
  for (const auto& r :
       {row{in.path("missing"), "No such file"}, row{in.write("empty", ""), "file is empty"},
        row{in.folder.path(), "Is a directory"}}) {
    CAPTURE(r.file);
    const auto end =
        run_program("word_blocks", {"--folder", in.path("job"), "--input", good, r.file});
    CHECK(end.exit_code == 1);
    CAPTURE(end.errors);
    CHECK(is_one_line(end.errors));
    CHECK(end.errors.find(r.file) != std::string::npos);
    CHECK(end.errors.find(r.expected) != std::string::npos);
    CHECK(end.output.find("verified") == std::string::npos);
  }
}

TEST_CASE("a job without subtasks is refused in a line", "[examples]") {
  const auto end = run_program("auction_monitor", {"--parallelism", "0"});
  CHECK(end.exit_code == 1);
  CAPTURE(end.errors);
  CHECK(is_one_line(end.errors));
  CHECK(end.errors.find("parallelism 0") != std::string::npos);
}

TEST_CASE("a checkpoint folder that cannot be used is refused in a line that names it",
          "[examples]") {
  const text_files in;
  const auto file = in.write("file", "not a folder");
  const auto end = run_program("auction_monitor", {"--events", "1000", "--folder", file});
  CHECK(end.exit_code == 1);
  CAPTURE(end.errors);
  CHECK(is_one_line(end.errors));
  CHECK(end.errors.find(file + "/checkpoints") != std::string::npos);
}

TEST_CASE("a job that is over before it can be killed is not said to be verified", "[examples]") {
  const temp_dir folder;
  const auto end =
      run_program("auction_monitor", {"--events", "1000", "--folder", folder.path() + "/job"});
  CHECK(end.exit_code == 1);
  CAPTURE(end.errors);
  CHECK(is_one_line(end.errors));
  CHECK(end.errors.find("give it more to do") != std::string::npos);
  CHECK(end.output.find("verified") == std::string::npos);
}

TEST_CASE("the examples explain their plans and options, and run nothing then", "[examples]") {
  const auto auctions = run_program("auction_monitor", {"--explain"});
  CHECK(auctions.exit_code == 0);
  CHECK(auctions.output.find("tumbling window \"bids per auction\"") != std::string::npos);
  const auto lines = run_program("word_blocks", {"--explain", "--input", "/nowhere"});
  CHECK(lines.exit_code == 0);
  CHECK(lines.output.find("uid words-per-block") != std::string::npos);
  const auto help = run_program("word_blocks", {"--help"});
  CHECK(help.exit_code == 0);
  CHECK(help.output.find("--input FILE...") != std::string::npos);
}

}  // namespace
}  // namespace weir::testing
