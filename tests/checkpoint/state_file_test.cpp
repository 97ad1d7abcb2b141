// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <tuple>
#include <vector>

#include "weir/checkpoint/internal/state_file_format.hpp"
#include "weir/checkpoint/state_file_reader.hpp"
#include "weir/checkpoint/state_file_writer.hpp"

#include "support/catch.hpp"

namespace weir::checkpoint {
namespace {

using seen_chunk = std::tuple<std::string, std::string, std::optional<key_group>, std::string>;

struct outcome {
  std::vector<seen_chunk> chunks;
  status state;
};

/// Reads `bytes`, `step` at a time.
outcome read(std::string_view bytes, std::size_t step) {
  outcome out;
  state_file_reader reader{[&out](const state_chunk_view& chunk) {
    out.chunks.emplace_back(chunk.uid, chunk.section, chunk.group, chunk.bytes);
  }};
  for (std::size_t at = 0; at < bytes.size() && out.state; at += step) {
    out.state = reader.feed(bytes.substr(at, step));
  }
  if (out.state) out.state = reader.finish();
  return out;
}

/// Eight chunks of two operators.
std::string eight_chunks() {
  state_file_writer writer;
  std::string bytes;
  for (std::uint32_t i = 0; i < 4; ++i) {
    writer.put("count",
               {.section = "rows", .group = key_group{i}, .bytes = std::string(i * 50, 'x')});
    writer.put("sink", {.section = "pending", .group = {}, .bytes = std::to_string(i)});
    bytes += writer.take();
  }
  writer.finish();
  return bytes + writer.take();
}

TEST_CASE("a state file is read as it was written, in pieces of any size", "[state_file]") {
  const auto bytes = eight_chunks();
  const auto step = GENERATE(as<std::size_t>{}, 1, 7, 64, 100'000);
  const auto out = read(bytes, step);
  CHECK(out.state.error_text().empty());
  REQUIRE(out.chunks.size() == 8);
  CHECK(out.chunks[0] == seen_chunk{"count", "rows", key_group{0}, ""});
  CHECK(out.chunks[1] == seen_chunk{"sink", "pending", std::nullopt, "0"});
  CHECK(out.chunks[6] == seen_chunk{"count", "rows", key_group{3}, std::string(150, 'x')});
}

TEST_CASE("a state file without chunks is whole", "[state_file]") {
  state_file_writer writer;
  writer.finish();
  const auto out = read(writer.take(), 5);
  CHECK(out.state.ok());
  CHECK(out.chunks.empty());
}

TEST_CASE("the largest key group there can be is read back", "[state_file]") {
  state_file_writer writer;
  writer.put("a", {.section = "", .group = key_group{32767}, .bytes = ""});
  writer.finish();
  CHECK(read(writer.take(), 100).chunks.front() == seen_chunk{"a", "", key_group{32767}, ""});
}

TEST_CASE("a writer says which operators have put what", "[state_file]") {
  state_file_writer writer;
  state_file_stream stream{writer, "b"};
  stream.put({.section = "s", .group = {}, .bytes = "1"});
  writer.put("a", {.section = "s", .group = key_group{1}, .bytes = "2"});
  stream.put({.section = "s", .group = key_group{2}, .bytes = "3"});
  const std::vector<operator_contents> expected{{.uid = "b", .keyed = true, .unkeyed = true},
                                                {.uid = "a", .keyed = true, .unkeyed = false}};
  CHECK(writer.contents() == expected);
  const auto named =
      name_contents(writer.contents(), {.path = "chk-1/1-1-0-0.state", .length = 9, .checksum = 8});
  REQUIRE(named.size() == 2);
  CHECK(named[0].uid == "b");
  CHECK(named[1].files == std::vector<state_file>{{.path = "chk-1/1-1-0-0.state",
                                                   .length = 9,
                                                   .checksum = 8,
                                                   .kind = file_kind::chunks,
                                                   .keyed = true,
                                                   .unkeyed = false}});
}

TEST_CASE("what was taken from a writer does not come again", "[state_file]") {
  state_file_writer writer;
  writer.put("a", {.section = "s", .group = {}, .bytes = "1"});
  CHECK(writer.waiting() > 0);
  CHECK_FALSE(writer.take().empty());
  CHECK(writer.waiting() == 0);
  CHECK(writer.take().empty());
}

/// `bytes` without its piece at position `index`.
std::string without_piece(std::string bytes, std::size_t index) {
  namespace format = internal::state_file_format;
  std::size_t at = format::file_header_size;
  const auto length = [&bytes](std::size_t piece) {
    return format::piece_header_size +
           byte_reader{std::string_view{bytes}.substr(piece)}.fixed<std::uint64_t>();
  };
  while (index-- > 0) at += length(at);
  return bytes.erase(at, length(at));
}

TEST_CASE("C095: a state file with a chunk missing is rejected with both numbers", "[state_file]") {
  const auto index = GENERATE(as<std::size_t>{}, 0, 3, 7);
  const auto out = read(without_piece(eight_chunks(), index), 1000);
  CHECK(out.state.failure().code() == errc::corrupt);
  CHECK(out.state.error_text().find("8 chunks expected, 7 found") != std::string::npos);
}

TEST_CASE("a state file without its end is rejected", "[state_file]") {
  const auto out = read(without_piece(eight_chunks(), 8), 1000);
  CHECK(out.state.error_text().find("it is cut short: 8 whole chunks and no end found") == 0);
}

TEST_CASE("a state file cut short anywhere, or with more after its end, is rejected",
          "[state_file]") {
  const auto bytes = eight_chunks();
  for (std::size_t length = 0; length < bytes.size(); ++length) {
    CAPTURE(length);
    CHECK(read(bytes.substr(0, length), 100).state.failure().code() == errc::corrupt);
  }
  CHECK(read(bytes + bytes.back(), 10'000).state.error_text().find("there is more after its end") ==
        0);
  CHECK_FALSE(read(bytes + bytes.back(), 1).state.ok());
}

TEST_CASE("a state file with any bit flipped is rejected", "[state_file]") {
  const auto bytes = eight_chunks();
  for (std::size_t bit = 0; bit < bytes.size() * 8; ++bit) {
    auto damaged = bytes;
    damaged[bit / 8] = static_cast<char>(damaged[bit / 8] ^ (1 << bit % 8));
    CAPTURE(bit);
    REQUIRE(read(damaged, 10'000).state.failure().code() == errc::corrupt);
  }
}

/// A file whose one piece has `body`, with a good checksum.
std::string file_with(const std::string& body) {
  namespace format = internal::state_file_format;
  std::string bytes{format::magic};
  bytes += static_cast<char>(format::version);
  return bytes + format::piece_header(body) + body;
}

TEST_CASE("a state file with nonsense under a good checksum is rejected", "[state_file]") {
  struct row {
    std::string body;
    const char* message;
  };
  const auto [body, message] =
      GENERATE(row{"", "a piece is empty"}, row{"\x07", "a piece is of an unknown kind"},
               row{"\x01\x05"
                   "ab",
                   "a chunk's header is malformed"},
               row{std::string{"\x01\x01"
                               "a\x00\x81\x80\x02",
                               7},
                   "a chunk's header is malformed"},
               row{"\x02", "its end is malformed"}, row{"\x02\x01", "1 chunks expected, 0 found"},
               row{std::string{"\x02\x00\x00", 3}, "its end is malformed"});
  CHECK(read(file_with(body), 100).state.error_text() == std::string{message} + " (at byte 9)");
}

TEST_CASE("a file of something else is no state file", "[state_file]") {
  CHECK(read("", 1).state.error_text() == "it is empty");
  CHECK(read("#!/bin/sh\n", 3).state.error_text() == "it is not a state file of weir");
  CHECK(read("WEIRSTAT\x02", 9).state.error_text() ==
        "it has format version 2, this program reads version 1");
}

}  // namespace
}  // namespace weir::checkpoint
