// SPDX-License-Identifier: Apache-2.0
#include "weir/connectors/line_splits.hpp"

#include "weir/connectors/line_reader.hpp"
#include "weir/core/memory_file_system.hpp"
#include "weir/core/random.hpp"

#include "support/catch.hpp"

namespace weir::connectors {
namespace {

void put(file_system& files, const std::string& path, std::string_view bytes) {
  REQUIRE(write_file(files, path, bytes).ok());
}

/// The lines of a text by the simplest means.
std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const auto end = text.find('\n');
    auto line = text.substr(0, end);
    if (end != std::string_view::npos && line.ends_with('\r')) line.remove_suffix(1);
    lines.emplace_back(line);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return lines;
}

TEST_CASE("splits start at lines and are numbered through all the files", "[line_splits]") {
  memory_file_system files;
  put(files, "/a", "one\ntwo\nthree\n");
  put(files, "/b", "four\nfive");
  const auto splits = plan_line_splits(files, {"/a", "/b"}, {.split_bytes = 5});
  REQUIRE(splits.ok());
  CHECK(*splits ==
        std::vector<line_split>{
            {"/a", 0, 8, 0, 14}, {"/a", 8, 6, 2, 14}, {"/b", 0, 5, 3, 9}, {"/b", 5, 4, 4, 9}});
}

TEST_CASE("a file within the split size is one split", "[line_splits]") {
  memory_file_system files;
  put(files, "/a", "\n");
  const auto splits = plan_line_splits(files, {"/a", "/a"});
  REQUIRE(splits.ok());
  CHECK(*splits == std::vector<line_split>{{"/a", 0, 1, 0, 1}, {"/a", 0, 1, 1, 1}});
}

TEST_CASE("read one by one, the splits give every line once with its number", "[line_splits]") {
  random_generator random{GENERATE(1u, 2u, 3u)};
  memory_file_system files;
  std::string all[2];
  for (auto& text : all) {
    // Longer than the pieces in which files are read, with lines across their borders.
    while (text.size() < (std::size_t{5} << 19)) {
      text.append(random.below(random.chance(1, 1'000) ? 200'000 : 60), 'x');
      text.append(random.chance(1, 3) ? "\r\n" : "\n");
    }
  }
  all[1].append("the last line has no end");
  put(files, "/a", all[0]);
  put(files, "/b", all[1]);
  auto expected = lines_of(all[0]);
  for (auto& line : lines_of(all[1])) expected.push_back(std::move(line));

  const auto split_bytes = GENERATE(std::uint64_t{1}, std::uint64_t{1'000}, std::uint64_t{1} << 20,
                                    std::uint64_t{8} << 20);
  CAPTURE(split_bytes);
  const auto splits = plan_line_splits(files, {"/a", "/b"}, {.split_bytes = split_bytes});
  REQUIRE(splits.ok());
  std::vector<std::string> read;
  bool numbered = true;
  for (const auto& split : *splits) {
    line_reader reader{files, split};
    std::string_view line;
    numbered = numbered && split.first_line == read.size();
    while (reader.next(line).value()) {
      read.emplace_back(line);
      numbered = numbered && reader.next_line_number() == read.size();
    }
    numbered = numbered && reader.position().bytes == split.length;
  }
  CHECK(numbered);
  CHECK((read == expected));  // in brackets: no millions of lines in a message
}

TEST_CASE("input that has no lines is refused in one clear line", "[line_splits]") {
  memory_file_system files;
  put(files, "/empty", "");
  put(files, "/good", "x\n");
  REQUIRE(files.create_folders("/folder").ok());
  const auto refusal = [&](const std::vector<std::string>& paths) {
    const auto splits = plan_line_splits(files, paths);
    CHECK_FALSE(splits.ok());
    return splits.error_text();
  };
  CHECK(refusal({"/good", "/empty"}) == "/empty: file is empty");
  CHECK(refusal({"/good", "/missing"}).find("/missing") != std::string::npos);
  CHECK(refusal({"/folder"}).find("/folder") != std::string::npos);
  CHECK(refusal({}) == "text files: there is no file to read");
}

TEST_CASE("a disk that cannot be read is an error", "[line_splits]") {
  memory_file_system files;
  put(files, "/a", "x\n");
  files.set_faults([](const file_operation& operation) -> std::optional<file_fault> {
    if (operation.kind != file_operation_kind::read) return std::nullopt;
    return error{errc::io_error, "read /a: bad sector"};
  });
  CHECK(plan_line_splits(files, {"/a"}).error_text() == "read /a: bad sector");
}

TEST_CASE("a line may have the longest length and not a byte more", "[line_splits]") {
  memory_file_system files;
  const auto end = GENERATE("\n", "");
  put(files, "/a", "first\n" + std::string(100, 'x') + end);
  CHECK(plan_line_splits(files, {"/a"}, {.max_line_bytes = 100}).ok());
  const auto refused = plan_line_splits(files, {"/a"}, {.max_line_bytes = 99});
  REQUIRE_FALSE(refused.ok());
  CHECK(refused.failure().code() == errc::invalid_argument);
  CHECK(refused.error_text() == "/a: the line at byte 6 has more than 99 bytes");
}

TEST_CASE("a job takes splits of 4 to 16 MiB", "[line_splits]") {
  const auto valid = [](std::uint64_t bytes) {
    return line_split_options{.split_bytes = bytes}.validate().ok();
  };
  CHECK(line_split_options{}.validate().ok());
  CHECK(valid(4 << 20));
  CHECK(valid(16 << 20));
  CHECK_FALSE(valid((4 << 20) - 1));
  CHECK_FALSE(valid((16 << 20) + 1));
  CHECK_FALSE(valid(0));
}

}  // namespace
}  // namespace weir::connectors
