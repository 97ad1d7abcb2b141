// SPDX-License-Identifier: Apache-2.0
#include "weir/core/page_blocks.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <vector>

#include <sys/mman.h>
#include <unistd.h>

#include "weir/core/random.hpp"

#include "support/catch.hpp"

namespace weir {
namespace {

constexpr std::size_t block_bytes = (std::size_t{384} << 10) + 100;  // not a whole number of pages

bool is_zero(const void* block) {
  const auto* bytes = static_cast<const unsigned char*>(block);
  return std::all_of(bytes, bytes + block_bytes, [](unsigned char byte) { return byte == 0; });
}

/// Bytes of `block` that are in memory.
std::size_t resident(void* block) {
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  std::vector<unsigned char> pages((block_bytes + page - 1) / page);
  REQUIRE(mincore(block, block_bytes, pages.data()) == 0);
  return page * static_cast<std::size_t>(std::count_if(
                    pages.begin(), pages.end(), [](unsigned char flags) { return flags & 1; }));
}

TEST_CASE("blocks are made of zero bytes, also those that were used before", "[page_blocks]") {
  page_blocks blocks{block_bytes};
  random_generator random{1};
  std::vector<void*> taken;
  for (int step = 0; step < 400; ++step) {
    if (taken.empty() || (taken.size() < 80 && random.chance(2, 3))) {
      taken.push_back(blocks.take());
      REQUIRE(is_zero(taken.back()));
      std::memset(taken.back(), 0xa5, block_bytes);
    } else {
      std::swap(taken[random.below(taken.size())], taken.back());
      blocks.give_back(taken.back());
      taken.pop_back();
    }
  }
  std::sort(taken.begin(), taken.end());
  for (std::size_t i = 1; i < taken.size(); ++i)
    CHECK(static_cast<char*>(taken[i]) - static_cast<char*>(taken[i - 1]) >=
          static_cast<std::ptrdiff_t>(block_bytes));
  for (void* block : taken) blocks.give_back(block);
}

TEST_CASE("blocks that are given back lose their memory, all but a few", "[page_blocks]") {
  page_blocks blocks{block_bytes};
  std::vector<void*> taken;
  for (int i = 0; i < 100; ++i) taken.push_back(blocks.take());  // some of them on huge pages
  for (void* block : taken) {
    std::memset(block, 1, block_bytes);
    REQUIRE(resident(block) >= block_bytes);
  }
  for (void* block : taken) blocks.give_back(block);
  std::size_t left = 0;
  for (void* block : taken) left += resident(block);
  CHECK(left <= 5 * block_bytes);
}

TEST_CASE("of the blocks that were given back the one with the lowest address is next",
          "[page_blocks]") {
  page_blocks blocks{block_bytes};
  std::vector<void*> taken;
  for (int i = 0; i < 30; ++i) taken.push_back(blocks.take());
  random_generator random{2};
  for (std::size_t i = taken.size(); i > 1; --i) std::swap(taken[i - 1], taken[random.below(i)]);
  for (void* block : taken) blocks.give_back(block);
  std::sort(taken.begin(), taken.end());
  for (void* expected : taken) CHECK(blocks.take() == expected);
}

TEST_CASE("all memory goes at once, and there is more when it is wanted", "[page_blocks]") {
  page_blocks blocks{block_bytes};
  for (int round = 0; round < 3; ++round) {
    for (int i = 0; i < 20; ++i) {
      void* const block = blocks.take();
      REQUIRE(is_zero(block));
      std::memset(block, 7, block_bytes);
    }
    blocks.clear();
  }
}

}  // namespace
}  // namespace weir
