// SPDX-License-Identifier: Apache-2.0
#include "weir/core/codec.hpp"

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>

#include "weir/core/random.hpp"

#include "support/catch.hpp"

namespace weir {
namespace {

enum class colour : std::uint8_t { red, green };

struct point {
  std::int64_t x;
  double y;
  friend bool operator==(const point&, const point&) = default;
};

struct track {
  std::string name;
  std::vector<point> points;
  std::optional<std::map<std::string, colour>> legend;
  std::variant<std::monostate, int, std::string> extra;
  event_time started;
  friend bool operator==(const track&, const track&) = default;
};

struct nothing {
  friend bool operator==(nothing, nothing) = default;
};

/// Neither a default nor a copy.
class serial_number {
 public:
  explicit serial_number(std::uint32_t number) : number_{number} {}
  serial_number(serial_number&&) = default;
  serial_number& operator=(serial_number&&) = default;
  std::uint32_t number() const { return number_; }

 private:
  std::uint32_t number_;
};

struct device {
  serial_number serial;
  std::string name;
};

/// Has a field more than its inspect names.
class account {
 public:
  account() = default;
  account(std::string owner, std::int64_t cents) : owner_{std::move(owner)}, cents_{cents} {}
  const std::string& owner() const { return owner_; }
  std::int64_t cents() const { return cents_; }
  int cache = 0;

  template <class Inspector>
  friend typename Inspector::result_type inspect(Inspector& f, account& value) {
    return f(std::string{"an annotation"}, value.owner_, value.cents_);
  }

 private:
  std::string owner_;
  std::int64_t cents_ = 0;
};

/// The struct that an account is stored like, and an older one.
struct account_fields {
  std::string owner;
  std::int64_t cents;
};

struct older_account_fields {
  std::string owner;
};

struct with_pointer {
  int a;
  int* b;
};

struct base {
  int a;
};

struct derived : base {
  int b;
};

struct with_array {
  char name[4];
};

}  // namespace

template <>
struct codec<serial_number> {
  static void write(byte_writer& out, const serial_number& value) { out.varint(value.number()); }
  static serial_number read(byte_reader& in) {
    const auto number = in.varint();
    if (number > std::numeric_limits<std::uint32_t>::max()) in.fail();
    return serial_number{static_cast<std::uint32_t>(number)};
  }
  static std::string identity() { return "serial"; }
};

namespace {

template <class T>
void check_round_trip(const T& value) {
  const auto again = decode<T>(encode(value));
  CAPTURE(codec_identity<T>());
  REQUIRE(again.ok());
  CHECK(again.value() == value);
}

track some_track() {
  return {.name = "ä\0b",
          .points = {{1, 2.5}, {-1, -0.0}},
          .legend = {{{"a", colour::red}, {"", colour::green}}},
          .extra = "text",
          .started = at(-5)};
}

TEST_CASE("scalars come back from their bytes", "[codec]") {
  check_round_trip(std::numeric_limits<std::int64_t>::min());
  check_round_trip(std::numeric_limits<std::uint64_t>::max());
  check_round_trip(std::int8_t{-1});
  check_round_trip(std::uint16_t{65535});
  check_round_trip('\xE9');
  check_round_trip(true);
  check_round_trip(false);
  check_round_trip(std::byte{200});
  check_round_trip(colour::green);
  check_round_trip(1.5f);
  check_round_trip(event_time::min());
  check_round_trip(clock_time::max());
  check_round_trip(duration{-3});
  check_round_trip(std::chrono::seconds{7});
  check_round_trip(checkpoint_id{7});
}

TEST_CASE("every bit of a float comes back", "[codec]") {
  const auto bits =
      GENERATE(as<std::uint64_t>{}, 0, 0x8000000000000000, 1, 0x7FF0000000000000,
               0xFFF0000000000000, 0x7FF8000000000000, 0xFFF8000000000007, 0x7FF0000000000001);
  CAPTURE(bits);
  const auto again = decode<double>(encode(std::bit_cast<double>(bits)));
  REQUIRE(again.ok());
  CHECK(std::bit_cast<std::uint64_t>(again.value()) == bits);
}

TEST_CASE("the bytes of a value are these", "[codec]") {
  using namespace std::string_literals;
  CHECK(encode(std::int32_t{-2}) == "\xFE\xFF\xFF\xFF"s);
  CHECK(encode(std::uint16_t{0x0102}) == "\x02\x01"s);
  CHECK(encode(1.0) == "\0\0\0\0\0\0\xF0\x3F"s);
  CHECK(encode("ab"s) ==
        "\x02"s
        "ab");
  CHECK(encode(std::vector<std::uint16_t>{1, 2}) == "\x02\x01\0\x02\0"s);
  CHECK(encode(std::vector<std::string>{"a", ""}) ==
        "\x02\x01"s
        "a"
        "\0"s);
  CHECK(encode(std::array<std::uint8_t, 2>{1, 2}) == "\x01\x02"s);
  CHECK(encode(std::optional<bool>{}) == "\0"s);
  CHECK(encode(std::optional<bool>{true}) == "\x01\x01"s);
  CHECK(encode(std::variant<bool, std::string>{"a"}) ==
        "\x01\x01"s
        "a");
  CHECK(encode(std::monostate{}) == "\0"s);
  CHECK(encode(std::pair{true, std::uint8_t{9}}) == "\x01\x09"s);
  CHECK(encode(std::map<std::uint8_t, bool>{{2, true}, {1, false}}) == "\x02\x01\0\x02\x01"s);
  CHECK(encode(point{1, 0}) == "\x02\x01\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"s);
  CHECK(encode(nothing{}) == "\0"s);
}

TEST_CASE("containers and structs come back from their bytes", "[codec]") {
  check_round_trip(std::string{});
  check_round_trip(std::string(100'000, 'x'));
  check_round_trip(std::vector<std::int64_t>{});
  check_round_trip(std::vector<double>{1, 2, 3});
  check_round_trip(std::vector<bool>{true, false, true});
  check_round_trip(std::vector<std::byte>{std::byte{0}, std::byte{255}});
  check_round_trip(std::vector<std::vector<std::string>>{{"a"}, {}, {"b", "c"}});
  check_round_trip(std::array<std::string, 2>{"a", "b"});
  check_round_trip(std::array<std::int32_t, 3>{1, 2, 3});
  check_round_trip(std::pair{1, std::string{"b"}});
  check_round_trip(std::tuple{1, std::string{"b"}, std::optional<int>{}});
  check_round_trip(std::tuple{std::string{"alone"}});
  check_round_trip(std::optional<std::optional<int>>{std::optional<int>{}});
  check_round_trip(std::variant<int, std::string>{7});
  check_round_trip(std::set<std::string>{"b", "a"});
  check_round_trip(std::map<int, std::string>{{2, "b"}, {1, "a"}});
  check_round_trip(std::unordered_map<std::string, int>{{"a", 1}, {"b", 2}, {"c", 3}});
  check_round_trip(std::unordered_set<int>{1, 2, 3});
  check_round_trip(nothing{});
  check_round_trip(std::vector<nothing>(3));
  check_round_trip(some_track());
}

TEST_CASE("a type without default and without copy comes back", "[codec]") {
  const auto again = decode<device>(encode(device{serial_number{7}, "lamp"}));
  REQUIRE(again.ok());
  CHECK(again->serial.number() == 7);
  CHECK(again->name == "lamp");

  const auto array = decode<std::array<serial_number, 2>>("\x01\x02");
  REQUIRE(array.ok());
  CHECK(array.value()[1].number() == 2);
  CHECK(encode(array.value()) == "\x01\x02");

  const auto list = decode<std::vector<device>>(std::string{"\x01\x02\x05\x00", 4});
  REQUIRE(list.ok());
  CHECK(list->front().serial.number() == 5);
}

TEST_CASE("a class with an inspect is stored like a struct of the fields it names", "[codec]") {
  const account value{"ann", 500};
  CHECK(codec_identity<account>() == codec_identity<account_fields>());
  CHECK(encode(value) == encode(account_fields{"ann", 500}));
  const auto again = decode<account>(encode(value));
  REQUIRE(again.ok());
  CHECK(again->owner() == "ann");
  CHECK(again->cents() == 500);

  const auto from_older = decode<account>(encode(older_account_fields{"bob"}));
  REQUIRE(from_older.ok());
  CHECK(from_older->owner() == "bob");
  CHECK(from_older->cents() == 0);
  CHECK_FALSE(decode<account>(encode(std::tuple{'\x03', account_fields{}})).ok());
}

TEST_CASE("C131: empty, binary, composed and long keys come back byte by byte", "[codec]") {
  const std::vector<std::string> keys{
      "",          std::string{"a\0b", 3}, std::string{"a\0c", 3}, "\xC3\xA9",
      "e\xCC\x81", "\xF0\x9F\x98\x80",     std::string(65536, 'x')};
  std::set<std::string> bytes;
  for (const auto& key : keys) {
    bytes.insert(encode(key));
    check_round_trip(key);
  }
  CHECK(bytes.size() == 7);
}

TEST_CASE("the identity of a type says what its bytes mean", "[codec]") {
  CHECK(codec_identity<int>() == "i32");
  CHECK(codec_identity<long>() == codec_identity<long long>());
  CHECK(codec_identity<std::uint8_t>() == "u8");
  CHECK(codec_identity<char>() == "char");
  CHECK(codec_identity<bool>() == "bool");
  CHECK(codec_identity<float>() == "f32");
  CHECK(codec_identity<colour>() == "u8");
  CHECK(codec_identity<checkpoint_id>() == "u64");
  CHECK(codec_identity<event_time>() == "event_time");
  CHECK(codec_identity<duration>() == "duration<i64,1/1000>");
  CHECK(codec_identity<std::vector<std::string>>() == "vec<str>");
  CHECK(codec_identity<std::array<double, 3>>() == "array<f64,3>");
  CHECK(codec_identity<std::pair<int, bool>>() == "tuple<i32,bool>");
  CHECK(codec_identity<std::map<int, bool>>() == codec_identity<std::unordered_map<int, bool>>());
  CHECK(codec_identity<nothing>() == "agg{}");
  CHECK(codec_identity<device>() == "agg{serial,str}");
  CHECK(codec_identity<track>() ==
        "agg{str,vec<agg{i64,f64}>,opt<map<str,u8>>,variant<unit,i32,str>,event_time}");
}

TEST_CASE("what cannot be stored is known before it is tried", "[codec]") {
  CHECK(encodable<track>);
  CHECK(encodable<device>);
  CHECK(encodable<account>);
  CHECK_FALSE(encodable<int*>);
  CHECK_FALSE(encodable<const int>);
  CHECK_FALSE(encodable<int&>);
  CHECK_FALSE(encodable<std::string_view>);
  CHECK_FALSE(encodable<const char*>);
  CHECK_FALSE(encodable<with_pointer>);
  CHECK_FALSE(encodable<std::vector<with_pointer>>);
  CHECK_FALSE(encodable<std::map<int, int*>>);
  CHECK_FALSE(encodable<std::unique_ptr<int>>);
  CHECK_FALSE(encodable<derived>);
  CHECK_FALSE(encodable<with_array>);
  CHECK_FALSE(encodable<long double>);
}

}  // namespace
}  // namespace weir
