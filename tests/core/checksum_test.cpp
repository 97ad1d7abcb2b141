// SPDX-License-Identifier: Apache-2.0
#include "weir/core/checksum.hpp"

#include <string>

#include "support/catch.hpp"

namespace weir {

TEST_CASE("the checksum is CRC-32 as in zlib", "[checksum]") {
  CHECK(checksum("") == 0);
  CHECK(checksum({}) == 0);
  CHECK(checksum("123456789") == 0xCBF43926u);
  CHECK(checksum("a") == 0xE8B7BE43u);
}

TEST_CASE("a checksum goes on from that of what came before", "[checksum]") {
  const std::string bytes = "The log of numbered records";
  for (std::size_t cut = 0; cut <= bytes.size(); ++cut) {
    const std::string_view all{bytes};
    CHECK(checksum(all.substr(cut), checksum(all.substr(0, cut))) == checksum(all));
  }
}

TEST_CASE("the checksum of two strings comes from those of both", "[checksum]") {
  const std::string bytes = std::string(100'000, 'x') + "The log of numbered records";
  for (std::size_t cut : {std::size_t{0}, std::size_t{1}, std::size_t{777}, bytes.size()}) {
    const std::string_view all{bytes};
    const auto second = all.substr(cut);
    CHECK(joined_checksum(checksum(all.substr(0, cut)), checksum(second), second.size()) ==
          checksum(all));
  }
}

TEST_CASE("a checksum finds every flipped bit", "[checksum]") {
  std::string bytes(64, '\x5a');
  const auto good = checksum(bytes);
  for (std::size_t bit = 0; bit < bytes.size() * 8; ++bit) {
    bytes[bit / 8] = static_cast<char>(bytes[bit / 8] ^ (1 << bit % 8));
    CHECK(checksum(bytes) != good);
    bytes[bit / 8] = static_cast<char>(bytes[bit / 8] ^ (1 << bit % 8));
  }
}

}  // namespace weir
