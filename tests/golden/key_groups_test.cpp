// SPDX-License-Identifier: Apache-2.0
#include "weir/core/key_groups.hpp"

#include <cmath>
#include <cstddef>
#include <fstream>
#include <limits>
#include <string>
#include <tuple>
#include <vector>

#include "weir/core/hash.hpp"

#include "support/catch.hpp"

namespace weir {
namespace {

struct address {
  std::string city;
  std::uint32_t number;
};

/// What each line of key_hashes.txt is the hash of; the file says the same in words.
std::vector<std::uint64_t> hashes_of_all_keys() {
  std::vector<std::uint64_t> hashes;
  for (std::int64_t i = -1250; i < 1250; ++i) hashes.push_back(stable_hash(i));
  for (std::int64_t i = -1250; i < 1250; ++i) hashes.push_back(stable_hash(i * 1'000'000'007'003));
  for (int i = 0; i < 5000; ++i) hashes.push_back(stable_hash("key-" + std::to_string(i)));
  for (std::size_t size = 0; size < 100; ++size) {
    hashes.push_back(stable_hash(std::string(size, 'w')));
  }
  hashes.push_back(stable_hash(std::string(65536, 'w')));
  hashes.push_back(stable_hash(std::string{"a\0b", 3}));
  hashes.push_back(stable_hash("\xF0\x9F\x98\x80"));
  hashes.push_back(stable_hash(0.0));
  hashes.push_back(stable_hash(-1.5));
  hashes.push_back(stable_hash(std::nan("")));
  hashes.push_back(stable_hash(-std::numeric_limits<double>::infinity()));
  hashes.push_back(stable_hash(std::pair{1, 2}));
  hashes.push_back(stable_hash(std::tuple{at(1000), std::string{"b"}, true}));
  hashes.push_back(stable_hash(address{"Aachen", 7}));
  hashes.push_back(stable_hash(std::vector<int>{}));
  hashes.push_back(stable_hash(std::vector<int>{1, 2, 3}));
  hashes.push_back(stable_hash(std::optional<int>{}));
  hashes.push_back(stable_hash(std::optional<int>{1}));
  return hashes;
}

std::vector<std::uint64_t> golden_hashes() {
  std::ifstream file{WEIR_SOURCES "/tests/golden/key_hashes.txt"};
  std::vector<std::uint64_t> hashes;
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with('#')) hashes.push_back(std::stoull(line, nullptr, 16));
  }
  return hashes;
}

TEST_CASE("C073: 10,000 keys are in the key groups that the committed list says", "[golden]") {
  const auto now = hashes_of_all_keys();
  const auto golden = golden_hashes();
  REQUIRE(golden.size() == 10'114);
  REQUIRE(now.size() == golden.size());
  std::size_t moved = 0;
  std::size_t changed = 0;
  for (std::size_t i = 0; i < golden.size(); ++i) {
    changed += now[i] != golden[i];
    moved += key_group_of(now[i], 128).value != golden[i] >> 57;  // the upper 7 bits
  }
  CHECK(changed == 0);
  CHECK(moved == 0);
}

}  // namespace
}  // namespace weir
