// SPDX-License-Identifier: Apache-2.0
#include <memory>
#include <string>
#include <utility>

#include "weir/dataflow/filter_operator.hpp"
#include "weir/dataflow/flat_map_operator.hpp"
#include "weir/dataflow/map_operator.hpp"
#include "weir/testing/check_operator.hpp"

#include "dataflow/counted.hpp"
#include "support/catch.hpp"

namespace weir::dataflow {
namespace {

using namespace weir::testing;

template <class T, class R, class F>
auto map_of(F f) {
  return [f] { return std::make_unique<map_operator<T, R, F>>(f); };
}
template <class T, class F>
auto filter_of(F f) {
  return [f] { return std::make_unique<filter_operator<T, F>>(f); };
}
template <class T, class R, class F>
auto flat_map_of(F f) {
  return [f] { return std::make_unique<flat_map_operator<T, R, F>>(f); };
}

const auto increment = [](const int& x) { return x + 1; };
const auto is_even = [](const int& x) { return x % 2 == 0; };
const auto as_many = [](const int& x, collector<int>& out) {
  for (int i = 0; i < x; ++i) out.collect(x);
};

TEST_CASE("a map keeps order, times and control elements", "[map_operator]") {
  CHECK(check<int>(
            map_of<int, int>(increment),
            {push(1, at(10)), push(5, at(3)), expect(timed{2, at(10)}, timed{6, at(3)}),
             watermark(at(4)), expect_watermark(at(4)), idle(), expect_control(control::idle()),
             active(), expect_control(control::active()), end_of_input(),
             expect_watermark(event_time::max()), expect_control(control::end_of_input())})
            .error_text() == "");
}

TEST_CASE("a map may change the type", "[map_operator]") {
  const auto f = [](const int& x) { return std::string(static_cast<std::size_t>(x), 'x'); };
  CHECK(check<std::string>(map_of<int, std::string>(f),
                           {push(2, at(1)), push(0), expect(timed{std::string{"xx"}, at(1)}, "")})
            .error_text() == "");
}

TEST_CASE("a map to the same type changes a sole batch in place, and forgets its hashes",
          "[map_operator]") {
  map_operator<int, int, decltype(increment)> op{increment};
  element_queue<int> target;
  op.outputs()[0]->connect(target);
  auto data = batch<int>::make(4);
  data->append(1, at(0));
  data->mark_hashed();
  auto* const before = data.get();
  static_cast<element_queue<int>&>(op.input(0)).push(std::move(data));
  REQUIRE(op.step().ok());
  const auto after = target.pop_data();
  CHECK(after.get() == before);
  CHECK(after->values()[0] == 2);
  CHECK(after->hashes() == nullptr);
}

TEST_CASE("a filter keeps the records for which it is true, in order", "[filter_operator]") {
  CHECK(check<int>(filter_of<int>(is_even),
                   {push(1), push(2, at(7)), push(4), push(3), push(6),
                    expect(timed{2, at(7)}, 4, 6), watermark(at(5)), push(3), end_of_input()})
            .error_text() == "");
}

TEST_CASE("C047: a filter that drops all lets watermark and barrier through, and no record",
          "[filter_operator]") {
  const auto none = [](const int&) { return false; };
  CHECK(check<int>(filter_of<int>(none), {push(1), push(2), push(3), watermark(at(10)),
                                          expect_watermark(at(10)), checkpoint()})
            .error_text() == "");
}

TEST_CASE("a filter destroys what it drops, and copies nothing of a sole batch",
          "[filter_operator]") {
  REQUIRE(counted::alive == 0);
  const auto is_kept = [](const counted& c) { return c.text != "drop"; };
  filter_operator<counted, decltype(is_kept)> op{is_kept};
  element_queue<counted> target;
  op.outputs()[0]->connect(target);
  auto data = batch<counted>::make(8);
  for (const char* text : {"drop", "a", "drop", "b", "c", "drop"}) {
    data->append(counted{text}, at(static_cast<std::int64_t>(data->rows())));
  }
  counted::copies = 0;
  static_cast<element_queue<counted>&>(op.input(0)).push(std::move(data));
  REQUIRE(op.step().ok());
  CHECK(counted::copies == 0);
  CHECK(counted::alive == 3);
  const auto kept = target.pop_data();
  REQUIRE(kept->rows() == 3);
  CHECK(kept->values()[0].text == "a");
  CHECK(kept->values()[2].text == "c");
  CHECK(kept->times()[1] == at(3));
  CHECK(kept->times()[2] == at(4));
}

TEST_CASE("a filter leaves a shared batch as it is", "[filter_operator]") {
  filter_operator<int, decltype(is_even)> op{is_even};
  element_queue<int> target;
  op.outputs()[0]->connect(target);
  auto data = batch<int>::make(4);
  data->append(1, at(0));
  data->append(2, at(0));
  const auto kept = data;
  static_cast<element_queue<int>&>(op.input(0)).push(std::move(data));
  REQUIRE(op.step().ok());
  op.flush();
  CHECK(kept->rows() == 2);
  CHECK(kept->values()[0] == 1);
  CHECK(target.pop_data()->values()[0] == 2);
}

TEST_CASE("a flat map emits any number of records for each", "[flat_map_operator]") {
  CHECK(check<int>(flat_map_of<int, int>(as_many),
                   {push(2, at(9)), push(0), push(1), push(3),
                    expect(timed{2, at(9)}, timed{2, at(9)}, 1, 3, 3, 3), watermark(at(4)),
                    end_of_input()})
            .error_text() == "");
}

TEST_CASE("a flat map stops between records when its output is full", "[flat_map_operator]") {
  flat_map_operator<int, int, decltype(as_many)> op{as_many};
  element_queue<int> target;
  op.outputs()[0]->set_limits({10, 1000});
  op.outputs()[0]->connect(target);
  auto data = batch<int>::make(8);
  for (int i = 0; i < 8; ++i) data->append(15, at(i));
  static_cast<element_queue<int>&>(op.input(0)).push(std::move(data));
  REQUIRE(op.runnable());
  REQUIRE(op.step().ok());
  CHECK(target.batches() == 2);  // of 30 rows: the second record's last batch is not shipped
  CHECK_FALSE(op.runnable());
  CHECK_FALSE(op.input(0).empty());

  std::size_t rows = 0;
  while (true) {
    while (!target.empty()) rows += target.pop_data()->rows();
    if (!op.runnable()) break;
    REQUIRE(op.step().ok());
    CHECK(target.batches() <= 4);
  }
  op.flush();
  while (!target.empty()) rows += target.pop_data()->rows();
  CHECK(rows == 8 * 15);
  CHECK(op.input(0).empty());
}

}  // namespace
}  // namespace weir::dataflow
