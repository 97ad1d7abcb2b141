// SPDX-License-Identifier: Apache-2.0
#include "weir/core/hash.hpp"

#include <cstring>

namespace weir {
namespace {

static_assert(std::endian::native == std::endian::little, "words are read as they lie in memory");

constexpr std::uint64_t even_key = 0xE7037ED1A0B428DBull;
constexpr std::uint64_t odd_key = 0x8EBC6AF09C88C6E3ull;
constexpr std::uint64_t final_key = 0x589965CC75374CC3ull;

template <class Word>
std::uint64_t word_at(const char* place) noexcept {
  Word word;
  std::memcpy(&word, place, sizeof word);
  return word;
}

/// The last 16 bytes or fewer as two words. They may overlap: together with the length, which goes
/// into the hash as well, they still say what each byte was.
struct last_words {
  std::uint64_t even = 0;
  std::uint64_t odd = 0;
};

last_words last_words_of(const char* place, std::size_t size) noexcept {
  if (size >= 8) {
    return {word_at<std::uint64_t>(place), word_at<std::uint64_t>(place + size - 8)};
  }
  if (size >= 4) {
    return {word_at<std::uint32_t>(place), word_at<std::uint32_t>(place + size - 4)};
  }
  if (size == 0) return {};
  const std::uint64_t first = word_at<std::uint8_t>(place);
  const std::uint64_t middle = word_at<std::uint8_t>(place + size / 2);
  const std::uint64_t last = word_at<std::uint8_t>(place + size - 1);
  return {first << 16 | middle << 8 | last, 0};
}

}  // namespace

std::uint64_t hash_bytes(std::string_view bytes) noexcept {
  const char* place = bytes.data();
  std::size_t left = bytes.size();
  std::uint64_t hash = bytes.size() * 0x9E3779B97F4A7C15ull;
  for (; left > 16; place += 16, left -= 16) {
    hash = std::rotl(hash, 29) + fold_multiply(word_at<std::uint64_t>(place) ^ hash ^ even_key,
                                               word_at<std::uint64_t>(place + 8) ^ odd_key);
  }
  const auto [even, odd] = last_words_of(place, left);
  hash = fold_multiply(even ^ hash ^ even_key, odd ^ std::rotl(hash, 32) ^ odd_key) ^ hash;
  return fold_multiply(hash ^ final_key, 0x9E3779B97F4A7C15ull ^ bytes.size());
}

}  // namespace weir
