// SPDX-License-Identifier: Apache-2.0
#include "weir/core/bytes.hpp"

#include <limits>
#include <string>

#include "support/catch.hpp"

using weir::byte_reader;
using weir::byte_writer;

namespace {

std::string varint(std::uint64_t value) {
  std::string bytes;
  byte_writer{bytes}.varint(value);
  return bytes;
}

}  // namespace

TEST_CASE("fixed numbers are written lowest byte first", "[bytes]") {
  std::string bytes;
  byte_writer writer{bytes};
  writer.fixed<std::uint32_t>(0x01020304);
  writer.fixed<std::int16_t>(-2);
  CHECK(bytes == "\x04\x03\x02\x01\xfe\xff");
}

TEST_CASE("a varint takes one byte for each 7 bits", "[bytes]") {
  CHECK(varint(0) == std::string(1, '\0'));
  CHECK(varint(127) == "\x7f");
  CHECK(varint(128) == "\x80\x01");
  CHECK(varint(300) == "\xac\x02");
  CHECK(varint(std::numeric_limits<std::uint64_t>::max()).size() == 10);
}

TEST_CASE("what was written is read back", "[bytes]") {
  std::string bytes;
  byte_writer writer{bytes};
  writer.fixed(2.5);
  writer.varint(std::numeric_limits<std::uint64_t>::max());
  writer.block("key");
  writer.block("");
  writer.raw("end");

  byte_reader reader{bytes};
  CHECK(reader.fixed<double>() == 2.5);
  CHECK(reader.varint() == std::numeric_limits<std::uint64_t>::max());
  CHECK(reader.block() == "key");
  CHECK(reader.block().empty());
  CHECK(reader.raw(3) == "end");
  CHECK(reader.remaining() == 0);
  CHECK_FALSE(reader.failed());
}

TEST_CASE("every cut of a written string is noticed", "[bytes]") {
  std::string bytes;
  byte_writer writer{bytes};
  writer.fixed<std::int32_t>(7);
  writer.varint(300);
  writer.block("key");

  for (std::size_t length = 0; length < bytes.size(); ++length) {
    CAPTURE(length);
    byte_reader reader{std::string_view{bytes}.substr(0, length)};
    reader.fixed<std::int32_t>();
    reader.varint();
    reader.block();
    CHECK(reader.failed());
  }
}

TEST_CASE("after a failure every read gives nothing", "[bytes]") {
  byte_reader reader{"abc"};
  CHECK(reader.fixed<std::uint64_t>() == 0);
  REQUIRE(reader.failed());
  CHECK(reader.remaining() == 0);
  CHECK(reader.fixed<std::uint8_t>() == 0);
  CHECK(reader.varint() == 0);
  CHECK(reader.block().empty());
}

TEST_CASE("a varint of more than 64 bits is malformed", "[bytes]") {
  const std::string nine_full(9, '\xff');
  const std::string largest = nine_full + "\x01";
  byte_reader reader{largest};
  CHECK(reader.varint() == std::numeric_limits<std::uint64_t>::max());
  CHECK_FALSE(reader.failed());

  for (const std::string& bytes : {nine_full + "\x02", nine_full + "\x81\x01"}) {
    CAPTURE(bytes);
    byte_reader too_large{bytes};
    CHECK(too_large.varint() == 0);
    CHECK(too_large.failed());
  }
}

TEST_CASE("a block longer than what is left fails instead of reading on", "[bytes]") {
  std::string bytes = varint(std::numeric_limits<std::uint64_t>::max()) + "abc";
  byte_reader reader{bytes};
  CHECK(reader.block().empty());
  CHECK(reader.failed());
}

TEST_CASE("a writer to memory writes what a writer to a string writes", "[bytes]") {
  const auto write = [](byte_writer& out) {
    out.fixed<std::uint32_t>(0x01020304);
    out.varint(300);
    out.block("some text");
    out.raw("");
    out.fixed<std::uint8_t>(9);
  };
  std::string expected;
  byte_writer to_string{expected};
  write(to_string);

  for (std::size_t room = 0; room <= expected.size() + 8; ++room) {
    CAPTURE(room);
    std::string memory(room, '?'), overflow = "before ";
    byte_writer out{memory.data(), memory.data() + room, overflow};
    write(out);
    if (char* end = out.end_in_memory()) {
      CHECK(std::string{memory.data(), end} == expected);
      CHECK(overflow == "before ");
    } else {
      CHECK(overflow == "before " + expected);
    }
    if (room > expected.size()) CHECK(out.end_in_memory() != nullptr);
    if (room < expected.size()) CHECK(out.end_in_memory() == nullptr);
  }
}
