// SPDX-License-Identifier: Apache-2.0
#include "weir/state/row_table.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "support/catch.hpp"

namespace weir::testing {
namespace {

using namespace weir::state;

using counts = row_table<std::uint64_t, row_layout<std::int64_t>>;
using layout = counts::layout;

void put(counts& table, std::uint64_t key, std::int64_t value) {
  std::byte* row = table.find_or_insert(key, stable_hash(key));
  if (!is_present(row, 0)) {
    cell<std::int64_t>::construct(row + layout::offset(0), value);
    set_present(row, 0);
  }
  layout::value<0>(row) = value;
}

/// Resets `table` in one step.
template <class Table>
void reset(Table& table) {
  auto slots = table.capacity();
  REQUIRE(table.reset(slots));
}

std::map<std::uint64_t, std::int64_t> contents(const counts& table) {
  std::map<std::uint64_t, std::int64_t> all;
  table.for_each([&](std::uint64_t key, const std::byte* row) {
    CHECK(all.emplace(key, layout::value<0>(row)).second);
  });
  return all;
}

TEST_CASE("a new table has no memory and finds nothing", "[row_table]") {
  counts table;
  CHECK(table.capacity() == 0);
  CHECK(table.find(1u, stable_hash(1u)) == nullptr);
  CHECK(table.peek(1u, stable_hash(1u)) == nullptr);
  counts::cursor at;
  CHECK(table.next(at) == nullptr);
}

TEST_CASE("slices of tables of different sizes hold the same keys", "[row_table]") {
  counts large, small;
  for (std::uint64_t key = 0; key < 200'000; ++key) put(large, key, 1);
  for (std::uint64_t key = 0; key < 200'000; key += 3) put(small, key, 2);
  std::uint64_t begin = 0, slices = 0, rows = 0, common = 0;
  for (; begin < counts::end_place; ++slices) {
    const auto end = std::max(large.segment_end(begin), small.segment_end(begin));
    REQUIRE(end > begin);
    std::set<std::uint64_t> keys;
    large.for_each_between(begin, end,
                           [&](std::uint64_t key, const std::byte*) { keys.insert(key); });
    small.for_each_between(begin, end,
                           [&](std::uint64_t key, const std::byte*) { common += keys.count(key); });
    rows += keys.size();
    begin = end;
  }
  CHECK(begin == counts::end_place);
  CHECK(slices > 1);
  CHECK(rows == large.size());
  CHECK(common == small.size());
}

TEST_CASE("a table with ten keys has at most 32 slots", "[row_table]") {
  counts table;
  for (std::uint64_t key = 0; key < 10; ++key) put(table, key, 1);
  CHECK(table.size() == 10);
  CHECK(table.capacity() <= 32);
}

TEST_CASE("rows are found by key across growth, splits and a narrow range of hashes",
          "[row_table]") {
  const auto range = GENERATE(hash_range{}, hash_range{1ull << 63, (1ull << 63) + (1ull << 55)},
                              hash_range{(1ull << 62) - 5, (1ull << 62) + 5});
  counts table{range};
  constexpr std::uint64_t keys = 200'000;
  for (std::uint64_t key = 0; key < keys; ++key) put(table, key, std::int64_t(key) + 7);
  REQUIRE(table.size() == keys);
  CHECK(table.capacity() < 8 * keys);
  bool all = true;
  for (std::uint64_t key = 0; key < keys; ++key) {
    const std::byte* row = table.peek(key, stable_hash(key));
    all = all && row != nullptr && counts::key_of(row) == key &&
          layout::value<0>(row) == std::int64_t(key) + 7;
  }
  CHECK(all);
  CHECK(table.peek(keys, stable_hash(keys)) == nullptr);
}

TEST_CASE("a table of strings is searched with views and keeps its own copy", "[row_table]") {
  row_table<std::string, row_layout<std::string, std::int64_t>> table;
  std::string key = "a key that is too long to be kept in the string itself";
  const std::string_view view = key;
  std::byte* row = table.find_or_insert(view, stable_hash(view));
  cell<std::string>::construct(row + row_layout<std::string, std::int64_t>::offset(0), "value");
  set_present(row, 0);
  const std::string expected = key;
  key[0] = 'X';
  row = table.find(std::string_view{expected}, stable_hash(expected));
  REQUIRE(row != nullptr);
  CHECK(table.key_of(row) == expected);
  CHECK(row_layout<std::string, std::int64_t>::value<0>(row) == "value");
  CHECK_FALSE(is_present(row, 1));
}

TEST_CASE("an iteration meets each row once while it erases some", "[row_table]") {
  const auto keys = GENERATE(1, 5, 6, 100, 100'000);
  counts table;
  for (int key = 0; key < keys; ++key) put(table, std::uint64_t(key), key);
  std::set<std::uint64_t> met;
  bool twice = false;
  counts::cursor at;
  while (std::byte* row = table.next(at)) {
    const auto key = counts::key_of(row);
    twice = !met.insert(key).second || twice;
    if (key % 3 != 0) table.erase(at);
  }
  CHECK_FALSE(twice);
  CHECK(met.size() == std::size_t(keys));
  CHECK(table.size() == std::size_t((keys + 2) / 3));
  CHECK(contents(table).size() == table.size());
}

/// A few thousand of these rows make dozens of segments.
using wide_cells = std::array<std::uint64_t, 8>;
using wide_layout =
    row_layout<std::int64_t, wide_cells, wide_cells, wide_cells, wide_cells, wide_cells, wide_cells,
               wide_cells, wide_cells, wide_cells, wide_cells, wide_cells, wide_cells, wide_cells,
               wide_cells, wide_cells, wide_cells, wide_cells, wide_cells, wide_cells, wide_cells>;
using wide_table = row_table<std::uint64_t, wide_layout>;

TEST_CASE("an iteration leaves no row out while a table is trimmed", "[row_table]") {
  wide_table table;
  constexpr std::uint64_t keys = 5000;
  for (std::uint64_t key = 0; key < keys; ++key) table.find_or_insert(key, stable_hash(key));
  const auto capacity = table.capacity();
  std::vector<int> met(keys);
  wide_table::cursor at;
  while (std::byte* row = table.next(at)) {
    const auto key = wide_table::key_of(row);
    ++met[key];
    if (key % 20 != 0) table.erase(at);
    table.trim();
  }
  CHECK(table.capacity() < capacity / 4);
  CHECK(table.size() == keys / 20);
  bool all = true, erased_once = true;
  for (std::uint64_t key = 0; key < keys; ++key) {
    all = all && met[key] >= 1;
    erased_once = erased_once && (key % 20 == 0 || met[key] == 1);
  }
  CHECK(all);
  CHECK(erased_once);
}

TEST_CASE("an iteration goes on while a table grows and shrinks under it", "[row_table]") {
  wide_table table;
  std::set<std::uint64_t> met;
  wide_table::cursor at;
  for (std::uint64_t key = 0; key < 9000; ++key) {
    table.find_or_insert(key, stable_hash(key));
    if (key < 3000) continue;
    if (const std::byte* row = table.next(at)) met.insert(wide_table::key_of(row));
  }
  CHECK(met.size() > 2000);
  CHECK(met.size() < 6000);  // some came again
  wide_table::cursor eraser;
  while (table.next(eraser) != nullptr) {
    table.erase(eraser);
    table.trim();
    if (const std::byte* row = table.next(at))
      CHECK(table.peek(wide_table::key_of(row), stable_hash(wide_table::key_of(row))) == row);
  }
  CHECK(table.next(at) == nullptr);
}

TEST_CASE("a table that has been emptied gives its memory back", "[row_table]") {
  counts table;
  constexpr std::uint64_t keys = 1'000'000;
  const std::uint64_t left = GENERATE(0u, 10'000u);  // what is left takes memory in proportion
  for (std::uint64_t key = 0; key < keys; ++key) put(table, key, 1);
  for (std::uint64_t key = left; key < keys; ++key) {
    table.erase(table.find(key, stable_hash(key)), stable_hash(key));
    if (key % 1024 == 0) table.trim();
  }
  while (table.trim()) {
  }
  REQUIRE(table.size() == left);
  CHECK(table.capacity() <= std::max<std::size_t>(8 * left, 1024));
  CHECK(contents(table).size() == left);
}

TEST_CASE("a growing table takes at most 2.7 times as many slots as it has rows", "[row_table]") {
  counts table;
  double most = 0;
  for (std::uint64_t key = 0; key < 1'500'000; ++key) {
    table.find_or_insert(key, stable_hash(key));
    if (key % 1000 != 0 || key < 1000) continue;
    most = std::max(most, static_cast<double>(table.capacity()) / static_cast<double>(key));
  }
  CHECK(most < 2.7);
}

TEST_CASE("a table that stays about as large is not trimmed", "[row_table]") {
  counts table;
  std::uint64_t next = 0;
  const std::uint64_t rows = GENERATE(1'000u, 20'000u, 300'000u);
  for (; next < 2 * rows; ++next) put(table, next, 1);
  int trims = 0;
  for (std::uint64_t oldest = 0; oldest < 2 * rows; ++oldest) {  // down to a half, and up again
    table.erase(table.find(oldest, stable_hash(oldest)), stable_hash(oldest));
    if (oldest >= rows) put(table, next++, 1);
    trims += table.trim() ? 1 : 0;
  }
  CHECK(trims == 0);
}

TEST_CASE("a table that is reset is empty and keeps memory that was in use", "[row_table]") {
  counts table;
  for (std::uint64_t key = 0; key < 1000; ++key) put(table, key, 1);
  const auto capacity = table.capacity();
  reset(table);
  CHECK(table.empty());
  CHECK(table.peek(1u, stable_hash(1u)) == nullptr);
  CHECK(contents(table).empty());
  CHECK(table.capacity() == capacity);
  put(table, 1, 5);
  CHECK(contents(table) == std::map<std::uint64_t, std::int64_t>{{1, 5}});
  reset(table);
  CHECK(table.capacity() == 0);
}

TEST_CASE("a table is cleared in steps, and has no memory then", "[row_table]") {
  counts table;
  for (std::uint64_t key = 0; key < 100'000; ++key) put(table, key, 1);
  std::size_t looked_at = 0;
  for (bool done = false; !done;) {
    std::size_t slots = 5000;
    done = table.clear(slots);
    looked_at += 5000 - slots;
    REQUIRE((done || slots == 0));
    REQUIRE(table.empty() == done);
  }
  CHECK(looked_at > 150'000);
  CHECK(table.capacity() == 0);
  put(table, 1, 5);
  CHECK(contents(table) == std::map<std::uint64_t, std::int64_t>{{1, 5}});
}

TEST_CASE("a reset table of strings releases what its rows held", "[row_table]") {
  row_table<std::string, row_layout<std::string>> table;
  for (int round = 0; round < 3; ++round) {
    for (int i = 0; i < 500; ++i) {
      const auto key = "a string with memory of its own " + std::to_string(i);
      std::byte* row = table.find_or_insert(key, stable_hash(key));
      REQUIRE_FALSE(is_present(row, 0));
      cell<std::string>::construct(row + row_layout<std::string>::offset(0), key);
      set_present(row, 0);
    }
    reset(table);
  }
  CHECK(table.empty());  // the sanitizer sees what was not destroyed
}

TEST_CASE("keys whose hashes begin alike neither fill the memory nor are mixed up", "[row_table]") {
  // Rows of 2 KiB, so that a few hundred keys are enough to make segments want to split.
  using wide = std::array<std::uint64_t, 8>;
  using many = row_layout<wide, wide, wide, wide, wide, wide, wide, wide, wide, wide, wide, wide,
                          wide, wide, wide, wide, wide, wide, wide, wide, wide, wide, wide, wide>;
  row_table<std::uint64_t, many> table;
  std::vector<std::uint64_t> keys;
  for (std::uint64_t key = 0; keys.size() < 2000; ++key)
    if (stable_hash(key) >> 54 == 5) keys.push_back(key);
  for (auto key : keys) table.find_or_insert(key, stable_hash(key));
  CHECK(table.size() == keys.size());
  CHECK(table.capacity() < 16 * keys.size());
  bool all = true;
  for (auto key : keys) {
    const auto* row = table.peek(key, stable_hash(key));
    all = all && row != nullptr && table.key_of(row) == key;
  }
  CHECK(all);
}

TEST_CASE("floating keys have one zero and one NaN", "[row_table]") {
  row_table<double, row_layout<int>> table;
  const double nan = std::nan("1"), other_nan = -std::nan("2");
  for (double key : {0.0, -0.0, nan, other_nan}) table.find_or_insert(key, stable_hash(key));
  CHECK(table.size() == 2);
}

TEST_CASE("restoring a row that is there already is damage", "[row_table]") {
  std::string bytes;
  byte_writer out{bytes};
  codec<std::uint64_t>::write(out, 7);
  out.varint(1);
  codec<std::int64_t>::write(out, 5);
  counts table;
  byte_reader first{bytes}, second{bytes};
  CHECK(table.restore_row(first) != nullptr);
  CHECK(contents(table) == std::map<std::uint64_t, std::int64_t>{{7, 5}});
  CHECK(table.restore_row(second) == nullptr);
}

TEST_CASE("a damaged row is not restored", "[row_table]") {
  std::string bytes;
  byte_writer out{bytes};
  codec<std::uint64_t>::write(out, 7);
  out.varint(1);
  codec<std::int64_t>::write(out, 5);
  SECTION("cut off anywhere") {
    for (std::size_t length = 0; length < bytes.size(); ++length) {
      counts table;
      byte_reader in{std::string_view{bytes}.substr(0, length)};
      CHECK(table.restore_row(in) == nullptr);
    }
  }
  SECTION("with a cell that the layout does not have") {
    bytes[8] = 3;
    counts table;
    byte_reader in{bytes};
    CHECK(table.restore_row(in) == nullptr);
  }
}

}  // namespace
}  // namespace weir::testing
