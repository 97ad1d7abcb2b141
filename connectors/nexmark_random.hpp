// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace weir::connectors {

/// The numbers NEXMark's events are drawn from: those of Java's SplittableRandom, so that a Java
/// program draws the same. Owned by one thread.
///
/// Source: Steele, Lea, Flood, "Fast Splittable Pseudorandom Number Generators", 2014.
class nexmark_random {
 public:
  explicit constexpr nexmark_random(std::uint64_t seed) : state_{seed} {}

  /// 64 random bits.
  constexpr std::uint64_t bits() {
    std::uint64_t z = step();
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
    return z ^ (z >> 31);
  }

  /// 32 random bits, signed. Not half of `bits()`: they are mixed in another way.
  constexpr std::int32_t number() {
    std::uint64_t z = step();
    z = (z ^ (z >> 33)) * 0x62A9D9ED799705F5ull;
    z = (z ^ (z >> 28)) * 0xCB24D0A5C88C35B3ull;
    return static_cast<std::int32_t>(z >> 32);
  }

  /// In [0, bound), without bias.
  /// @pre bound > 0
  constexpr std::int32_t below(std::int32_t bound) {
    const std::int32_t mask = bound - 1;
    const std::int32_t first = number();
    if ((bound & mask) == 0) return first & mask;
    std::uint32_t u = static_cast<std::uint32_t>(first) >> 1;
    for (;;) {
      const std::uint32_t r = u % static_cast<std::uint32_t>(bound);
      // Negative as a signed number: u lies in the last, incomplete run of `bound` numbers.
      if ((u + static_cast<std::uint32_t>(mask) - r) < 0x80000000u) {
        return static_cast<std::int32_t>(r);
      }
      u = static_cast<std::uint32_t>(number()) >> 1;
    }
  }

  /// In [0, bound); bounds that do not fit `below` have the bias of a remainder.
  /// @pre bound > 0
  constexpr std::int64_t below_wide(std::int64_t bound) {
    if (bound < 0x7fffffff) return below(static_cast<std::int32_t>(bound));
    const std::int64_t rest = static_cast<std::int64_t>(bits()) % bound;
    return rest < 0 ? -rest : rest;
  }

  /// In [0, 1), a multiple of 2^−53.
  constexpr double unit() { return static_cast<double>(bits() >> 11) * 0x1.0p-53; }

 private:
  constexpr std::uint64_t step() { return state_ += 0x9E3779B97F4A7C15ull; }

  std::uint64_t state_;
};

}  // namespace weir::connectors
