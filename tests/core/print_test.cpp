// SPDX-License-Identifier: Apache-2.0
#include "weir/core/print.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <variant>
#include <vector>

#include "weir/core/error.hpp"

#include "support/catch.hpp"

namespace weir {
namespace {

struct point {
  int x;
  double y;
};

struct track {
  std::string name;
  std::vector<point> points;
  std::optional<int> speed;
};

enum class colour : std::uint8_t { red = 200 };

class money {
 public:
  explicit money(int cents) : cents_{cents} {}
  friend std::string to_string(const money& m) { return std::to_string(m.cents_) + " cents"; }

 private:
  int cents_;
};

template <class T>
std::string printed(const T& value) {
  std::string out = "=";
  print_value(out, value);
  return out.substr(1);
}

TEST_CASE("numbers are printed in full and read back the same", "[print]") {
  CHECK(printed(0) == "0");
  CHECK(printed(std::numeric_limits<std::int64_t>::min()) == "-9223372036854775808");
  CHECK(printed(std::numeric_limits<std::uint64_t>::max()) == "18446744073709551615");
  CHECK(printed(std::uint8_t{200}) == "200");
  CHECK(printed(std::int8_t{-5}) == "-5");
  CHECK(printed(0.1) == "0.1");
  CHECK(printed(0.1f) == "0.1");
  CHECK(printed(-0.0) == "-0");
  CHECK(printed(1e300) == "1e+300");
  CHECK(printed(std::numeric_limits<double>::infinity()) == "inf");
  CHECK(printed(std::numeric_limits<double>::quiet_NaN()) == "nan");
}

TEST_CASE("texts are printed as they are", "[print]") {
  CHECK(printed(std::string{"a\0b", 3}) == std::string{"a\0b", 3});
  CHECK(printed(std::string_view{"view"}) == "view");
  CHECK(printed("literal") == "literal");
  CHECK(printed('c') == "c");
  CHECK(printed(true) == "true");
  CHECK(printed(false) == "false");
}

TEST_CASE("times, ids and enums are printed as their number", "[print]") {
  CHECK(printed(at(-1500)) == "-1500");
  CHECK(printed(clock_time{7}) == "7");
  CHECK(printed(duration{1500}) == "1500");
  CHECK(printed(checkpoint_id{7}) == "7");
  CHECK(printed(colour::red) == "200");
  CHECK(printed(std::byte{255}) == "255");
}

TEST_CASE("a function to_string beside the type has its way", "[print]") {
  CHECK(printed(money{5}) == "5 cents");
  CHECK(printed(errc::io_error) == to_string(errc::io_error));
  CHECK(printed(std::vector<money>{money{1}, money{2}}) == "[1 cents, 2 cents]");
}

TEST_CASE("composed values show their parts", "[print]") {
  CHECK(printed(std::tuple{1, std::string{"b"}, at(3)}) == "(1, b, 3)");
  CHECK(printed(std::pair{1, 2}) == "(1, 2)");
  CHECK(printed(std::tuple<>{}) == "()");
  CHECK(printed(point{1, 2.5}) == "{1, 2.5}");
  CHECK(printed(track{"t", {{1, 2}, {3, 4}}, std::nullopt}) == "{t, [{1, 2}, {3, 4}], none}");
  CHECK(printed(std::array{1, 2}) == "[1, 2]");
  CHECK(printed(std::vector<int>{}) == "[]");
  CHECK(printed(std::vector<bool>{true, false}) == "[true, false]");
  CHECK(printed(std::set<int>{2, 1}) == "{1, 2}");
  CHECK(printed(std::map<std::string, int>{{"a", 1}, {"b", 2}}) == "{a: 1, b: 2}");
  CHECK(printed(std::optional<int>{7}) == "7");
  CHECK(printed(std::variant<int, std::string>{"text"}) == "text");
}

}  // namespace
}  // namespace weir
