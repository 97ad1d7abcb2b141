// SPDX-License-Identifier: Apache-2.0
#include "weir/dataflow/collector.hpp"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "dataflow/counted.hpp"
#include "support/catch.hpp"

namespace weir::dataflow {
namespace {

using testing::counted;

TEST_CASE("a full batch is shipped when the next record comes, a partial one when it is flushed",
          "[collector]") {
  element_queue<int> target;
  collector<int> out;
  out.connect(target);
  for (int i = 0; i < 1024; ++i) out.collect(i, at(i));
  CHECK(target.empty());
  out.collect(1024, at(1024));
  REQUIRE(target.batches() == 1);
  CHECK(out.has_partial());
  out.flush();
  CHECK_FALSE(out.has_partial());
  REQUIRE(target.batches() == 2);
  const auto first = target.pop_data();
  CHECK(first->rows() == 1024);
  CHECK(first->values()[1023] == 1023);
  CHECK(first->times()[1023] == at(1023));
  CHECK(first->bytes() == 1024 * (sizeof(int) + 16));
  CHECK(target.pop_data()->values()[0] == 1024);
}

TEST_CASE("flushing nothing ships nothing", "[collector]") {
  element_queue<int> target;
  collector<int> out;
  out.connect(target);
  out.flush();
  out.send(control::idle());
  out.flush();
  CHECK(target.batches() == 0);
}

TEST_CASE("a record has the time of its cause, unless it is given one", "[collector]") {
  element_queue<int> target;
  collector<int> out;
  out.connect(target);
  out.collect(0);
  out.set_time(at(5));
  out.collect(1);
  out.collect(2, at(9));
  out.collect(3);
  out.flush();
  const auto data = target.pop_data();
  CHECK(data->times()[0] == event_time::min());
  CHECK(data->times()[1] == at(5));
  CHECK(data->times()[2] == at(9));
  CHECK(data->times()[3] == at(5));
}

TEST_CASE("long strings end a batch at 64 KiB", "[collector]") {
  element_queue<std::string> target;
  collector<std::string> out;
  out.connect(target);
  for (int i = 0; i < 100; ++i) out.collect(std::string(1000, 'x'), at(i));
  out.flush();
  std::size_t rows = 0;
  while (!target.empty()) {
    const auto data = target.pop_data();
    CHECK(data->rows() <= 64);
    CHECK(data->bytes() < 64 * 1024 + 3'000);
    rows += data->rows();
  }
  CHECK(rows == 100);
}

TEST_CASE("a string longer than a batch is shipped at once", "[collector]") {
  element_queue<std::string> target;
  collector<std::string> out;
  out.connect(target);
  out.collect(std::string(200'000, 'x'));
  CHECK(target.batches() == 1);
  CHECK_FALSE(out.has_partial());
}

TEST_CASE("the limits of the job bound the rows of a batch", "[collector]") {
  element_queue<int> target;
  collector<int> out;
  out.connect(target);
  out.set_limits({3, 1024});
  for (int i = 0; i < 7; ++i) out.collect(i);
  CHECK(target.batches() == 2);
  CHECK(target.pop_data()->rows() == 3);
}

TEST_CASE("an output is full when a batch was shipped to a target without room", "[collector]") {
  element_queue<int> roomy;
  element_queue<int> tight;
  tight.set_capacity(1);
  collector<int> out;
  out.connect(roomy);
  out.connect(tight);
  out.set_limits({1, 1024});
  CHECK(out.has_room());
  out.collect(1);
  CHECK_FALSE(out.full());  // not shipped yet
  out.collect(2);
  CHECK(out.full());
  CHECK_FALSE(out.has_room());
  tight.pop_data();
  CHECK(out.full());  // as it was when shipped
  CHECK(out.has_room());
  CHECK_FALSE(out.full());
}

TEST_CASE("all targets get all batches, shared, and all control elements", "[collector]") {
  element_queue<int> a;
  element_queue<int> b;
  collector<int> out;
  out.connect(a);
  out.connect(b);
  out.collect(1);
  out.send(control::watermark(at(4)));
  auto of_a = a.pop_data();
  const auto of_b = b.pop_data();
  CHECK(of_a.get() == of_b.get());
  CHECK_FALSE(of_a->unique());
  of_a = {};
  CHECK(of_b->unique());
  CHECK(a.pop_control() == control::watermark(at(4)));
  CHECK(b.pop_control() == control::watermark(at(4)));
}

TEST_CASE("a control element comes behind the records collected before it", "[collector]") {
  element_queue<int> target;
  collector<int> out;
  out.connect(target);
  out.collect(1);
  out.send(control::end_of_input());
  REQUIRE(static_cast<bool>(target.front().data));
  target.pop_data();
  CHECK(target.pop_control() == control::end_of_input());
}

TEST_CASE("what nobody reads is dropped, and counted", "[collector]") {
  REQUIRE(counted::alive == 0);
  collector<counted> out;
  for (int i = 0; i < 2000; ++i) out.collect(counted{"x"});
  out.flush();
  CHECK(out.dropped() == 2000);
  CHECK(counted::alive == 0);
  CHECK(out.has_room());
}

TEST_CASE("a collector counts what it collected and what it passed", "[collector]") {
  element_queue<int> target;
  collector<int> out;
  out.connect(target);
  for (int i = 0; i < 1500; ++i) out.collect(i);
  CHECK(out.collected() == 1500);
  auto more = batch<int>::make(4);
  more->append(1, at(0));
  out.pass(std::move(more));
  CHECK(out.collected() == 1501);
}

TEST_CASE("a batch passed on as a whole comes behind what was collected", "[collector]") {
  element_queue<int> target;
  collector<int> out;
  out.connect(target);
  out.collect(1);
  auto whole = batch<int>::make(4);
  whole->append(2, at(0));
  auto* const passed = whole.get();
  out.pass(std::move(whole));
  CHECK(target.pop_data()->values()[0] == 1);
  CHECK(target.pop_data().get() == passed);
  out.pass(batch<int>::make(4));  // an empty batch goes no further
  CHECK(target.empty());
}

TEST_CASE("records collected all at once are batched like those that come one by one",
          "[collector]") {
  element_queue<int> target;
  element_queue<std::string> texts;
  collector<int> out;
  collector<std::string> text_out;
  out.connect(target);
  text_out.connect(texts);
  std::vector<int> many;
  for (int i = 0; i < 1500; ++i) many.push_back(i);
  out.collect(-1, at(-1));
  out.collect_all(many.data(), many.size(), [](int i) { return at(i); });
  CHECK(out.collected() == 1501);
  out.flush();
  REQUIRE(target.batches() == 2);
  const auto first = target.pop_data();
  REQUIRE(first->rows() == 1024);
  CHECK(first->values()[1] == 0);
  CHECK(first->values()[1023] == 1022);
  CHECK(first->times()[1023] == at(1022));
  CHECK(target.pop_data()->rows() == 477);
  const std::vector<std::string> large(3, std::string(40'000, 'x'));
  text_out.collect_all(large.data(), large.size(), [](const std::string&) { return at(1); });
  text_out.flush();
  CHECK(texts.batches() == 2);  // the payload counts
}

TEST_CASE("records in a batch that is never shipped are destroyed", "[collector]") {
  REQUIRE(counted::alive == 0);
  {
    element_queue<counted> target;
    collector<counted> out;
    out.connect(target);
    out.collect(counted{"a"});
    out.collect(counted{"b"});
    CHECK(counted::alive == 2);
  }
  CHECK(counted::alive == 0);
}

}  // namespace
}  // namespace weir::dataflow
