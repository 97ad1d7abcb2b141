// SPDX-License-Identifier: Apache-2.0
#include "weir/core/hash.hpp"

#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <set>
#include <string>

#include "support/catch.hpp"

namespace weir {
namespace {

enum class colour : std::uint8_t { red, green };
enum legacy { first_value = 0, second_value = 1 };

struct order {
  std::int64_t id;
  std::string customer;
  std::optional<double> discount;
};

struct order_view {
  int id;
  std::string_view customer;
  std::optional<double> discount;
};

struct with_pointer {
  int id;
  int* pointer;
};

struct base {
  int a;
};

struct derived : base {
  int b;
};

/// The sum over all buckets of (found − expected)² / expected. For `buckets` equally likely buckets
/// its mean is buckets − 1 and its deviation √(2 (buckets − 1)).
double spread(const std::vector<std::uint64_t>& hashes, std::size_t buckets,
              const std::function<std::size_t(std::uint64_t)>& bucket_of) {
  std::vector<double> found(buckets);
  for (const auto hash : hashes) ++found[bucket_of(hash)];
  const double expected = static_cast<double>(hashes.size()) / static_cast<double>(buckets);
  double sum = 0;
  for (const double count : found) sum += (count - expected) * (count - expected) / expected;
  return sum;
}

/// Six deviations above the mean: a fair hash is worse once in a billion such checks.
double bound(std::size_t buckets) {
  const auto freedom = static_cast<double>(buckets - 1);
  return freedom + 6 * std::sqrt(2 * freedom);
}

std::vector<std::uint64_t> hashes_of(int count,
                                     const std::function<std::uint64_t(std::int64_t)>& hash) {
  std::vector<std::uint64_t> hashes;
  for (std::int64_t i = 0; i < count; ++i) hashes.push_back(hash(i));
  return hashes;
}

void check_spread(const std::vector<std::uint64_t>& hashes) {
  constexpr std::size_t buckets = 512;
  CHECK(spread(hashes, buckets, [](std::uint64_t h) { return h % buckets; }) < bound(buckets));
  CHECK(spread(hashes, buckets, [](std::uint64_t h) { return h >> 55; }) < bound(buckets));
  CHECK(spread(hashes, buckets, [](std::uint64_t h) { return (h >> 32) % buckets; }) <
        bound(buckets));
  CHECK(spread(hashes, buckets, [](std::uint64_t h) { return (h >> 23) % buckets; }) <
        bound(buckets));
  constexpr std::size_t groups = 100;
  CHECK(spread(hashes, groups, [](std::uint64_t h) { return ((h >> 32) * groups) >> 32; }) <
        bound(groups));
  CHECK(std::set<std::uint64_t>(hashes.begin(), hashes.end()).size() == hashes.size());
}

TEST_CASE("one integer value has one hash in every width and sign", "[hash]") {
  const auto value = GENERATE(-128, -1, 0, 1, 42, 127);
  CAPTURE(value);
  const auto hash = stable_hash(value);
  CHECK(stable_hash(static_cast<std::int8_t>(value)) == hash);
  CHECK(stable_hash(static_cast<std::int16_t>(value)) == hash);
  CHECK(stable_hash(static_cast<std::int64_t>(value)) == hash);
  CHECK(stable_hash(static_cast<long long>(value)) == hash);
  if (value >= 0) {
    CHECK(stable_hash(static_cast<std::uint8_t>(value)) == hash);
    CHECK(stable_hash(static_cast<std::uint16_t>(value)) == hash);
    CHECK(stable_hash(static_cast<std::uint32_t>(value)) == hash);
    CHECK(stable_hash(static_cast<std::uint64_t>(value)) == hash);
  }
}

TEST_CASE("different integer values of different types do not hash alike", "[hash]") {
  CHECK(stable_hash(std::int32_t{-1}) != stable_hash(std::uint32_t{0xFFFFFFFF}));
  CHECK(stable_hash(0) != stable_hash(1));
  CHECK(stable_hash(std::int64_t{1} << 32) != stable_hash(0));
}

TEST_CASE("a char hashes as unsigned on every machine", "[hash]") {
  CHECK(stable_hash('\xE9') == stable_hash(0xE9));
  CHECK(stable_hash('a') == stable_hash(97));
}

TEST_CASE("enums, bools, ids, times and durations hash as their number", "[hash]") {
  CHECK(stable_hash(colour::green) == stable_hash(1));
  CHECK(stable_hash(second_value) == stable_hash(1));
  CHECK(stable_hash(true) == stable_hash(1));
  CHECK(stable_hash(checkpoint_id{7}) == stable_hash(7));
  CHECK(stable_hash(at(-7)) == stable_hash(-7));
  CHECK(stable_hash(clock_time{7}) == stable_hash(7));
  CHECK(stable_hash(duration{7}) == stable_hash(7));
}

TEST_CASE("both zeros are one key and all NaN are one key", "[hash]") {
  CHECK(stable_hash(-0.0) == stable_hash(0.0));
  CHECK(stable_hash(-0.0f) == stable_hash(0.0));
  const auto nan = stable_hash(std::numeric_limits<double>::quiet_NaN());
  CHECK(stable_hash(-std::numeric_limits<double>::quiet_NaN()) == nan);
  CHECK(stable_hash(std::numeric_limits<double>::signaling_NaN()) == nan);
  CHECK(stable_hash(std::nan("7")) == nan);
  CHECK(stable_hash(std::numeric_limits<float>::quiet_NaN()) == nan);
  CHECK(stable_hash(std::numeric_limits<double>::infinity()) != nan);
  CHECK(stable_hash(std::numeric_limits<double>::infinity()) !=
        stable_hash(-std::numeric_limits<double>::infinity()));
  CHECK(stable_hash(std::numeric_limits<double>::denorm_min()) != stable_hash(0.0));
  CHECK(stable_hash(1.5f) == stable_hash(1.5));
  CHECK(stable_hash(-1.5) != stable_hash(1.5));
}

TEST_CASE("equal bytes hash alike however they are held", "[hash]") {
  const std::string text = GENERATE(as<std::string>{}, "", "a", "ab", "abc", "abcd", "abcdefgh",
                                    "abcdefghijklmnop", "abcdefghijklmnopq");
  CAPTURE(text);
  const auto hash = stable_hash(text);
  CHECK(stable_hash(std::string_view{text}) == hash);
  CHECK(stable_hash(text.c_str()) == hash);
  std::vector<std::byte> bytes;
  for (const char c : text) bytes.push_back(static_cast<std::byte>(c));
  CHECK(stable_hash(bytes) == hash);
  CHECK(stable_hash(std::span<const std::byte>{bytes}) == hash);
  CHECK(stable_hash(std::vector<char>(text.begin(), text.end())) == hash);
  CHECK(stable_hash(std::vector<unsigned char>(text.begin(), text.end())) == hash);
}

TEST_CASE("a literal hashes like the string it spells", "[hash]") {
  CHECK(stable_hash("key") == stable_hash(std::string{"key"}));
}

TEST_CASE("C074: byte keys in separate buffers with equal bytes are one key", "[hash]") {
  const std::vector<std::byte> one{std::byte{1}, std::byte{2}};
  const auto other = std::make_unique<std::vector<std::byte>>(one);
  REQUIRE(other->data() != one.data());
  CHECK(stable_hash(one) == stable_hash(*other));
  CHECK(stable_hash(one) != stable_hash(std::vector<std::byte>{std::byte{2}, std::byte{1}}));
}

TEST_CASE("C129: no key, the empty key and a key are three keys", "[hash]") {
  const std::set<std::uint64_t> hashes{stable_hash(std::optional<std::string>{}),
                                       stable_hash(std::optional<std::string>{""}),
                                       stable_hash(std::optional<std::string>{"a"})};
  CHECK(hashes.size() == 3);
  CHECK(stable_hash(std::string{}) != stable_hash(std::string{"a"}));
}

TEST_CASE("C131: empty, binary, composed and long keys stay seven keys", "[hash]") {
  const std::vector<std::string> keys{
      "",          std::string{"a\0b", 3}, std::string{"a\0c", 3}, "\xC3\xA9",
      "e\xCC\x81", "\xF0\x9F\x98\x80",     std::string(65536, 'x')};
  std::set<std::uint64_t> hashes;
  for (const auto& key : keys) hashes.insert(stable_hash(key));
  CHECK(hashes.size() == 7);
}

TEST_CASE("every byte and the length of a string count", "[hash]") {
  std::set<std::uint64_t> hashes;
  std::size_t strings = 0;
  for (std::size_t size = 0; size <= 70; ++size) {
    std::string text(size, '\0');
    hashes.insert(stable_hash(text)), ++strings;
    for (std::size_t i = 0; i < size; ++i) {
      text[i] = 1;
      hashes.insert(stable_hash(text)), ++strings;
      text[i] = '\x80';
      hashes.insert(stable_hash(text)), ++strings;
      text[i] = 0;
    }
  }
  CHECK(hashes.size() == strings);
}

TEST_CASE("a string read from an odd address has the same hash", "[hash]") {
  const std::string text = "the quick brown fox jumps over the lazy dog";
  const std::string shifted = "x" + text;
  CHECK(stable_hash(std::string_view{shifted}.substr(1)) == stable_hash(text));
}

TEST_CASE("records hash by their fields, whatever holds them", "[hash]") {
  const order owner{.id = 7, .customer = "ann", .discount = 0.5};
  const auto hash = stable_hash(owner);
  CHECK(stable_hash(order_view{7, "ann", 0.5}) == hash);
  CHECK(stable_hash(std::tuple{7u, std::string_view{"ann"}, std::optional{0.5}}) == hash);
  CHECK(stable_hash(std::pair{1, std::string{"b"}}) ==
        stable_hash(std::tuple{std::int64_t{1}, "b"}));
  CHECK(stable_hash(order{7, "ann", std::nullopt}) != hash);
  CHECK(stable_hash(order{7, "bob", 0.5}) != hash);
  const std::string name = "n";
  CHECK(stable_hash(std::tuple<const std::string&, int>{name, 1}) ==
        stable_hash(std::tuple{name, 1}));
}

TEST_CASE("the order and the place of fields count", "[hash]") {
  CHECK(stable_hash(std::pair{1, 2}) != stable_hash(std::pair{2, 1}));
  CHECK(stable_hash(std::pair<std::string, std::string>{"ab", "c"}) !=
        stable_hash(std::pair<std::string, std::string>{"a", "bc"}));
  CHECK(stable_hash(std::tuple{1}) != stable_hash(std::tuple{1, 0}));
  CHECK(stable_hash(std::vector<int>{}) != stable_hash(std::vector<int>{0}));
  CHECK(stable_hash(std::vector<std::vector<int>>{{1}, {}}) !=
        stable_hash(std::vector<std::vector<int>>{{}, {1}}));
  CHECK(stable_hash(std::vector<bool>{true, false}) == stable_hash(std::vector<int>{1, 0}));
  CHECK(stable_hash(std::array{1, 2}) == stable_hash(std::vector<std::int64_t>{1, 2}));
}

TEST_CASE("addresses, base classes and unordered things have no stable hash", "[hash]") {
  CHECK_FALSE(stable_hashable<int*>);
  CHECK_FALSE(stable_hashable<with_pointer>);
  CHECK_FALSE(stable_hashable<std::vector<int*>>);
  CHECK_FALSE(stable_hashable<std::unique_ptr<int>>);
  CHECK_FALSE(stable_hashable<derived>);
  CHECK_FALSE(stable_hashable<std::map<int, int>>);
  CHECK_FALSE(stable_hashable<std::function<void()>>);
  CHECK(stable_hashable<order>);
  CHECK(stable_hashable<const order&>);
  CHECK(stable_hashable<const char*>);
  CHECK(stable_hashable<std::tuple<const std::string&, int>>);
}

TEST_CASE("sequential and strided integers spread over high and low bits", "[hash]") {
  const auto stride = GENERATE(as<std::int64_t>{}, 1, 2, 7, 16, 100, 128, 1000, 4096, 1 << 20,
                               std::int64_t{1} << 32, std::int64_t{1} << 40, -3);
  CAPTURE(stride);
  check_spread(hashes_of(1 << 16, [&](std::int64_t i) { return stable_hash(i * stride); }));
}

TEST_CASE("doubles that are whole numbers spread over high and low bits", "[hash]") {
  check_spread(hashes_of(1 << 16, [](std::int64_t i) { return stable_hash(double(i)); }));
}

TEST_CASE("short strings spread over high and low bits", "[hash]") {
  const std::string prefix = GENERATE(as<std::string>{}, "", "k", "user-", "a rather longer key ");
  CAPTURE(prefix);
  check_spread(
      hashes_of(1 << 16, [&](std::int64_t i) { return stable_hash(prefix + std::to_string(i)); }));
}

TEST_CASE("strings that differ in two bytes spread over high and low bits", "[hash]") {
  const auto size = GENERATE(as<std::size_t>{}, 2, 3, 4, 7, 8, 9, 15, 16, 17, 24, 32, 33, 100);
  CAPTURE(size);
  check_spread(hashes_of(1 << 16, [&](std::int64_t i) {
    std::string text(size, 'x');
    text.front() = static_cast<char>(i);
    text[size - 1] = static_cast<char>(i >> 8);
    return stable_hash(text);
  }));
}

TEST_CASE("pairs of small integers spread over high and low bits", "[hash]") {
  check_spread(
      hashes_of(1 << 16, [](std::int64_t i) { return stable_hash(std::pair{i >> 8, i & 255}); }));
}

TEST_CASE("each bit of a key changes half of the bits of its hash", "[hash]") {
  const auto size = GENERATE(as<std::size_t>{}, 3, 8, 13, 20);
  CAPTURE(size);
  std::string text(size, 'q');
  std::vector<int> flips(64);
  int trials = 0;
  for (int round = 0; round < 200; ++round) {
    for (std::size_t i = 0; i < size; ++i) {
      text[i] = static_cast<char>(mix_bits(static_cast<std::uint64_t>(round) * 64 + i));
    }
    const auto before = stable_hash(text);
    for (std::size_t bit = 0; bit < 8 * size; ++bit, ++trials) {
      text[bit / 8] = static_cast<char>(text[bit / 8] ^ (1 << (bit % 8)));
      const auto changed = before ^ stable_hash(text);
      text[bit / 8] = static_cast<char>(text[bit / 8] ^ (1 << (bit % 8)));
      for (std::size_t i = 0; i < 64; ++i) flips[i] += (changed >> i) & 1;
    }
  }
  for (const int count : flips) {
    const double share = static_cast<double>(count) / trials;
    CHECK(share > 0.45);
    CHECK(share < 0.55);
  }
}

}  // namespace
}  // namespace weir
