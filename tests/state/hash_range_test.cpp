// SPDX-License-Identifier: Apache-2.0
#include "weir/state/hash_range.hpp"

#include <cstdint>

#include "weir/core/key_groups.hpp"

#include "support/catch.hpp"

namespace weir::testing {
namespace {

using state::hash_range;
using state::hashes_of;

TEST_CASE("the hashes of key groups are those whose group is one of them", "[hash_range]") {
  const auto max_parallelism = GENERATE(1u, 2u, 3u, 7u, 128u, 1000u, 32768u);
  CAPTURE(max_parallelism);
  bool right = true;
  std::uint64_t next = 0;
  for (std::uint32_t g = 0; g < max_parallelism; ++g) {
    const auto hashes = hashes_of({{g}, {g}}, max_parallelism);
    right = right && hashes.first == next &&
            key_group_of(hashes.first, max_parallelism) == key_group{g} &&
            key_group_of(hashes.last, max_parallelism) == key_group{g};
    next = hashes.last + 1;
  }
  CHECK(right);
  CHECK(next == 0);  // all hashes
  CHECK(hashes_of({{0}, {max_parallelism - 1}}, max_parallelism) == hash_range{});
}

}  // namespace
}  // namespace weir::testing
