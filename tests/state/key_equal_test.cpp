// SPDX-License-Identifier: Apache-2.0
#include "weir/state/key_equal.hpp"

#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "weir/core/hash.hpp"

#include "support/catch.hpp"

namespace weir::testing {
namespace {

using state::key_equal;

struct place {
  std::string city;
  double height;
};

/// Keys that are equal must have one hash, or they are never found to be equal.
template <class A, class B>
bool same_key(const A& a, const B& b) {
  const bool equal = key_equal(a, b);
  CHECK(equal == key_equal(b, a));
  if (equal) CHECK(stable_hash(a) == stable_hash(b));
  return equal;
}

TEST_CASE("keys that show the same value are one key", "[key_equal]") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  CHECK(same_key(std::string{"ab"}, std::string_view{"ab"}));
  CHECK(same_key(7, std::uint64_t{7}));
  CHECK(same_key(0.0, -0.0));
  CHECK(same_key(nan, -nan));
  CHECK(same_key(1.5f, 1.5));
  CHECK(same_key(std::optional<int>{}, std::optional<int>{}));
  CHECK(same_key(std::vector<double>{nan, 1}, std::vector<double>{nan, 1}));
  CHECK(same_key(place{"x", nan}, place{"x", -nan}));
  CHECK(same_key(place{"x", 1}, std::tuple{std::string_view{"x"}, 1.0}));
}

TEST_CASE("keys that show different values are different keys", "[key_equal]") {
  CHECK_FALSE(same_key(std::string{"ab"}, std::string_view{"abc"}));
  CHECK_FALSE(same_key(-1, std::numeric_limits<std::uint64_t>::max()));
  CHECK_FALSE(same_key(0.0, 1.0));
  CHECK_FALSE(same_key(std::optional<int>{}, std::optional<int>{0}));
  CHECK_FALSE(same_key(std::optional<int>{1}, std::optional<int>{0}));
  CHECK_FALSE(same_key(std::vector<int>{1}, std::vector<int>{1, 2}));
  CHECK_FALSE(same_key(std::vector<int>{1, 3}, std::vector<int>{1, 2}));
  CHECK_FALSE(same_key(place{"x", 1}, place{"x", 2}));
  CHECK_FALSE(same_key(place{"x", 1}, std::tuple{std::string_view{"y"}, 1.0}));
}

}  // namespace
}  // namespace weir::testing
