// SPDX-License-Identifier: Apache-2.0
#include "weir/core/block_pool.hpp"

#include <cstdint>
#include <cstring>
#include <set>
#include <thread>
#include <vector>

#include "support/catch.hpp"
#include "support/sanitizers.hpp"

#ifdef WEIR_TEST_ADDRESS_SANITIZER
#include <sanitizer/asan_interface.h>
#endif

namespace weir {
namespace {

constexpr std::size_t kib = 1024;
constexpr std::size_t mib = 1024 * kib;

/// Takes `count` blocks, then gives them all back.
void use_at_once(std::size_t count, std::size_t bytes) {
  std::vector<void*> blocks;
  for (std::size_t i = 0; i < count; ++i) blocks.push_back(allocate_block(bytes));
  for (auto* block : blocks) release_block(block, bytes);
}

}  // namespace

TEST_CASE("a block is aligned and can be written to its end", "[block_pool]") {
  const std::size_t bytes =
      GENERATE(as<std::size_t>{}, 0, 1, 4095, 4096, 4097, 70000, 1 << 20, (1 << 20) + 1, 5 << 20);
  CAPTURE(bytes);
  for (int round = 0; round < 2; ++round) {
    auto* block = allocate_block(bytes);
    REQUIRE(block != nullptr);
    CHECK(reinterpret_cast<std::uintptr_t>(block) % 64 == 0);
    std::memset(block, 0xa5, bytes);
    release_block(block, bytes);
  }
}

TEST_CASE("a released block is the next one of its size", "[block_pool]") {
  auto* first = allocate_block(30 * kib);
  auto* second = allocate_block(30 * kib);
  CHECK(first != second);
  release_block(first, 30 * kib);
  CHECK(allocate_block(32 * kib) == first);
  release_block(second, 30 * kib);
  auto* smaller = allocate_block(16 * kib);
  CHECK(smaller != second);
  release_block(smaller, 16 * kib);
  release_block(first, 32 * kib);
}

TEST_CASE("the pool keeps 64 free blocks of a size, and 16 MiB", "[block_pool]") {
  struct row {
    std::size_t bytes, kept;
  };
  const auto expected = GENERATE(row{4 * kib, 64}, row{256 * kib, 64}, row{512 * kib, 32},
                                 row{mib, 16}, row{mib + 1, 0});
  CAPTURE(expected.bytes);
  use_at_once(70, expected.bytes);
  CHECK(free_blocks(expected.bytes) == expected.kept);
}

TEST_CASE("small blocks share the smallest size", "[block_pool]") {
  use_at_once(3, 1);
  const auto before = free_blocks(4 * kib);
  REQUIRE(before >= 3);
  auto* block = allocate_block(100);
  CHECK(free_blocks(1) == before - 1);
  release_block(block, 100);
  CHECK(free_blocks(4 * kib) == before);
}

TEST_CASE("nothing happens when null is released", "[block_pool]") {
  const auto before = free_blocks(4 * kib);
  release_block(nullptr, 4 * kib);
  CHECK(free_blocks(4 * kib) == before);
}

TEST_CASE("no two threads get one block", "[block_pool]") {
  constexpr int threads = 4;
  std::vector<int> damaged(threads);
  {
    std::vector<std::jthread> workers;
    for (int t = 0; t < threads; ++t) {
      workers.emplace_back([&damaged, t] {
        for (int i = 0; i < 500; ++i) {
          auto* block = static_cast<unsigned char*>(allocate_block(8 * kib));
          std::memset(block, t, 8 * kib);
          for (std::size_t at = 0; at < 8 * kib; at += 64) damaged[t] += block[at] != t;
          release_block(block, 8 * kib);
        }
      });
    }
  }
  CHECK(damaged == std::vector<int>(threads, 0));
}

#ifdef WEIR_TEST_ADDRESS_SANITIZER
TEST_CASE("a free block is poisoned until it is used again", "[block_pool]") {
  auto* block = static_cast<char*>(allocate_block(64 * kib));
  CHECK(__asan_address_is_poisoned(block) == 0);
  release_block(block, 64 * kib);
  CHECK(__asan_address_is_poisoned(block) != 0);
  CHECK(__asan_address_is_poisoned(block + 64 * kib - 1) != 0);
  auto* again = static_cast<char*>(allocate_block(64 * kib));
  REQUIRE(again == block);
  CHECK(__asan_region_is_poisoned(again, 64 * kib) == nullptr);
  release_block(again, 64 * kib);
}
#endif

}  // namespace weir
