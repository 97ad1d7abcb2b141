// SPDX-License-Identifier: Apache-2.0
#include "weir/state/element_block.hpp"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

#include "weir/state/list_view.hpp"

#include "support/catch.hpp"

namespace weir::testing {
namespace {

using state::element_block;
using state::no_index;

/// One number for each element there is room for.
struct index_beside {
  static constexpr std::size_t slots(std::size_t capacity) { return capacity / 10 * 10; }
  static constexpr std::size_t capacity(std::size_t slots) { return slots + 9; }
};

template <std::size_t Alignment>
struct aligned {
  alignas(Alignment) std::int64_t n = 0;
};

template <class T>
T sample(std::int64_t n) {
  if constexpr (std::is_same_v<T, std::string>)
    return "a text that has memory of its own " + std::to_string(n);
  else
    return T{n};
}

TEMPLATE_TEST_CASE("a block keeps elements, stamps and index apart while it grows and shrinks",
                   "[element_block]", std::int64_t, std::string, aligned<16>, aligned<64>) {
  const bool timed = GENERATE(false, true);
  CAPTURE(timed);
  element_block<TestType, index_beside> block, shared;
  const auto as_made = [](const TestType& held, std::int64_t n) {
    if constexpr (std::is_same_v<TestType, std::string>)
      return held == sample<std::string>(n);
    else if constexpr (std::is_integral_v<TestType>)
      return held == n;
    else
      return held.n == n;
  };
  const auto check = [&] {
    bool right = reinterpret_cast<std::uintptr_t>(block.data()) % alignof(TestType) == 0;
    for (std::size_t i = 0; i < block.size(); ++i) {
      const auto n = static_cast<std::int64_t>(i);
      right = right && as_made(block.data()[i], n * 3) && (!timed || block.stamps()[i] == n * 7);
    }
    for (std::size_t i = 0; i < index_beside::slots(block.capacity()); ++i)
      right = right && block.index()[i] == i + 1;
    return right;
  };
  const auto fill_index = [&] {
    const auto slots = index_beside::slots(block.capacity());
    CHECK(std::count(block.index(), block.index() + slots, 0u) ==
          static_cast<std::ptrdiff_t>(slots));
    std::iota(block.index(), block.index() + slots, 1u);
  };
  for (std::int64_t n = 0; n < 300; ++n) {
    if (block.make_room(1, timed)) fill_index();
    block.append(sample<TestType>(n * 3));
    if (timed) block.stamps()[n] = n * 7;
    if (n % 50 == 0) shared = block;
    CAPTURE(n);
    REQUIRE(check());
  }
  shared = {};
  for (std::size_t size : {250u, 60u, 10u, 3u}) {
    if (block.make_unique()) fill_index();
    block.truncate(size);
    if (block.shrink()) fill_index();
    CHECK(block.capacity() <= std::max<std::size_t>(size * 4, 16));
    CAPTURE(size);
    CHECK(check());
  }
}

TEST_CASE("a block from which a choice of elements is kept is whole when the choice throws",
          "[element_block]") {
  const bool shared = GENERATE(false, true);
  for (std::size_t thrown_at = 0; thrown_at < 8; ++thrown_at) {
    element_block<std::string, no_index> block;
    block.make_room(8, true);
    for (std::int64_t n = 0; n < 8; ++n) {
      block.append(sample<std::string>(n));
      block.stamps()[n] = n;
    }
    const auto other = shared ? block : element_block<std::string, no_index>{};
    CHECK_THROWS_AS(block.keep_if([&](std::size_t i) {
      if (i == thrown_at) throw std::runtime_error{"cannot choose"};
      return i % 2 == 1;
    }),
                    std::runtime_error);
    REQUIRE(block.size() >= 4);
    for (std::size_t i = 0; i < block.size(); ++i)
      CHECK(block.data()[i] == sample<std::string>(block.stamps()[i]));
    block.keep_if([&](std::size_t i) { return block.stamps()[i] % 2 == 1; });
    CHECK(block.size() == 4);
    CHECK(block.data()[3] == sample<std::string>(7));
    CHECK(other.size() == (shared ? 8u : 0u));
  }
}

TEST_CASE("a block refuses more elements than it can count", "[element_block]") {
  element_block<char, no_index> block;
  block.make_room(1, false);
  block.append('a');
  CHECK_THROWS_AS(block.make_room(block.max_size, false), std::length_error);
  CHECK_THROWS_AS(block.make_room(~std::size_t{0}, false), std::length_error);
  CHECK(block.size() == 1);
}

}  // namespace
}  // namespace weir::testing
