// SPDX-License-Identifier: Apache-2.0
#include "weir/connectors/line_reader.hpp"

#include "weir/core/memory_file_system.hpp"

#include "support/catch.hpp"

namespace weir::connectors {
namespace {

/// A disk with one file, and its splits.
struct text_file {
  memory_file_system files;
  std::vector<line_split> splits;

  explicit text_file(std::string_view text, std::uint64_t split_bytes = 1'000) {
    write(text);
    auto planned = plan_line_splits(files, {"/in"}, {.split_bytes = split_bytes});
    REQUIRE(planned.ok());
    splits = *std::move(planned);
  }

  void write(std::string_view text) { REQUIRE(write_file(files, "/in", text).ok()); }
};

std::vector<std::string> rest_of(line_reader& reader) {
  std::vector<std::string> lines;
  std::string_view line;
  for (;;) {
    const auto more = reader.next(line);
    if (!more) return {"error: " + more.error_text()};
    if (!*more) return lines;
    lines.emplace_back(line);
  }
}

using lines = std::vector<std::string>;

TEST_CASE("a line comes without its end, and only one carriage return goes with it",
          "[line_reader]") {
  text_file in{"a\r\n\r\nb\r\r\n\nc\rd\ne\r"};
  line_reader reader{in.files, in.splits[0]};
  CHECK(rest_of(reader) == lines{"a", "", "b\r", "", "c\rd", "e\r"});
}

TEST_CASE("a reader goes on where another stood, after any number of lines", "[line_reader]") {
  text_file in{"one\ntwo\r\n\nfour\nfive"};
  line_reader whole{in.files, in.splits[0]};
  const auto all = rest_of(whole);
  REQUIRE(all == lines{"one", "two", "", "four", "five"});
  for (std::size_t taken = 0; taken <= all.size(); ++taken) {
    CAPTURE(taken);
    line_reader first{in.files, in.splits[0]};
    std::string_view line;
    for (std::size_t i = 0; i < taken; ++i) REQUIRE(first.next(line).value());
    CHECK(first.position().lines == taken);
    line_reader second{in.files, in.splits[0], first.position()};
    CHECK(second.next_line_number() == taken);
    CHECK(rest_of(second) == lines(all.begin() + static_cast<std::ptrdiff_t>(taken), all.end()));
  }
}

TEST_CASE("the end is the end, however often it is asked for", "[line_reader]") {
  text_file in{"x\n"};
  line_reader reader{in.files, in.splits[0]};
  CHECK(rest_of(reader) == lines{"x"});
  CHECK(rest_of(reader).empty());
  line_reader behind{in.files, in.splits[0], {2, 1}};
  CHECK(behind.fill().ok());
  CHECK(rest_of(behind).empty());
}

TEST_CASE("a step touches no disk", "[line_reader]") {
  text_file in{"x\ny\n"};
  line_reader reader{in.files, in.splits[0]};
  const auto before = in.files.operations();
  std::string_view line;
  CHECK(reader.step(line) == line_step::need_bytes);
  CHECK(reader.step(line) == line_step::need_bytes);
  CHECK(in.files.operations() == before);
  REQUIRE(reader.fill().ok());
  const auto filled = in.files.operations();
  CHECK(reader.step(line) == line_step::line);
  CHECK(line == "x");
  CHECK(reader.step(line) == line_step::line);
  CHECK(line == "y");
  CHECK(reader.step(line) == line_step::end);
  CHECK(in.files.operations() == filled);
}

TEST_CASE("a line of many pieces comes whole", "[line_reader]") {
  const std::string large(std::size_t{7} << 19, 'x');
  text_file in{"a\n" + large + "\nb\n" + large};
  lines all;
  for (const auto& split : in.splits) {
    line_reader reader{in.files, split};
    for (auto& line : rest_of(reader)) all.push_back(std::move(line));
  }
  CHECK((all == lines{"a", large, "b", large}));
}

TEST_CASE("a file that lost bytes is found to have changed", "[line_reader]") {
  text_file in{"one\ntwo\nthree\n", 4};
  in.write("one\ntwo\nthree");
  line_reader reader{in.files, in.splits[0]};
  const auto outcome = rest_of(reader);
  REQUIRE(outcome.size() == 1);
  CHECK(outcome[0].find("/in: the file has changed") != std::string::npos);
}

TEST_CASE("a file whose lines moved is found to have changed", "[line_reader]") {
  text_file in{"one\ntwo\nthree\n", 4};
  in.write("ones\ntwo\nthre\n");
  line_reader reader{in.files, in.splits[0]};
  std::string_view line;
  const auto outcome = reader.next(line);
  REQUIRE_FALSE(outcome.ok());
  CHECK(outcome.failure().code() == errc::corrupt);
  CHECK(outcome.error_text().find("/in: the file has changed") != std::string::npos);
}

TEST_CASE("a file that has grown is read as it was", "[line_reader]") {
  text_file in{"one\ntwo"};
  in.write("one\ntwo and\nmore\n");
  line_reader reader{in.files, in.splits[0]};
  CHECK(rest_of(reader) == lines{"one", "two"});
}

TEST_CASE("a file that is gone, and a position outside of the split, are errors", "[line_reader]") {
  text_file in{"one\n"};
  line_reader outside{in.files, in.splits[0], {5, 1}};
  CHECK(rest_of(outside)[0].find("/in: position 5 is behind the end") != std::string::npos);
  REQUIRE(in.files.remove("/in").ok());
  line_reader gone{in.files, in.splits[0]};
  CHECK(rest_of(gone)[0].find("/in") != std::string::npos);
}

}  // namespace
}  // namespace weir::connectors
