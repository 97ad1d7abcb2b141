// SPDX-License-Identifier: Apache-2.0
#include "weir/state/namespaced_rows.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "weir/state/state.hpp"

#include "state/collected_chunks.hpp"
#include "support/catch.hpp"

namespace weir::testing {
namespace {

using state::namespaced_rows;

constexpr std::uint32_t max_parallelism = 128;
constexpr key_group_range all_groups{{0}, {max_parallelism - 1}};

struct joined {
  struct accumulator {
    std::string text;
  };
  void add(std::string_view in, accumulator& into) const { into.text += in; }
  void merge(const accumulator& from, accumulator& into) const { into.text += from.text; }
  std::string get_result(const accumulator& a) const { return a.text; }
};

struct sums {
  explicit sums(state_options options = {})
      : list{"list", options}, total{"total", options}, text{"text", options} {}
  list_state<int> list;
  reducing_state<std::int64_t, std::plus<>> total;
  aggregating_state<joined> text;
  auto uses_states() { return states(list, total, text); }

  void add(int v) {
    list.add(v);
    total.add(v);
    text.add(std::to_string(v) + ' ');
  }
  std::string shown() const {
    std::string all;
    for (int v : list.get()) all += std::to_string(v) + ' ';
    const auto* sum = total.get();
    return all + '|' + (sum == nullptr ? "" : std::to_string(*sum)) + '|' + text.get().value_or("");
  }
};

template <class Rows>
void with(Rows& rows, std::string_view key, int ns, auto&& use) {
  rows.with(key, ns, stable_hash(key), [&](auto& f, const std::string& current) {
    REQUIRE(current == key);
    use(f);
  });
}

template <class Rows>
std::string shown(Rows& rows, std::string_view key, int ns) {
  std::string text;
  with(rows, key, ns, [&](sums& f) { text = f.shown(); });
  return text;
}

TEST_CASE("a key has a state of its own in each namespace", "[namespaced_rows]") {
  sums f;
  namespaced_rows<std::string, int, sums> rows{f, all_groups, max_parallelism};
  for (int ns = 0; ns < 1'000; ++ns) {
    with(rows, "a", ns, [&](sums& g) { g.add(ns); });
    with(rows, "b", ns, [&](sums& g) { g.add(-ns); });
  }
  CHECK(rows.rows().size() == 2'000);
  CHECK(shown(rows, "a", 7) == "7 |7|7 ");
  CHECK(shown(rows, "b", 7) == "-7 |-7|-7 ");
  CHECK(shown(rows, "b", 1'000) == "||");

  collected_chunks snapshot;
  rows.rows().begin_snapshot(snapshot, "op");
  while (rows.rows().snapshotting()) rows.rows().sweep(100);
  sums g;
  namespaced_rows<std::string, int, sums> restored{g, all_groups, max_parallelism};
  REQUIRE(restored.rows().restore(snapshot.chunks, "op").ok());
  CHECK(restored.rows().size() == 2'000);
  CHECK(shown(restored, "a", 999) == "999 |999|999 ");
}

TEST_CASE("all namespaces of a key are in its key group", "[namespaced_rows]") {
  for (int key = 0; key < 100; ++key)
    for (int ns = 0; ns < 100; ++ns) {
      const state::namespaced_key<int, int> stored{key, ns};
      const auto hash = stable_hash(stored);
      REQUIRE(key_group_of(hash, 32'768) == key_group_of(stable_hash(key), 32'768));
      REQUIRE(hash == state::namespaced_hash(stable_hash(key), stable_hash(ns)));
    }
}

TEST_CASE("merged namespaces are in the target and nowhere else", "[namespaced_rows]") {
  // The values of Flink's testListStateMerging: in each key the three namespaces hold, together,
  // 11, 22, 33, 44 and 55, or nothing.
  sums f;
  namespaced_rows<std::string, int, sums> rows{f, all_groups, max_parallelism};
  const auto add = [&](std::string_view key, int ns, std::vector<int> values) {
    for (int v : values) with(rows, key, ns, [&](sums& g) { g.add(v); });
  };
  add("abc", 1, {33, 55});
  add("abc", 2, {22, 11});
  add("abc", 3, {44});
  add("def", 1, {11, 44});
  add("def", 3, {22, 55, 33});
  add("jkl", 1, {11, 22, 33, 44, 55});
  add("mno", 3, {11, 22, 33, 44, 55});
  for (const std::string_view key : {"abc", "def", "ghi", "jkl", "mno"})
    REQUIRE(rows.merge_namespaces(key, 1, std::vector{2, 3}).ok());
  CHECK(rows.rows().size() == 4);
  CHECK(shown(rows, "abc", 1) == "33 55 22 11 44 |165|33 55 22 11 44 ");
  CHECK(shown(rows, "def", 1) == "11 44 22 55 33 |165|11 44 22 55 33 ");
  CHECK(shown(rows, "ghi", 1) == "||");
  CHECK(shown(rows, "jkl", 1) == "11 22 33 44 55 |165|11 22 33 44 55 ");
  CHECK(shown(rows, "mno", 1) == "11 22 33 44 55 |165|11 22 33 44 55 ");
  for (const std::string_view key : {"abc", "def", "mno"}) {
    CHECK(shown(rows, key, 2) == "||");
    CHECK(shown(rows, key, 3) == "||");
  }
  REQUIRE(rows.merge_namespaces("abc", 1, std::vector<int>{}).ok());
  REQUIRE(rows.merge_namespaces("abc", 1, std::vector{1, 1}).ok());
  CHECK(shown(rows, "abc", 1) == "33 55 22 11 44 |165|33 55 22 11 44 ");
}

TEST_CASE("what is merged while a snapshot runs is in it as it was", "[namespaced_rows]") {
  sums f;
  namespaced_rows<std::string, int, sums> rows{f, all_groups, max_parallelism};
  for (int ns = 0; ns < 10; ++ns) with(rows, "a", ns, [&](sums& g) { g.add(ns); });
  collected_chunks snapshot;
  rows.rows().begin_snapshot(snapshot, "op");
  rows.rows().sweep(3);
  REQUIRE(rows.merge_namespaces("a", 4, std::vector{9, 8, 7, 6, 5}).ok());
  while (rows.rows().snapshotting()) rows.rows().sweep(3);
  CHECK(shown(rows, "a", 4) == "4 9 8 7 6 5 |39|4 9 8 7 6 5 ");
  sums g;
  namespaced_rows<std::string, int, sums> restored{g, all_groups, max_parallelism};
  REQUIRE(restored.rows().restore(snapshot.chunks, "op").ok());
  CHECK(restored.rows().size() == 10);
  CHECK(shown(restored, "a", 9) == "9 |9|9 ");
  CHECK(shown(restored, "a", 4) == "4 |4|4 ");
}

TEST_CASE("kinds that cannot be merged are refused, and nothing changes", "[namespaced_rows]") {
  struct mixed {
    list_state<int> list{"list"};
    value_state<int> value{"single"};
    auto uses_states() { return states(list, value); }
  } f;
  namespaced_rows<std::string, int, mixed> rows{f, all_groups, max_parallelism};
  with(rows, "a", 2, [](mixed& g) { g.list.add(1); });
  const auto merged = rows.merge_namespaces("a", 1, std::vector{2});
  REQUIRE_FALSE(merged.ok());
  CHECK(merged.failure().code() == errc::invalid_argument);
  CHECK(merged.error_text().find("state \"single\" is a value state, and namespaces can be merged "
                                 "only of list, reducing and aggregating states") == 0);
  with(rows, "a", 2, [](mixed& g) { CHECK(g.list.size() == 1); });
}

TEST_CASE("of merged namespaces only what lives is left", "[namespaced_rows][ttl]") {
  // The times of Flink's testMergeNamespaces.
  const bool shows_expired = GENERATE(false, true);
  auto config = ttl(duration{100});
  if (shows_expired)
    config = config.with_visibility(ttl_visibility::return_expired_if_not_cleaned_up);
  sums f{{.ttl = config}};
  namespaced_rows<std::string, int, sums, state::timed> rows{f, all_groups, max_parallelism};
  enum : int { e, eu, u, final_one, target };
  const auto write = [&](std::int64_t ms, std::vector<int> namespaces, int v) {
    rows.rows().set_time({ms}, {ms});
    for (int ns : namespaces) with(rows, "k", ns, [&](sums& g) { g.add(v); });
  };
  write(0, {e, eu}, 1);
  write(120, {eu, u}, 2);
  write(150, {eu, u, final_one}, 3);
  rows.rows().set_time({230}, {230});
  REQUIRE(rows.merge_namespaces("k", target, std::vector<int>{e, eu, u, final_one}).ok());
  CHECK(rows.rows().size() == 1);
  rows.rows().set_time({249}, {249});
  if (shows_expired)
    CHECK(shown(rows, "k", target) == "1 1 2 3 2 3 3 |15|1 1 2 3 2 3 3 ");
  else
    CHECK(shown(rows, "k", target) == "3 3 3 |13|2 3 2 3 3 ");
  // The list keeps its times, the others were touched by the merge.
  rows.rows().set_time({329}, {329});
  if (!shows_expired) CHECK(shown(rows, "k", target) == "|13|2 3 2 3 3 ");
  rows.rows().set_time({330}, {330});
  if (!shows_expired) CHECK(shown(rows, "k", target) == "||");
}

}  // namespace
}  // namespace weir::testing
