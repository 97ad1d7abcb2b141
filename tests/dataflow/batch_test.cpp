// SPDX-License-Identifier: Apache-2.0
#include "weir/dataflow/batch.hpp"

#include <array>
#include <cstdint>
#include <string>
#include <utility>

#include "dataflow/counted.hpp"
#include "support/catch.hpp"

namespace weir::dataflow {
namespace {

using testing::counted;

TEST_CASE("a batch holds at most 1,024 rows and 64 KiB of values", "[batch]") {
  CHECK(batch<std::uint64_t>::max_rows() == 1024);
  CHECK(batch<std::array<char, 64>>::max_rows() == 1024);
  CHECK(batch<std::array<char, 65>>::max_rows() == 1008);
  CHECK(batch<std::array<char, 4096>>::max_rows() == 16);
  CHECK(batch<std::uint64_t>::max_rows({10, 64}) == 8);
}

TEST_CASE("a record larger than a batch has a batch of its own", "[batch]") {
  CHECK(batch<std::array<char, 100'000>>::max_rows() == 1);
}

TEST_CASE("rows keep their values and times", "[batch]") {
  const auto b = batch<std::string>::make(3);
  b->append("a", at(-5));
  b->append(std::string(100, 'b'), event_time::min());
  REQUIRE(b->rows() == 2);
  CHECK(b->values()[0] == "a");
  CHECK(b->values()[1] == std::string(100, 'b'));
  CHECK(b->times()[0] == at(-5));
  CHECK(b->times()[1] == event_time::min());
}

TEST_CASE("columns of any capacity are aligned and do not overlap", "[batch]") {
  struct alignas(16) wide {
    char bytes[48];
  };
  const auto capacity = static_cast<std::size_t>(GENERATE(1, 2, 3, 7, 1024));
  const auto b = batch<wide>::make(capacity);
  const auto begin = reinterpret_cast<std::uintptr_t>(b->values());
  const auto times = reinterpret_cast<std::uintptr_t>(b->times());
  const auto hashes = reinterpret_cast<std::uintptr_t>(b->hash_column());
  CHECK(begin % 16 == 0);
  CHECK(begin + capacity * sizeof(wide) <= times);
  CHECK(times % alignof(event_time) == 0);
  CHECK(times + capacity * sizeof(event_time) <= hashes);
  for (std::size_t i = 0; i < capacity; ++i) {
    b->append({}, at(static_cast<std::int64_t>(i)));
    b->hash_column()[i] = ~std::uint64_t{0};
  }
  CHECK(b->times()[capacity - 1] == at(static_cast<std::int64_t>(capacity) - 1));
}

TEST_CASE("values are destroyed with the last reference, and not before", "[batch]") {
  REQUIRE(counted::alive == 0);
  {
    auto b = batch<counted>::make(4);
    b->append(counted{"a"}, at(0));
    b->append(counted{"b"}, at(1));
    CHECK(counted::alive == 2);
    auto other = b;
    b = {};
    CHECK(counted::alive == 2);
    CHECK(other->values()[1].text == "b");
  }
  CHECK(counted::alive == 0);
}

TEST_CASE("a batch is unique while there is one reference to it", "[batch]") {
  auto b = batch<int>::make(1);
  CHECK(b->unique());
  {
    const auto other = b;
    CHECK_FALSE(b->unique());
  }
  CHECK(b->unique());
  const auto moved = std::move(b);
  CHECK(moved->unique());
  CHECK_FALSE(static_cast<bool>(b));
}

TEST_CASE("a reference can be assigned to itself", "[batch]") {
  auto b = batch<counted>::make(1);
  b->append(counted{"a"}, at(0));
  auto& same = b;
  b = same;
  CHECK(b->unique());
  CHECK(b->values()[0].text == "a");
}

TEST_CASE("an erased batch knows its type", "[batch]") {
  const erased_batch b{batch<int>::make(1).release()};
  CHECK(b->type() == tag_of<int>());
  CHECK(b->type() != tag_of<long>());
}

TEST_CASE("the memory of a batch is used again", "[batch]") {
  void* first = nullptr;
  {
    const auto b = batch<std::uint64_t>::make(1024);
    first = b.get();
  }
  const auto again = batch<std::uint64_t>::make(1024);
  CHECK(static_cast<void*>(again.get()) == first);
}

TEST_CASE("the bytes of a batch count strings", "[batch]") {
  const auto b = batch<std::string>::make(2);
  b->append("", at(0));
  b->account();
  const std::size_t row = sizeof(std::string) + 16;
  CHECK(b->bytes() == row);
  b->append(std::string(1000, 'x'), at(0));
  b->account();
  CHECK(b->bytes() >= 2 * row + 1000);
  CHECK(b->bytes() < 2 * row + 1100);
}

TEST_CASE("hashes are there once they are marked, until they are forgotten", "[batch]") {
  const auto b = batch<int>::make(2);
  b->append(1, at(0));
  CHECK(b->hashes() == nullptr);
  b->hash_column()[0] = 17;
  b->mark_hashed();
  REQUIRE(b->hashes() != nullptr);
  CHECK(b->hashes()[0] == 17);
  b->forget_hashes();
  CHECK(b->hashes() == nullptr);
}

TEST_CASE("a sole batch is writable as it is, a shared one as a copy", "[batch]") {
  auto b = batch<counted>::make(4);
  b->append(counted{"a"}, at(1));
  b->account();
  auto* const before = b.get();
  b = writable(std::move(b));
  CHECK(b.get() == before);
  const auto kept = b;
  b = writable(std::move(b));
  CHECK(b.get() != before);
  CHECK(kept->unique());
  CHECK(b->rows() == 1);
  CHECK(b->times()[0] == at(1));
  CHECK(b->bytes() == kept->bytes());
  b->values()[0].text = "changed";
  CHECK(kept->values()[0].text == "a");
}

}  // namespace
}  // namespace weir::dataflow
