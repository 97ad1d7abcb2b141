// SPDX-License-Identifier: Apache-2.0
#include "weir/connectors/line_file_source.hpp"

#include "weir/core/memory_file_system.hpp"

#include "connectors/split_output.hpp"
#include "support/catch.hpp"

namespace weir::connectors {
namespace {

using dataflow::poll_outcome;
using testing::split_output;

static_assert(dataflow::source<line_file_source>);

constexpr std::uint64_t split_bytes = std::uint64_t{4} << 20;

/// Two files, the first of three splits.
struct two_files {
  memory_file_system files;
  std::vector<std::string> paths{"/in/a", "/in/b"};
  std::vector<text_line> lines;

  two_files() {
    REQUIRE(files.create_folders("/in").ok());
    write(paths[0], 90'000);
    write(paths[1], 3);
  }

  line_file_source source() const { return line_file_source{paths, {split_bytes, 1 << 20}}; }

 private:
  void write(const std::string& path, std::uint64_t count) {
    std::string text;
    for (std::uint64_t i = 0; i < count; ++i) {
      const auto number = lines.size();
      lines.push_back({"line " + std::to_string(number) + std::string(number % 211, '.'), number});
      text += lines.back().text + '\n';
    }
    REQUIRE(write_file(files, path, text).ok());
  }
};

void read_on(line_file_source::reader& reader, split_output<text_line>& out,
             std::vector<text_line>& lines) {
  for (bool more = true; more;) {
    const auto outcome = reader.poll(out.collector(), 1'024);
    REQUIRE(outcome.ok());
    more = *outcome == poll_outcome::produced;
    for (auto& [line, time] : out.take()) {
      REQUIRE(time == event_time::min());
      lines.push_back(std::move(line));
    }
  }
}

TEST_CASE("a line file source gives every line once, numbered through all files",
          "[line_file_source]") {
  two_files in;
  const auto source = in.source();
  const auto splits = source.splits(in.files);
  REQUIRE(splits.ok());
  REQUIRE(splits->size() == 4);
  auto reader = source.make_reader(in.files);
  split_output<text_line> out;
  std::vector<text_line> lines;
  for (const auto& split : *splits) {
    REQUIRE(reader.open(split, {}).ok());
    read_on(reader, out, lines);
  }
  CHECK(lines == in.lines);
}

TEST_CASE("a line file source goes on from any position", "[line_file_source]") {
  two_files in;
  const auto source = in.source();
  const auto split = source.splits(in.files).value().at(1);
  const auto polls = GENERATE(0, 1, 2, 7, 20);
  CAPTURE(polls);
  auto first = source.make_reader(in.files);
  split_output<text_line> out;
  std::vector<text_line> lines;
  REQUIRE(first.open(split, {}).ok());
  for (int i = 0; i < polls; ++i) {
    REQUIRE(first.poll(out.collector(), 100).ok());
    for (auto& [line, time] : out.take()) lines.push_back(std::move(line));
  }
  const auto before = lines.size();
  CHECK((polls > 1) == (before > 0));
  auto second = source.make_reader(in.files);
  REQUIRE(second.open(split, first.position()).ok());
  read_on(second, out, lines);
  REQUIRE(lines.size() > before);
  const auto begin = in.lines.begin() + static_cast<std::ptrdiff_t>(split.first_line);
  CHECK(std::equal(lines.begin(), lines.end(), begin));
  CHECK(lines.size() == source.splits(in.files).value().at(2).first_line - split.first_line);
}

TEST_CASE("a poll of a line file source stops when the output is full", "[line_file_source]") {
  two_files in;
  const auto source = in.source();
  auto reader = source.make_reader(in.files);
  REQUIRE(reader.open(source.splits(in.files).value().front(), {}).ok());
  split_output<text_line> out;
  for (int i = 0; i < 10; ++i) REQUIRE(reader.poll(out.collector(), 1'000'000).ok());
  CHECK(out.take().size() < 2'000);
}

TEST_CASE("files that cannot be read, or change, are errors of a line file source",
          "[line_file_source]") {
  two_files in;
  CHECK(line_file_source{{"/in/none"}}.splits(in.files).failure().code() == errc::not_found);
  REQUIRE(write_file(in.files, "/in/empty", "").ok());
  const auto empty = line_file_source{{"/in/empty"}}.splits(in.files);
  REQUIRE_FALSE(empty.ok());
  CHECK(empty.error_text() == "/in/empty: file is empty");
  CHECK_FALSE(line_file_source{{"/in/a"}, {1'000, 1'000}}.splits(in.files).ok());

  const auto source = in.source();
  const auto split = source.splits(in.files).value().front();
  REQUIRE(write_file(in.files, "/in/a", "short\n").ok());
  auto reader = source.make_reader(in.files);
  REQUIRE(reader.open(split, {}).ok());
  split_output<text_line> out;
  const auto polled = reader.poll(out.collector(), 10);
  REQUIRE_FALSE(polled.ok());
  CHECK(polled.failure().code() == errc::corrupt);
}

}  // namespace
}  // namespace weir::connectors
