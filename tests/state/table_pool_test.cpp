// SPDX-License-Identifier: Apache-2.0
#include "weir/state/table_pool.hpp"

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "weir/state/row_table.hpp"

#include "state/collected_chunks.hpp"
#include "support/catch.hpp"

namespace weir::testing {
namespace {

using namespace weir::state;

template <class Key, class Value>
struct pane_of {
  using layout = row_layout<Value>;
  using table = row_table<Key, layout>;

  explicit pane_of(hash_range range) : rows{range} {}

  void add(const Key& key, Value value) {
    std::byte* row = rows.find_or_insert(key, stable_hash(key));
    if (is_present(row, 0))
      layout::template value<0>(row) += value;
    else
      layout::template create<0>(row, value);
  }

  table rows;
};

using pane = pane_of<std::string, std::int64_t>;
using plain_pane = pane_of<std::uint64_t, std::int64_t>;

std::map<std::string, std::int64_t> restored(const collected_chunks& snapshot) {
  pane::table table;
  for (const auto& chunk : snapshot.chunks) {
    byte_reader in{chunk.bytes};
    while (in.remaining() > 0) {
      REQUIRE(in.raw(2) == "p:");
      REQUIRE(table.restore_row(in) != nullptr);
    }
  }
  std::map<std::string, std::int64_t> all;
  table.for_each([&](const std::string& key, const std::byte* row) {
    all[key] = pane::layout::value<0>(row);
  });
  return all;
}

TEST_CASE("a pane that is closed before it was swept is in the snapshot", "[table_pool]") {
  table_pool<pane> pool;
  collected_chunks snapshot;
  keyed_chunk_writer out{snapshot, "panes", 16};
  auto closed = pool.take();
  for (int i = 0; i < 200; ++i) closed->add(std::to_string(i), i);
  closed->rows.begin_snapshot(out, "p:");
  closed->rows.sweep(50);
  closed->add("0", 1000);
  pool.give_back(std::move(closed));
  REQUIRE(pool.snapshotting());

  auto next = pool.take();
  CHECK(next->rows.empty());
  next->add("0", 5);
  while (pool.snapshotting()) CHECK(pool.sweep(30) <= 30);
  out.flush();
  const auto all = restored(snapshot);
  REQUIRE(all.size() == 200);
  CHECK(all.at("0") == 0);
  CHECK(all.at("199") == 199);
  CHECK(next->rows.size() == 1);
}

TEST_CASE("a closed pane of numbers is handed out again at once, empty and with its memory",
          "[table_pool]") {
  table_pool<plain_pane> pool;
  auto used = pool.take();
  for (std::uint64_t i = 0; i < 200; ++i) used->add(i, 1);
  const auto* before = used.get();
  const auto capacity = used->rows.capacity();
  pool.give_back(std::move(used));
  used = pool.take();
  CHECK(used.get() == before);
  CHECK(used->rows.empty());
  CHECK(used->rows.capacity() == capacity);
}

/// Counts how many there are.
struct counted {
  static inline std::int64_t alive = 0;
  counted() { ++alive; }
  counted(const counted&) { ++alive; }
  counted(counted&&) noexcept { ++alive; }
  counted& operator=(const counted&) = default;
  ~counted() { --alive; }
};

struct counted_pane {
  explicit counted_pane(hash_range range) : rows{range} {}

  void add(std::uint64_t key) {
    row_layout<counted>::create<0>(rows.find_or_insert(key, stable_hash(key)));
  }

  row_table<std::uint64_t, row_layout<counted>> rows;
};

}  // namespace
}  // namespace weir::testing

template <>
struct weir::codec<weir::testing::counted> {
  static void write(byte_writer& out, const testing::counted&) { out.varint(0); }
  static testing::counted read(byte_reader& in) { return in.varint(), testing::counted{}; }
  static std::string identity() { return "counted"; }
};

namespace weir::testing {
namespace {

TEST_CASE("what is in a closed pane is destroyed in steps of a bounded size", "[table_pool]") {
  constexpr std::int64_t rows = 100'000, step = 1000;
  counted::alive = 0;
  {
    table_pool<counted_pane> pool;
    for (int panes = 1; panes <= 4; ++panes) {  // more than are kept for the next windows
      std::vector<std::unique_ptr<counted_pane>> open;
      for (int i = 0; i < panes; ++i) open.push_back(pool.take());
      for (auto& opened : open) {
        REQUIRE(opened->rows.empty());
        for (std::int64_t key = 0; key < rows; ++key) opened->add(static_cast<std::uint64_t>(key));
      }
      for (auto& closed : open) pool.give_back(std::move(closed));
      CHECK(counted::alive == panes * rows);  // closing takes no time
      int steps = 0;
      while (counted::alive > 0) {
        const auto before = counted::alive;
        pool.tidy_up(step);
        REQUIRE(before - counted::alive <= step);
        REQUIRE(++steps < panes * 8 * rows / step);
      }
    }
    auto left = pool.take();
    for (std::uint64_t key = 0; key < 1000; ++key) left->add(key);
    pool.give_back(std::move(left));
    pool.tidy_up(300);
    CHECK(counted::alive > 0);
  }
  CHECK(counted::alive == 0);  // also when the pool goes in the middle of it
}

TEST_CASE("an abandoned snapshot lets go of the panes it owns", "[table_pool]") {
  table_pool<pane> pool;
  collected_chunks snapshot;
  keyed_chunk_writer out{snapshot, "panes", 16};
  auto closed = pool.take();
  closed->add("a", 1);
  closed->rows.begin_snapshot(out);
  pool.give_back(std::move(closed));
  pool.abort_snapshot();
  CHECK_FALSE(pool.snapshotting());
  CHECK(out.rows() == 0);
  CHECK(pool.take()->rows.empty());
}

}  // namespace
}  // namespace weir::testing
