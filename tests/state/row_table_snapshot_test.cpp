// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include "weir/core/key_groups.hpp"
#include "weir/core/random.hpp"
#include "weir/state/row_table.hpp"

#include "state/collected_chunks.hpp"
#include "support/catch.hpp"

namespace weir::testing {
namespace {

using namespace weir::state;

constexpr std::uint32_t max_parallelism = 128;

/// A table beside a map that does the same, and beside the map as it was at the barrier.
template <class Key, class Value, class Layout = row_layout<Value>>
class model {
 public:
  using layout = Layout;
  using map = std::map<Key, Value>;

  explicit model(row_epoch first) : table{hash_range{}, first} {}

  void put(const Key& key, Value value) {
    std::byte* row = table.find_or_insert(key, stable_hash(key));
    if (is_present(row, 0)) {
      layout::template value<0>(row) = value;
    } else {
      cell<Value>::construct(row + layout::offset(0), value);
      set_present(row, 0);
    }
    live[key] = std::move(value);
  }

  void erase(const Key& key) {
    std::byte* row = table.find(key, stable_hash(key));
    REQUIRE((row != nullptr) == (live.erase(key) == 1));
    if (row != nullptr) table.erase(row, stable_hash(key));
  }

  /// Erases each row that it comes to, except one in `spared`; stops after `most` rows.
  void erase_many(random_generator& random, std::uint64_t spared, std::uint64_t most) {
    typename decltype(table)::cursor at;
    for (; most > 0; --most) {
      const std::byte* row = table.next(at);
      if (row == nullptr) return;
      if (random.chance(1, spared)) continue;
      live.erase(table.key_of(row));
      table.erase(at);
    }
  }

  void reset(random_generator& random) {
    for (bool done = false; !done;) {
      auto slots = 1 + random.below(1000);
      done = random.chance(1, 2) ? table.reset(slots) : table.clear(slots);
    }
    live.clear();
  }

  void begin() {
    chunks = std::make_unique<collected_chunks>();
    out = std::make_unique<keyed_chunk_writer>(*chunks, "rows", max_parallelism);
    table.begin_snapshot(*out, "<");
    barrier = live;
  }

  void check_snapshot() {
    REQUIRE_FALSE(table.snapshotting());
    out->flush();
    REQUIRE(out->rows() == barrier.size());  // no row twice
    map restored;
    for (const auto& chunk : chunks->chunks) {
      REQUIRE(chunk.section == "rows");
      byte_reader in{chunk.bytes};
      while (in.remaining() > 0) {
        REQUIRE(in.raw(1) == "<");
        auto key = codec<Key>::read(in);
        REQUIRE(chunk.group == key_group_of(stable_hash(key), max_parallelism));
        REQUIRE(in.varint() == 1);
        restored.emplace(std::move(key), codec<Value>::read(in));
        REQUIRE_FALSE(in.failed());
      }
    }
    REQUIRE(restored == barrier);
  }

  void check_live() {
    map found;
    table.for_each([&](const Key& key, const std::byte* row) {
      found.emplace(key, layout::template value<0>(row));
    });
    REQUIRE(found == live);
    REQUIRE(table.size() == live.size());
  }

  row_table<Key, layout> table;
  map live, barrier;
  std::unique_ptr<collected_chunks> chunks;
  std::unique_ptr<keyed_chunk_writer> out;
};

struct number_case {
  using key = std::uint64_t;
  using value = std::int64_t;
  using layout = row_layout<value>;
  static key make_key(std::uint64_t n) { return n; }
  static value make_value(std::uint64_t n) { return static_cast<value>(n); }
};

struct string_case {
  using key = std::string;
  using value = std::string;
  using layout = row_layout<value>;
  static key make_key(std::uint64_t n) { return "key " + std::to_string(n); }
  static value make_value(std::uint64_t n) { return std::string(n % 40, 'x') + std::to_string(n); }
};

struct large_case {
  using key = std::uint32_t;
  using value = std::array<std::uint64_t, 20>;  // too large for the row
  using layout = row_layout<value>;
  static key make_key(std::uint64_t n) { return static_cast<key>(n); }
  static value make_value(std::uint64_t n) { return {n, n + 1}; }
};

/// Rows of 2 KiB, so that few of them make many segments.
struct wide_case : number_case {
  using cells = std::array<std::uint64_t, 8>;
  using layout = row_layout<std::int64_t, cells, cells, cells, cells, cells, cells, cells, cells,
                            cells, cells, cells, cells, cells, cells, cells, cells, cells, cells,
                            cells, cells, cells, cells, cells, cells, cells, cells, cells, cells>;
};

/// Inserts, updates, erasures, growth, trimming, iterations that erase, resets, snapshots that are
/// swept in slices, abandoned, and overtaken.
template <class Case>
void run(std::uint64_t seed, row_epoch first, std::uint64_t keys, int steps) {
  CAPTURE(seed, keys);
  random_generator random{seed};
  model<typename Case::key, typename Case::value, typename Case::layout> m{first};
  std::uint64_t live_keys = 10;
  bool running = false;
  for (int step = 0; step < steps; ++step) {
    const auto key = Case::make_key(random.below(live_keys));
    switch (random.below(32)) {
      default: m.put(key, Case::make_value(random.next())); break;
      case 0:
      case 1:
      case 2:
      case 3:
      case 4:
      case 5:
      case 6: m.erase(key); break;
      case 7:
      case 8:
      case 9:
      case 10: m.table.sweep(random.below(2 * live_keys / 3 + 2)); break;
      case 11: live_keys = 1 + random.below(keys); break;
      case 12:
        if (random.chance(1, 8)) m.begin(), running = true;
        break;
      case 13:
        if (random.chance(1, 30)) m.table.abort_snapshot(), running = false;
        break;
      case 14:
        if (random.chance(1, 20)) m.erase_many(random, 2, random.below(keys));
        break;
      case 15:
        if (!running && random.chance(1, 20)) m.reset(random);
        break;
      case 16:
        if (random.chance(1, 20)) m.erase_many(random, 16, keys);
        break;
      case 17: m.table.trim(); break;
    }
    if (running && !m.table.snapshotting()) {
      m.check_snapshot();
      running = false;
      m.check_live();
    }
  }
  m.check_live();
}

TEMPLATE_TEST_CASE("a snapshot is the table at its barrier, each row once", "[row_table]",
                   number_case, string_case, large_case, wide_case) {
  for (std::uint64_t seed = 1; seed <= 12; ++seed)
    run<TestType>(seed, row_epoch{1}, seed % 3 == 0 ? 3000 : seed % 3 == 1 ? 6 : 60, 6000);
}

TEST_CASE("a snapshot is right when epochs run out", "[row_table]") {
  for (std::uint64_t seed = 1; seed <= 6; ++seed)
    run<number_case>(seed, row_epoch{0xFFFF'FFFDu}, 100, 6000);
}

TEST_CASE("a snapshot is right when the segment under the sweep is split", "[row_table]") {
  using table_model = model<std::uint64_t, std::int64_t>;
  table_model m{row_epoch{1}};
  std::uint64_t key = 0;
  while (m.table.capacity() < 3 * (std::size_t{1} << 20) / 24 / 2) m.put(key++, 1);
  m.begin();
  const auto capacity = m.table.capacity();
  m.table.sweep(capacity / 3);
  while (m.table.capacity() < 4 * capacity) m.put(key++, 2);
  while (m.table.snapshotting()) m.table.sweep(1000);
  m.check_snapshot();
}

TEST_CASE("a sweep takes as many slots as it is given and no more", "[row_table]") {
  model<std::uint64_t, std::int64_t> m{row_epoch{1}};
  for (std::uint64_t key = 0; key < 1000; ++key) m.put(key, 1);
  m.begin();
  const auto capacity = m.table.capacity();
  CHECK(m.table.sweep(100) == 100);
  CHECK(m.table.snapshotting());
  CHECK(m.table.sweep(capacity) == capacity - 100);
  CHECK_FALSE(m.table.snapshotting());
  CHECK(m.table.sweep(100) == 0);
  m.check_snapshot();
}

TEST_CASE("a snapshot of an empty table is complete at once", "[row_table]") {
  model<std::uint64_t, std::int64_t> m{row_epoch{1}};
  m.begin();
  m.check_snapshot();
}

/// Says that rows below a limit, given when the snapshot begins, are nothing to be written.
struct limited : row_layout<std::int64_t> {
  struct write_options {
    std::int64_t least = 0;
  };
  static bool write(const std::byte* row, byte_writer& out, const write_options& options) {
    row_layout::write(row, out, {});
    return value<0>(row) >= options.least;
  }
};

TEST_CASE("a row with nothing to write is not in the snapshot and stays in the table",
          "[row_table]") {
  row_table<std::uint64_t, limited> table;
  for (std::uint64_t key = 0; key < 1000; ++key)
    limited::create<0>(table.find_or_insert(key, stable_hash(key)), static_cast<std::int64_t>(key));
  collected_chunks chunks;
  keyed_chunk_writer out{chunks, "rows", max_parallelism};
  table.begin_snapshot(out, "<", {.least = 400});
  for (std::uint64_t key = 0; key < 1000; key += 7)  // saved, or not, before they change
    limited::value<0>(table.find_or_insert(key, stable_hash(key))) = 5000;
  while (table.snapshotting()) table.sweep(10);
  out.flush();
  CHECK(out.rows() == 600);
  CHECK(table.size() == 1000);
  std::map<std::uint64_t, std::int64_t> restored;
  for (const auto& chunk : chunks.chunks) {
    byte_reader in{chunk.bytes};
    while (in.remaining() > 0) {
      REQUIRE(in.raw(1) == "<");
      const auto key = codec<std::uint64_t>::read(in);
      REQUIRE(in.varint() == 1);
      restored[key] = codec<std::int64_t>::read(in);
    }
  }
  CHECK(restored.size() == 600);
  for (const auto& [key, value] : restored) CHECK((key >= 400 && value == std::int64_t(key)));
}

TEST_CASE("rows come in chunks of about 64 KiB, each of one key group", "[keyed_chunk_writer]") {
  model<std::uint64_t, std::int64_t> m{row_epoch{1}};
  for (std::uint64_t key = 0; key < 1'000'000; ++key) m.put(key, 1);
  m.begin();
  m.table.sweep(m.table.capacity());
  CHECK(m.chunks->chunks.size() > max_parallelism);
  bool right = true;
  for (const auto& chunk : m.chunks->chunks)
    right = right && chunk.group && chunk.bytes.size() >= 65536 && chunk.bytes.size() < 65600;
  CHECK(right);
}

}  // namespace
}  // namespace weir::testing
