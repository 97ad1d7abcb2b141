// SPDX-License-Identifier: Apache-2.0
#include "weir/core/payload_size.hpp"

#include <cstdint>
#include <memory>

#include "weir/core/time.hpp"

#include "support/catch.hpp"

namespace weir {
namespace {

struct point {
  int x;
  event_time time;
};

struct named_point {
  std::string name;
  point where;
  std::optional<std::string> note;
};

struct holder {
  std::unique_ptr<int> owner;
};

class blob {
 public:
  std::size_t bytes() const { return 1000; }
};

}  // namespace

template <>
struct payload_size<blob> {
  static constexpr bool dynamic = true;
  static std::size_t of(const blob& value) { return value.bytes(); }
};

namespace {

const std::string long_text(100, 'x');

TEST_CASE("values without memory of their own have no payload", "[payload_size]") {
  CHECK_FALSE(has_dynamic_payload<int>);
  CHECK_FALSE(has_dynamic_payload<point>);
  CHECK_FALSE(has_dynamic_payload<std::tuple<int, point, std::optional<double>>>);
  CHECK_FALSE(has_dynamic_payload<std::variant<int, point>>);
  CHECK_FALSE(has_dynamic_payload<std::array<point, 3>>);
  CHECK_FALSE(has_dynamic_payload<holder>);
  static_assert(payload_bytes(7) == 0);
}

TEST_CASE("types that can hold memory are known by their type", "[payload_size]") {
  CHECK(has_dynamic_payload<std::string>);
  CHECK(has_dynamic_payload<const std::string&>);
  CHECK(has_dynamic_payload<named_point>);
  CHECK(has_dynamic_payload<std::vector<int>>);
  CHECK(has_dynamic_payload<std::optional<std::string>>);
  CHECK(has_dynamic_payload<std::variant<int, std::string>>);
  CHECK(has_dynamic_payload<std::map<int, int>>);
  CHECK(has_dynamic_payload<std::pair<int, std::array<std::string, 2>>>);
  CHECK(has_dynamic_payload<blob>);
}

TEST_CASE("a short string lies in itself and a long one outside", "[payload_size]") {
  CHECK(payload_bytes(std::string{}) == 0);
  CHECK(payload_bytes(std::string{"short"}) == 0);
  CHECK(payload_bytes(long_text) == 101);
}

TEST_CASE("the payload of a whole is that of its parts", "[payload_size]") {
  CHECK(payload_bytes(named_point{long_text, {}, std::nullopt}) == 101);
  CHECK(payload_bytes(named_point{long_text, {}, long_text}) == 202);
  CHECK(payload_bytes(std::pair{1, long_text}) == 101);
  CHECK(payload_bytes(std::tuple{long_text, 1, long_text}) == 202);
  CHECK(payload_bytes(std::optional{long_text}) == 101);
  CHECK(payload_bytes(std::variant<int, std::string>{long_text}) == 101);
  CHECK(payload_bytes(std::variant<int, std::string>{7}) == 0);
  CHECK(payload_bytes(std::array{long_text, long_text}) == 202);
  CHECK(payload_bytes(blob{}) == 1000);
}

TEST_CASE("containers count their elements and what these hold", "[payload_size]") {
  CHECK(payload_bytes(std::vector<std::int64_t>(10)) == 80);
  CHECK(payload_bytes(std::vector<std::string>(2, long_text)) == 2 * (sizeof(std::string) + 101));
  CHECK(payload_bytes(std::map<int, int>{}) == 0);
  CHECK(payload_bytes(std::map<int, std::string>{{1, long_text}}) >=
        101 + sizeof(int) + sizeof(std::string));
  CHECK(payload_bytes(std::unordered_map<std::string, int>{{long_text, 1}}) >= 101);
  CHECK(payload_bytes(std::set<std::int64_t>{1, 2}) >= 16);
  CHECK(payload_bytes(std::unordered_set<std::int64_t>{1, 2}) >= 16);
}

}  // namespace
}  // namespace weir
