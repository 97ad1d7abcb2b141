// SPDX-License-Identifier: Apache-2.0
// The bytes of keyed state in a snapshot: the list of states and a row, each version. What a
// released version wrote must be read forever: a change of these files is a change of a format, and
// needs a new version.
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "weir/core/file_system.hpp"
#include "weir/state/keyed_rows.hpp"
#include "weir/state/state.hpp"

#include "support/catch.hpp"

namespace weir::state {
namespace {

constexpr key_group_range one_group{{0}, {0}};

std::string golden(const std::string& name) {
  const auto path = std::string{WEIR_SOURCES} + "/tests/golden/state/" + name;
  return read_file(real_file_system(), path).value();
}

restored_chunks golden_chunks(const std::string& version) {
  std::vector<snapshot_chunk> chunks;
  chunks.push_back({"rows/declarations", std::nullopt, golden("states_" + version + ".bin"), {}});
  chunks.push_back({"rows", key_group{0}, golden("rows_" + version + ".bin"), {}});
  return chunks;
}

struct chunk_list final : snapshot_stream {
  void put(snapshot_chunk chunk) override { chunks.push_back(std::move(chunk)); }
  std::vector<snapshot_chunk> chunks;
};

template <class Rows>
std::vector<snapshot_chunk> written(Rows& rows) {
  chunk_list out;
  rows.begin_snapshot(out, "rows");
  while (rows.snapshotting()) rows.sweep(100);
  return out.chunks;
}

template <class Rows>
void with_key(Rows& rows, auto&& use) {
  const std::string key = "key";
  rows.with_key(key, stable_hash(key), [&](auto& f, const std::string&) { use(f); });
}

struct function_of_version_1 {
  value_state<std::int64_t> count{"count"};
  value_state_with_default<std::string> text{"text", "none"};
  reducing_state<double, std::plus<>> sum{"sum"};
  auto uses_states() { return states(count, text, sum); }
};

TEST_CASE("keyed state of version 1 is read", "[formats]") {
  const auto check = [](function_of_version_1& f) {
    REQUIRE(f.count.value() != nullptr);
    CHECK(*f.count.value() == 300);
    CHECK(f.text.value() == "none");
    REQUIRE(f.sum.get() != nullptr);
    CHECK(*f.sum.get() == 1.5);
  };
  function_of_version_1 f;
  keyed_rows<std::string, function_of_version_1> rows{f, one_group, 1};
  REQUIRE(rows.restore(golden_chunks("1"), "rows").ok());
  REQUIRE(rows.size() == 1);
  with_key(rows, check);
  CHECK(written(rows)[1].bytes == golden("rows_1.bin"));

  function_of_version_1 g;
  g.count = value_state<std::int64_t>{"count", {.ttl = ttl(duration{10})}};
  keyed_rows<std::string, function_of_version_1, timed> timed_rows{g, one_group, 1};
  timed_rows.set_time({100}, event_time::min());
  REQUIRE(timed_rows.restore(golden_chunks("1"), "rows").ok());
  timed_rows.set_time({109}, event_time::min());
  with_key(timed_rows, check);
}

struct mean {
  struct accumulator {
    std::int64_t count = 0, sum = 0;
  };
  void add(std::int64_t in, accumulator& into) const {
    ++into.count;
    into.sum += in;
  }
  void merge(const accumulator& from, accumulator& into) const {
    into.count += from.count;
    into.sum += from.sum;
  }
  std::int64_t get_result(const accumulator& a) const { return a.sum / a.count; }
};

struct function_of_version_2 {
  static state_options lifetime(ttl_clock clock) {
    return {.ttl = ttl(duration{86'400'000}).with_clock(clock)};
  }
  value_state<std::int64_t> count{"count", lifetime(ttl_clock::processing_time)};
  value_state<std::int64_t> kept{"kept"};
  aggregating_state<mean> average{"average", lifetime(ttl_clock::event_time)};
  list_state<std::string> names{"names", lifetime(ttl_clock::processing_time)};
  list_state<std::int32_t> numbers{"numbers"};
  map_state<std::string, std::int64_t> totals{"totals", lifetime(ttl_clock::event_time)};
  map_state<std::string, std::int64_t> others{"others"};
  auto uses_states() { return states(count, kept, average, names, numbers, totals, others); }
};
using rows_of_version_2 = keyed_rows<std::string, function_of_version_2, timed>;

TEST_CASE("keyed state of version 2 is written as it was, with the time of each touch",
          "[formats]") {
  function_of_version_2 f;
  rows_of_version_2 rows{f, one_group, 1};
  rows.set_time({1'000}, {2'000});
  with_key(rows, [](function_of_version_2& g) {
    g.count.update(-1);
    g.kept.update(7);
    g.average.add(40);
    g.names.add("a");
    g.numbers.add(1);
    g.numbers.add(2);
    g.totals.put("x", 5);
    g.others.put("y", 6);
  });
  rows.set_time({1'001}, {2'001});
  with_key(rows, [](function_of_version_2& g) {
    g.names.add("b");
    g.average.add(44);
  });
  const auto chunks = written(rows);
  REQUIRE(chunks.size() == 2);
  CHECK(chunks[0].bytes == golden("states_2.bin"));
  CHECK(chunks[1].bytes == golden("rows_2.bin"));
}

TEST_CASE("keyed state of version 2 is read", "[formats]") {
  constexpr std::int64_t day = 86'400'000;
  function_of_version_2 f;
  rows_of_version_2 rows{f, one_group, 1};
  REQUIRE(rows.restore(golden_chunks("2"), "rows").ok());
  CHECK(rows.restore_warnings().empty());
  CHECK(written(rows)[1].bytes == golden("rows_2.bin"));
  rows.set_time({1'000 + day - 1}, {2'000 + day - 1});
  with_key(rows, [](function_of_version_2& g) {
    CHECK(*g.count.value() == -1);
    CHECK(g.average.get() == 42);
    CHECK(g.names.size() == 2);
    CHECK(*g.totals.get("x") == 5);
  });
  rows.set_time({1'000 + day}, {2'000 + day});
  with_key(rows, [](function_of_version_2& g) {
    CHECK(g.count.value() == nullptr);
    CHECK(*g.kept.value() == 7);
    CHECK(g.average.get() == 42);
    CHECK(g.names.size() == 1);
    CHECK(g.numbers.size() == 2);
    CHECK(g.totals.get("x") == nullptr);
    CHECK(*g.others.get("y") == 6);
  });
  rows.set_time({1'001 + day}, {2'001 + day});
  with_key(rows, [](function_of_version_2& g) {
    CHECK(g.average.get() == std::nullopt);
    CHECK(g.names.empty());
  });
}

}  // namespace
}  // namespace weir::state
