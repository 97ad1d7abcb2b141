// SPDX-License-Identifier: Apache-2.0
#include "weir/core/reflect.hpp"

#include <any>
#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

#include "weir/core/ids.hpp"
#include "weir/core/time.hpp"

#include "support/catch.hpp"

namespace weir {
namespace {

struct nothing {};

struct one_string {
  std::string text;
};

struct one_variant {
  std::variant<std::string> choice;
};

struct one_optional {
  std::optional<std::string> maybe;
};

struct inner {
  int a;
  int b;
  int c;
};

struct no_default {
  explicit no_default(int n) : number{n} {}
  int number;
};

struct mixed {
  std::string text;
  inner nested;
  std::array<int, 3> three;
  std::optional<inner> maybe;
  std::variant<int, std::string, inner> choice;
  std::vector<inner> list;
  std::map<std::string, int> table;
  std::tuple<std::string> single;
  std::pair<int, std::string> pair;
  std::unique_ptr<int> owner;
  std::any any;
  duration length;
  event_time time;
  no_default number;
  std::string_view view;
  bool last = true;
};

struct seventeen {
  int a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q;
};

struct only_no_default {
  no_default first;
  no_default second;
};

struct constant {
  const int fixed = 1;
  double loose = 2;
};

struct base {
  int in_base;
};

struct empty_base {};

struct derived : base {
  int own;
};

struct derived_from_empty : empty_base {
  int own;
};

struct array_alone {
  int numbers[3];
};

struct array_first {
  char name[8];
  int length;
};

struct array_last {
  int length;
  std::string names[2];
};

struct array_after_no_default {
  no_default first;
  int numbers[2];
};

struct array_of_no_default {
  int first;
  no_default numbers[2];
};

struct array_of_arrays {
  int first;
  int numbers[2][3];
};

struct array_too_long {
  char name[64];
};

class with_constructor {
 public:
  explicit with_constructor(int n) : number_{n} {}
  int number() const { return number_; }

 private:
  int number_;
};

TEST_CASE("fields are counted whatever their types convert from", "[reflect]") {
  CHECK(field_count<nothing> == 0);
  CHECK(field_count<one_string> == 1);
  CHECK(field_count<one_variant> == 1);
  CHECK(field_count<one_optional> == 1);
  CHECK(field_count<inner> == 3);
  CHECK(field_count<mixed> == 16);
  CHECK(field_count<only_no_default> == 2);
  CHECK(field_count<constant> == 2);
  CHECK(field_count<event_time> == 1);
  CHECK(field_count<checkpoint_id> == 1);
}

TEST_CASE("fields refer to the value and not to a copy", "[reflect]") {
  inner value{1, 2, 3};
  std::get<1>(fields(value)) = 20;
  CHECK(value.b == 20);

  const inner frozen{1, 2, 3};
  CHECK(&std::get<2>(fields(frozen)) == &frozen.c);
  CHECK(std::is_same_v<decltype(fields(frozen)), std::tuple<const int&, const int&, const int&>>);
}

TEST_CASE("fields come in the order of declaration up to the sixteenth", "[reflect]") {
  mixed value{.text = "t",
              .nested = {},
              .three = {},
              .maybe = {},
              .choice = {},
              .list = {},
              .table = {},
              .single = {},
              .pair = {},
              .owner = std::make_unique<int>(7),
              .any = {},
              .length = {},
              .time = {},
              .number = no_default{5},
              .view = {},
              .last = false};
  auto parts = fields(value);
  CHECK(std::get<0>(parts) == "t");
  CHECK(*std::get<9>(parts) == 7);
  CHECK(std::get<13>(parts).number == 5);
  CHECK_FALSE(std::get<15>(parts));
  CHECK(std::is_same_v<field_type<mixed, 12>, event_time>);
  CHECK(std::is_same_v<field_type<constant, 0>, int>);
}

TEST_CASE("a base class is seen and refused", "[reflect]") {
  CHECK(has_base_class<derived>);
  CHECK(has_base_class<derived_from_empty>);
  CHECK_FALSE(has_base_class<mixed>);
  CHECK_FALSE(reflectable<derived>);
  CHECK_FALSE(reflectable<derived_from_empty>);
}

TEST_CASE("a C array is seen at any place and refused", "[reflect]") {
  CHECK(has_array_field<array_alone>);
  CHECK(has_array_field<array_first>);
  CHECK(has_array_field<array_last>);
  CHECK(has_array_field<array_after_no_default>);
  CHECK(has_array_field<array_of_no_default>);
  CHECK(has_array_field<array_of_arrays>);
  CHECK_FALSE(has_array_field<mixed>);
  CHECK_FALSE(has_array_field<only_no_default>);
  CHECK_FALSE(reflectable<array_alone>);
  CHECK_FALSE(reflectable<array_too_long>);
}

TEST_CASE("seventeen fields are one too many", "[reflect]") {
  CHECK(has_too_many_fields<seventeen>);
  CHECK_FALSE(reflectable<seventeen>);
  CHECK(reflectable<mixed>);
}

TEST_CASE("only structs without constructors are taken apart", "[reflect]") {
  CHECK_FALSE(reflectable<with_constructor>);
  CHECK_FALSE(reflectable<int>);
  CHECK_FALSE(reflectable<std::string>);
  CHECK_FALSE(reflectable<std::tuple<int>>);
  CHECK_FALSE(reflectable<std::array<int, 2>>);
  CHECK_FALSE(reflectable<int[2]>);
}

}  // namespace
}  // namespace weir
