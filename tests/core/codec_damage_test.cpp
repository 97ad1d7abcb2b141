// SPDX-License-Identifier: Apache-2.0
// What a codec does with older bytes, and with bytes that are no value at all.
#include <cstdint>
#include <limits>
#include <memory>

#include "weir/core/codec.hpp"
#include "weir/core/random.hpp"

#include "support/catch.hpp"

namespace weir {
namespace {

struct order_v1 {
  std::int64_t id;
  std::string customer;
};

struct order_v2 {
  std::int64_t id;
  std::string customer;
  std::int32_t pieces = 1;
  std::optional<std::string> note = "none given";
};

struct batch_v1 {
  std::vector<order_v1> orders;
  std::string source;
};

struct batch_v2 {
  std::vector<order_v2> orders;
  std::string source;
  bool urgent = true;
};

/// The first field has no default, so bytes without any field are no value.
class ticket {
 public:
  explicit ticket(char letter) : letter_{letter} {}
  char letter() const { return letter_; }

 private:
  char letter_;
};

struct seat {
  ticket first;
  int row = 7;
};

struct everything {
  bool flag;
  std::string text;
  std::vector<std::int64_t> numbers;
  std::vector<std::vector<std::string>> texts;
  std::map<std::string, order_v2> orders;
  std::set<std::int32_t> set;
  std::variant<std::monostate, std::string, order_v1> choice;
  std::optional<std::pair<int, std::string>> pair;
  std::array<std::optional<float>, 3> array;
  order_v2 last;
};

}  // namespace

template <>
struct codec<ticket> {
  static void write(byte_writer& out, const ticket& value) { out.fixed(value.letter()); }
  static ticket read(byte_reader& in) { return ticket{in.fixed<char>()}; }
  static std::string identity() { return "ticket"; }
};

namespace {

everything some_of_everything() {
  return {.flag = true,
          .text = "text",
          .numbers = {1, 2, 3},
          .texts = {{"a", "b"}, {}, {"c"}},
          .orders = {{"x", {1, "ann"}}, {"y", {2, "bob", 5, std::nullopt}}},
          .set = {3, 1, 2},
          .choice = order_v1{7, "carl"},
          .pair = std::pair{1, "p"},
          .array = {1.0f, std::nullopt, 2.0f},
          .last = {9, "dora"}};
}

TEST_CASE("appended fields get their default initialisers from older bytes", "[codec]") {
  const auto order = decode<order_v2>(encode(order_v1{7, "ann"}));
  REQUIRE(order.ok());
  CHECK(order->id == 7);
  CHECK(order->customer == "ann");
  CHECK(order->pieces == 1);
  CHECK(order->note == "none given");

  const auto batch = decode<batch_v2>(encode(batch_v1{{{1, "a"}, {2, "b"}}, "file"}));
  REQUIRE(batch.ok());
  CHECK(batch->orders.size() == 2);
  CHECK(batch->orders[1].customer == "b");
  CHECK(batch->orders[1].pieces == 1);
  CHECK(batch->source == "file");
  CHECK(batch->urgent);
}

TEST_CASE("bytes with more fields than the struct has are refused", "[codec]") {
  CHECK_FALSE(decode<order_v1>(encode(order_v2{7, "ann"})).ok());
  CHECK_FALSE(decode<batch_v1>(encode(batch_v2{{{1, "a"}}, "file"})).ok());
}

TEST_CASE("a field without a default must be in the bytes", "[codec]") {
  const auto row = decode<seat>(
      "\x01"
      "a");
  REQUIRE(row.ok());
  CHECK(row->first.letter() == 'a');
  CHECK(row->row == 7);
  CHECK_FALSE(decode<seat>(std::string(1, '\0')).ok());
}

TEST_CASE("identities agree when structs have grown at their end, at any depth", "[codec]") {
  struct row {
    const char* what;
    const char* stored;
    const char* wanted;
    bool compatible;
  };
  const auto [what, stored, wanted, compatible] = GENERATE(
      row{"equal scalars", "i64", "i64", true}, row{"other scalar", "i64", "i32", false},
      row{"equal structs", "agg{i64,str}", "agg{i64,str}", true},
      row{"one field more", "agg{i64}", "agg{i64,str}", true},
      row{"two fields more", "agg{i64}", "agg{i64,str,vec<agg{i64,opt<str>}>}", true},
      row{"one field less", "agg{i64,str}", "agg{i64}", false},
      row{"a field more in front", "agg{i64}", "agg{str,i64}", false},
      row{"a field more between", "agg{i64,str}", "agg{i64,i64,str}", false},
      row{"from no field", "agg{}", "agg{i64}", true},
      row{"to no field", "agg{i64}", "agg{}", false},
      row{"inner struct grown", "vec<agg{i64}>", "vec<agg{i64,str}>", true},
      row{"inner and outer grown", "agg{agg{i64},str}", "agg{agg{i64,agg{str}},str,f64}", true},
      row{"grown by a struct", "agg{i64}", "agg{i64,agg{i64,agg{}}}", true},
      row{"empty inner struct grown", "agg{agg{},str}", "agg{agg{i64,agg{}},str}", true},
      row{"a longer name", "agg{i6}", "agg{i64}", false},
      row{"a longer tuple", "tuple<i64>", "tuple<i64,str>", false},
      row{"a longer tuple in a struct", "agg{tuple<i64>}", "agg{tuple<i64,str>}", false},
      row{"a longer variant", "variant<i64>", "variant<i64,str>", false},
      row{"field moved to the outer struct", "agg{agg{i64,str}}", "agg{agg{i64},str}", false},
      row{"field moved to the inner struct", "agg{agg{i64},str}", "agg{agg{i64,str}}", false},
      row{"struct for scalar", "agg{i64}", "i64", false},
      row{"scalar for struct", "i64", "agg{i64}", false}, row{"nothing stored", "", "i64", false},
      row{"nothing wanted", "i64", "", false}, row{"stored is cut", "agg{i64", "agg{i64}", false},
      row{"wanted is cut", "agg{i64}", "agg{i64,str", false},
      row{"braces that are no struct", "own{i64}", "own{i64,str}", false});
  CAPTURE(what, stored, wanted);
  CHECK(fields_compatible(stored, wanted) == compatible);
}

TEST_CASE("compatible identities are those whose bytes can be read", "[codec]") {
  CHECK(fields_compatible(codec_identity<order_v1>(), codec_identity<order_v2>()));
  CHECK(fields_compatible(codec_identity<batch_v1>(), codec_identity<batch_v2>()));
  CHECK_FALSE(fields_compatible(codec_identity<batch_v2>(), codec_identity<batch_v1>()));
}

TEST_CASE("an error of decoding names the type, the size and what is left over", "[codec]") {
  const auto cut = decode<order_v1>("\x02");
  REQUIRE_FALSE(cut.ok());
  CHECK(cut.failure().code() == errc::corrupt);
  CHECK(cut.error_text() == "1 bytes are not a value of type agg{i64,str}");
  const auto longer = decode<bool>(std::string{"\x01\x01\x01", 3});
  REQUIRE_FALSE(longer.ok());
  CHECK(longer.error_text() == "3 bytes are not a value of type bool: 2 are left over");
}

TEST_CASE("bytes that no value has are refused", "[codec]") {
  CHECK_FALSE(decode<bool>("\x02").ok());
  CHECK_FALSE(decode<std::optional<int>>("\x02").ok());
  CHECK_FALSE(decode<std::variant<bool, std::string>>("\x02\x01").ok());
  CHECK_FALSE(decode<std::monostate>("\x01").ok());
  CHECK_FALSE(decode<std::set<bool>>("\x02\x01\x01").ok());
  CHECK_FALSE(decode<std::map<bool, bool>>("\x02\x01\x01\x01\x01").ok());
}

/// The length 2^63 − 1 as varint, and a little more.
const std::string huge_length =
    "\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x7F"
    "abc";

TEST_CASE("a length beyond the input is refused before memory is taken for it", "[codec]") {
  CHECK_FALSE(decode<std::string>(huge_length).ok());
  CHECK_FALSE(decode<std::vector<std::int64_t>>(huge_length).ok());
  CHECK_FALSE(decode<std::vector<char>>(huge_length).ok());
  CHECK_FALSE(decode<std::vector<std::string>>(huge_length).ok());
  CHECK_FALSE(decode<std::vector<std::monostate>>(huge_length).ok());
  CHECK_FALSE(decode<std::set<std::string>>(huge_length).ok());
  CHECK_FALSE(decode<std::map<std::string, bool>>(huge_length).ok());
}

TEST_CASE("an element that is larger than its bytes does not multiply the memory", "[codec]") {
  using large = std::optional<std::array<std::int64_t, 1000>>;
  byte_reader in{std::string_view{"\x08\x02\x00\x00\x00\x00\x00\x00\x00", 9}};
  CHECK(codec<std::vector<large>>::read(in).capacity() <= 1);
  CHECK(in.failed());
}

TEST_CASE("a value that is cut anywhere is refused", "[codec]") {
  const auto bytes = encode(some_of_everything());
  REQUIRE(decode<everything>(bytes).ok());
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    CAPTURE(size);
    CHECK_FALSE(decode<everything>(bytes.substr(0, size)).ok());
  }
}

TEST_CASE("a damaged value is refused or another value, and never a crash", "[codec]") {
  const auto bytes = encode(some_of_everything());
  random_generator random{7};
  int refused = 0;
  int again_equal = 0;
  int accepted = 0;
  for (int round = 0; round < 20'000; ++round) {
    auto damaged = bytes;
    for (std::uint64_t hits = 1 + random.below(3); hits > 0; --hits) {
      damaged[random.below(damaged.size())] = static_cast<char>(random.next());
    }
    const auto value = decode<everything>(damaged);
    if (!value.ok()) {
      ++refused;
      continue;
    }
    ++accepted;
    // What was accepted is a value like any other: it is written and read without loss.
    const auto written = encode(value.value());
    const auto read = decode<everything>(written);
    again_equal += read.ok() && encode(read.value()) == written;
  }
  CHECK(refused > 0);
  CHECK(accepted > 0);
  CHECK(again_equal == accepted);
}

TEST_CASE("noise is never a crash", "[codec]") {
  random_generator random{11};
  int accepted = 0;
  for (int round = 0; round < 20'000; ++round) {
    std::string noise(random.below(64), '\0');
    for (char& byte : noise) byte = static_cast<char>(random.next() >> random.below(64));
    accepted += decode<everything>(noise).ok();
    accepted += decode<batch_v2>(noise).ok();
    accepted += decode<std::vector<std::vector<std::vector<std::string>>>>(noise).ok();
  }
  CHECK(accepted > 0);
}

}  // namespace
}  // namespace weir
