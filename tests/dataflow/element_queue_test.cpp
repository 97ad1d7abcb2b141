// SPDX-License-Identifier: Apache-2.0
#include "weir/dataflow/element_queue.hpp"

#include <deque>
#include <optional>
#include <utility>

#include "weir/core/random.hpp"

#include "support/catch.hpp"

namespace weir::dataflow {
namespace {

batch_reference<batch<int>> of(int value) {
  auto b = batch<int>::make(4);
  b->append(value, at(value));
  b->account();
  return b;
}

TEST_CASE("a queue has room for two batches, and takes more", "[element_queue]") {
  element_queue<int> queue;
  CHECK(queue.empty());
  CHECK(queue.has_room());
  queue.push(of(1));
  CHECK(queue.has_room());
  queue.push(of(2));
  CHECK_FALSE(queue.has_room());
  for (int i = 3; i <= 100; ++i) queue.push(of(i));
  CHECK(queue.batches() == 100);
  for (int i = 1; i <= 100; ++i) CHECK(queue.pop_data()->values()[0] == i);
  CHECK(queue.empty());
  CHECK(queue.has_room());
}

TEST_CASE("control elements need no room", "[element_queue]") {
  element_queue<int> queue;
  for (int i = 0; i < 50; ++i) queue.push_control(control::watermark(at(i)));
  CHECK(queue.has_room());
  CHECK_FALSE(queue.empty());
  for (int i = 0; i < 50; ++i) CHECK(queue.pop_control() == control::watermark(at(i)));
  CHECK(queue.empty());
}

TEST_CASE("a queue gives batches and control elements in the order in which they came",
          "[element_queue]") {
  // A model: numbers, odd ones stand for control elements.
  element_queue<int> queue;
  std::deque<int> model;
  random_generator random{7};
  int next = 0;
  std::uint64_t batches_taken = 0;
  for (int step = 0; step < 20'000; ++step) {
    const bool grows = step % 2'000 < 1'000;  // so that it grows beyond its ring, and empties
    if (random.chance(grows ? 6 : 4, 10)) {
      const bool is_control = random.chance(1, 3);
      next += is_control == (next % 2 == 0) ? 1 : 2;
      if (is_control) {
        queue.push_control(control::watermark(at(next)));
      } else {
        queue.push(of(next));
      }
      model.push_back(next);
    } else if (!model.empty()) {
      const int expected = model.front();
      model.pop_front();
      REQUIRE_FALSE(queue.empty());
      if (expected % 2 == 0) {
        REQUIRE(static_cast<bool>(queue.front().data));
        REQUIRE(queue.pop_data()->values()[0] == expected);
        ++batches_taken;
      } else {
        REQUIRE_FALSE(static_cast<bool>(queue.front().data));
        REQUIRE(queue.pop_control() == control::watermark(at(expected)));
      }
    }
    REQUIRE(queue.empty() == model.empty());
    REQUIRE(queue.finished() == batches_taken);
  }
  CHECK(batches_taken > 1'000);
}

TEST_CASE("a queue counts the bytes that wait in it", "[element_queue]") {
  in_flight_bytes bytes;
  element_queue<int> queue;
  queue.account_to(bytes);
  const std::size_t one = of(1)->bytes();
  queue.push(of(1));
  queue.push(of(2));
  queue.push_control(control::idle());
  CHECK(bytes.now == 2 * one);
  queue.pop_data();
  queue.pop_data();
  CHECK(bytes.now == 0);
  CHECK(bytes.most == 2 * one);
}

TEST_CASE("a popped batch is the receiver's alone", "[element_queue]") {
  element_queue<int> queue;
  queue.push_erased(erased_batch{of(5).release()});
  const auto data = queue.pop_data();
  CHECK(data->unique());
  CHECK(data->values()[0] == 5);
}

}  // namespace
}  // namespace weir::dataflow
