// SPDX-License-Identifier: Apache-2.0
#include "weir/state/keyed_chunk_writer.hpp"

#include <cstdint>
#include <string>
#include <vector>

#include "weir/core/random.hpp"

#include "state/collected_chunks.hpp"
#include "support/catch.hpp"

namespace weir::testing {
namespace {

using namespace weir::state;

constexpr std::uint32_t groups = 8;

TEST_CASE("rows of all sizes are in the chunks of their groups, in order, and dropped ones are not",
          "[keyed_chunk_writer]") {
  collected_chunks chunks;
  keyed_chunk_writer out{chunks, "rows", groups};
  std::vector<std::string> expected(groups);
  random_generator random{3};
  for (int i = 0; i < 20'000; ++i) {
    const auto hash = random.next();
    const auto size = random.chance(1, 500) ? random.below(200'000) : random.below(60);
    const std::string row(size, static_cast<char>('a' + random.below(26)));
    auto bytes = out.begin_row(hash);
    bytes.block(row);
    if (random.chance(1, 5)) {
      out.drop_row();
      continue;
    }
    out.end_row(bytes);
    byte_writer{expected[key_group_of(hash, groups).value]}.block(row);
    if (random.chance(1, 5000)) out.flush();
  }
  out.flush();
  std::vector<std::string> got(groups);
  for (const auto& chunk : chunks.chunks) {
    CHECK(chunk.section == "rows");
    CHECK_FALSE(chunk.bytes.empty());
    CHECK(chunk.bytes.size() < 65536 + 200'010);
    got[chunk.group->value] += chunk.bytes;
  }
  CHECK(got == expected);
}

TEST_CASE("the first row of each chunk is known", "[keyed_chunk_writer]") {
  collected_chunks chunks;
  keyed_chunk_writer out{chunks, "rows", groups};
  for (int i = 0; i < 50'000; ++i) {
    auto bytes = out.begin_row(0);
    bytes.raw(out.begins_chunk() ? "first" : "other");
    out.end_row(bytes);
  }
  out.flush();
  REQUIRE(chunks.chunks.size() == 4);
  for (const auto& chunk : chunks.chunks) {
    CHECK(chunk.bytes.starts_with("first"));
    CHECK(chunk.bytes.find("first", 1) == std::string::npos);
  }
}

TEST_CASE("many groups that are not full do not hold a snapshot back", "[keyed_chunk_writer]") {
  collected_chunks chunks;
  keyed_chunk_writer out{chunks, "rows", max_key_groups};
  const std::string row(1000, 'r');
  for (std::uint64_t round = 0; round < 8; ++round)
    for (std::uint64_t group = 0; group < max_key_groups; ++group) {
      auto bytes = out.begin_row(group << 49);
      bytes.raw(row);
      out.end_row(bytes);
    }
  std::size_t put = 0;
  for (const auto& chunk : chunks.chunks) put += chunk.bytes.size();
  CHECK(put + (std::size_t{64} << 20) >= row.size() * out.rows());
}

}  // namespace
}  // namespace weir::testing
