// SPDX-License-Identifier: Apache-2.0
#include "weir/state/pane_table.hpp"

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include "weir/state/table_pool.hpp"

#include "state/collected_chunks.hpp"
#include "support/catch.hpp"

namespace weir::testing {
namespace {

using namespace weir::state;

using pane = pane_table<std::string, std::int64_t>;

void add(pane& table, const std::string& key, std::int64_t value) {
  const auto at = table.find_or_insert(key, stable_hash(key));
  if (at.inserted)
    at.create(value);
  else
    at.accumulator() += value;
}

std::map<std::string, std::int64_t> restored(const collected_chunks& snapshot) {
  pane table;
  for (const auto& chunk : snapshot.chunks) {
    byte_reader in{chunk.bytes};
    while (in.remaining() > 0) {
      REQUIRE(in.raw(2) == "p:");
      REQUIRE(table.restore_row(in) != nullptr);
    }
  }
  std::map<std::string, std::int64_t> all;
  table.for_each(
      [&](const std::string& key, const std::byte* row) { all[key] = pane::accumulator_of(row); });
  return all;
}

TEST_CASE("a pane tells a new key from a known one", "[pane_table]") {
  pane table;
  CHECK(table.find_or_insert("a", stable_hash("a")).inserted);
  add(table, "a", 1);
  add(table, "a", 2);
  const auto at = table.find_or_insert("a", stable_hash("a"));
  CHECK_FALSE(at.inserted);
  CHECK(at.accumulator() == 3);
  CHECK(table.size() == 1);
}

TEST_CASE("a pane holds accumulators that do not fit into a row, and cells of a trigger",
          "[pane_table]") {
  struct large {
    std::array<std::int64_t, 20> values{};
  };
  using wide_pane = pane_table<int, large, std::string>;
  wide_pane table;
  for (int key = 0; key < 100; ++key) {
    const auto at = table.find_or_insert(key, stable_hash(key));
    REQUIRE(at.inserted);
    at.create().values[19] = key;
    wide_pane::layout::create<1>(at.row, "trigger of " + std::to_string(key));
  }
  bool right = true;
  wide_pane::cursor at;
  while (std::byte* row = table.next(at)) {
    const int key = table.key_of(row);
    right = right && table.accumulator_of(row).values[19] == key &&
            wide_pane::layout::value<1>(row) == "trigger of " + std::to_string(key);
    if (key % 2 == 0) table.erase(at);
  }
  CHECK(right);
  CHECK(table.size() == 50);
}

TEST_CASE("a pane that is gone before it was swept is in the snapshot", "[table_pool]") {
  table_pool<pane> pool;
  collected_chunks snapshot;
  keyed_chunk_writer out{snapshot, "panes", 16};
  auto table = pool.take();
  for (int i = 0; i < 200; ++i) add(*table, std::to_string(i), i);
  table->begin_snapshot(out, "p:");
  table->sweep(50);
  add(*table, "0", 1000);
  pool.give_back(std::move(table));
  REQUIRE(pool.snapshotting());

  auto next = pool.take();
  CHECK(next->empty());
  add(*next, "0", 5);
  while (pool.snapshotting()) CHECK(pool.sweep(30) <= 30);
  out.flush();
  const auto all = restored(snapshot);
  REQUIRE(all.size() == 200);
  CHECK(all.at("0") == 0);
  CHECK(all.at("199") == 199);
  CHECK(next->size() == 1);
}

TEST_CASE("a table that was given back is handed out again, empty and with its memory",
          "[table_pool]") {
  table_pool<pane> pool;
  auto table = pool.take();
  for (int i = 0; i < 200; ++i) add(*table, std::to_string(i), i);
  const auto* before = table.get();
  const auto capacity = table->capacity();
  pool.give_back(std::move(table));
  table = pool.take();
  CHECK(table.get() == before);
  CHECK(table->empty());
  CHECK(table->capacity() == capacity);
}

TEST_CASE("an abandoned snapshot lets go of the tables it owns", "[table_pool]") {
  table_pool<pane> pool;
  collected_chunks snapshot;
  keyed_chunk_writer out{snapshot, "panes", 16};
  auto table = pool.take();
  add(*table, "a", 1);
  table->begin_snapshot(out);
  pool.give_back(std::move(table));
  pool.abort_snapshot();
  CHECK_FALSE(pool.snapshotting());
  CHECK(out.rows() == 0);
  CHECK(pool.take()->empty());
}

}  // namespace
}  // namespace weir::testing
