// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace weir {

/// A seeded generator of 64-bit numbers, the same on every machine and with every library.
/// Source: Steele, Lea, Flood, "Fast Splittable Pseudorandom Number Generators", 2014.
class random_generator {
 public:
  explicit constexpr random_generator(std::uint64_t seed) : state_{seed} {}

  constexpr std::uint64_t next() {
    std::uint64_t z = (state_ += 0x9E3779B97F4A7C15ull);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
    return z ^ (z >> 31);
  }

  /// In [0, bound). Its bias, below bound / 2^64, is of no matter here.
  /// @pre bound > 0
  constexpr std::uint64_t below(std::uint64_t bound) { return next() % bound; }

  /// True `parts` times out of `of`.
  constexpr bool chance(std::uint64_t parts, std::uint64_t of) { return below(of) < parts; }

 private:
  std::uint64_t state_;
};

}  // namespace weir
