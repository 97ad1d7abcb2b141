// SPDX-License-Identifier: Apache-2.0
#include "weir/state/map_state.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "weir/core/random.hpp"

#include "state/lone_state.hpp"
#include "support/catch.hpp"

namespace weir::testing {
namespace {

using state::cell_format;
using state::map_state;
using state::ttl_rule;
using state::ttl_update;
using state::ttl_visibility;

template <class K, class V>
using pairs = std::vector<std::pair<K, V>>;

template <class K, class V>
pairs<K, V> all(const state::map_view<K, V>& view) {
  pairs<K, V> entries;
  for (const auto& [key, value] : view) entries.emplace_back(key, value);
  return entries;
}

template <class View>
auto listed(const View& view) {
  return std::vector<typename View::value_type>(view.begin(), view.end());
}

template <class T>
T sample(std::uint64_t n) {
  if constexpr (std::is_same_v<T, std::string>)
    return n % 2 == 0 ? std::to_string(n) : "a text with memory of its own " + std::to_string(n);
  else
    return static_cast<T>(n);
}

/// What a map should be: entries in the order that is promised.
template <class K, class V>
class model {
 public:
  typename pairs<K, V>::iterator find(const K& key) {
    return std::find_if(entries.begin(), entries.end(),
                        [&](const auto& entry) { return entry.first == key; });
  }
  void put(const K& key, const V& value) {
    if (auto at = find(key); at != entries.end())
      at->second = value;
    else
      entries.emplace_back(key, value);
  }
  void remove(const K& key) {
    const auto at = find(key);
    if (at == entries.end()) return;
    *at = entries.back();
    entries.pop_back();
  }

  pairs<K, V> entries;
};

/// A map and what it should be, changed at random in the same way.
template <class K>
class map_beside_model {
  using V = std::string;

 public:
  static constexpr std::uint64_t pool = 60;

  explicit map_beside_model(std::uint64_t seed) : random_{seed} {}

  K any_key() { return sample<K>(random_.below(pool)); }

  /// The map grows when `growing`, and shrinks otherwise.
  void change(const K& key, bool growing) {
    const auto value = sample<V>(random_.next());
    switch (random_.below(growing ? 12 : 8)) {
      case 0:
      case 1:
      case 2:
      case 3: map.remove(key), wanted.remove(key); break;
      case 4: edit(key); break;
      case 5:
        if (random_.chance(1, 8)) remove_some();
        break;
      case 6: {
        const auto other = any_key();
        map.put_all(pairs<K, V>{{key, value}, {other, value}});
        wanted.put(key, value), wanted.put(other, value);
        break;
      }
      case 7:
        if (random_.chance(1, 4)) views.emplace_back(map.entries(), wanted.entries);
        if (random_.chance(1, 64)) map.clear(), wanted.entries.clear();
        if (views.size() > 4) views.erase(views.begin());
        break;
      default: map.put(key, value), wanted.put(key, value);
    }
  }

  lone_state<map_state<K, V>> lone;
  map_state<K, V>& map = lone.of(1);
  model<K, V> wanted;
  std::vector<std::pair<state::map_view<K, V>, pairs<K, V>>> views;

 private:
  void edit(const K& key) {
    const auto at = wanted.find(key);
    const auto changed = (at == wanted.entries.end() ? "" : at->second) + "+";
    CHECK(map.edit(key, [](V& held) { return held += "+"; }) == changed);
    wanted.put(key, changed);
  }

  void remove_some() {
    const auto leaves = [&](const K&, const V& held) { return held.size() % 2 == 0; };
    const auto left =
        std::erase_if(wanted.entries, [&](const auto& e) { return leaves(e.first, e.second); });
    CHECK(map.remove_if(leaves) == left);
  }

  random_generator random_;
};

TEMPLATE_TEST_CASE("a map is like a list of pairs, and its views stay", "[map_state]", std::int64_t,
                   std::string) {
  map_beside_model<TestType> both{GENERATE(1u, 2u, 3u, 4u)};
  auto& lone = both.lone;
  auto& map = both.map;
  auto& wanted = both.wanted;
  for (int step = 0; step < 3000; ++step) {
    CAPTURE(step);
    const auto key = both.any_key();
    both.change(key, step % 1000 < 500);
    const auto at = wanted.find(key);
    const auto* found = map.get(key);
    REQUIRE((found != nullptr) == (at != wanted.entries.end()));
    if (found != nullptr) REQUIRE(*found == at->second);
    REQUIRE(map.size() == wanted.entries.size());
    REQUIRE(lone.has(1) == !map.empty());
    if (step % 16 == 0) REQUIRE(all(map.entries()) == wanted.entries);
  }
  for (const auto& [view, entries] : both.views) CHECK(all(view) == entries);
  for (std::uint64_t n = 0; n < both.pool; ++n) {
    const auto key = sample<TestType>(n);
    REQUIRE(map.contains(key) == (wanted.find(key) != wanted.entries.end()));
  }
  map.put(sample<TestType>(0), "not empty"), wanted.put(sample<TestType>(0), "not empty");
  REQUIRE(lone.restore(2, lone.written(1)));
  CHECK(all(lone.of(2).entries()) == wanted.entries);
}

TEST_CASE("a map of a million entries is found, shrinks and is never copied by one of them",
          "[map_state]") {
  constexpr std::uint64_t count = 1'000'000;
  lone_state<map_state<std::uint64_t, std::uint64_t>> lone;
  auto& map = lone.of(1);
  const void* at = nullptr;
  std::size_t moves = 0;
  for (std::uint64_t n = 0; n < count; ++n) {
    map.put(n * n, n);
    if (const void* now = lone.cell_of(1).elements().data(); now != at) at = now, ++moves;
  }
  CHECK(moves < 50);
  CHECK(lone.cell_of(1).elements().capacity() <= count * 3 / 2 + 2);
  bool right = true;
  for (std::uint64_t n = 0; n < count; ++n) {
    const auto* value = map.get(n * n);
    right = right && value != nullptr && *value == n && map.contains(n * n + 2 * n) == (n == 0);
    if (n % 4 == 3) map.edit(n * n, [](std::uint64_t& held) { ++held; });
  }
  CHECK(right);
  for (std::uint64_t n = 0; n + 100 < count; ++n) map.remove(n * n);
  CHECK(map.size() == 100);
  CHECK(lone.cell_of(1).elements().capacity() < 1000);
  for (std::uint64_t n = count - 100; n < count; ++n)
    right = right && *map.get(n * n) == (n % 4 == 3 ? n + 1 : n);
  CHECK(right);
}

TEST_CASE("an index of a map is never full, and as small as can be", "[map_state]") {
  using state::map_index;
  bool right = true;
  for (std::size_t entries = map_index::scanned + 1; entries < 5000; ++entries) {
    const auto slots = map_index::slots(entries);
    const auto most = map_index::capacity(slots);
    right = right && entries < slots && entries <= most && map_index::slots(most) == slots &&
            map_index::slots(most + 1) > slots;
  }
  CHECK(right);
}

TEST_CASE("a map is searched with whatever equals a key", "[map_state]") {
  lone_state<map_state<std::string, int>> texts;
  lone_state<map_state<double, int>> fractions;
  lone_state<map_state<char, int>> letters;
  lone_state<map_state<std::tuple<std::string, std::int64_t>, int>> tuples;
  const int count = GENERATE(1, 100);  // without an index and with one
  CAPTURE(count);
  for (int n = 0; n < count; ++n) {
    texts.of(1).put(std::to_string(n), n);
    fractions.of(1).put(n, n);
    letters.of(1).put(static_cast<char>(-n), n);
    tuples.of(1).put({std::to_string(n), n}, n);
  }
  const int last = count - 1;
  const auto text = std::to_string(last);
  CHECK(*texts.of(1).get(std::string_view{text}) == last);
  CHECK(*texts.of(1).get(text.c_str()) == last);
  CHECK(*fractions.of(1).get(last) == last);
  CHECK(*fractions.of(1).get(-0.0f) == 0);
  CHECK(*letters.of(1).get(-last) == last);
  CHECK(*tuples.of(1).get({text, last}) == last);
  CHECK(*tuples.of(1).get(std::tuple{std::string_view{text}, last}) == last);
  texts.of(1).edit(std::string_view{"new"}, [](int& n) { n = 7; });
  CHECK(*texts.of(1).get("new") == 7);
  texts.of(1).remove("new");
  CHECK_FALSE(texts.of(1).contains("new"));
}

TEST_CASE("a map may be changed while one iterates over it", "[map_state]") {
  lone_state<map_state<int, int>> lone;
  auto& map = lone.of(1);
  for (int n = 0; n < 20; ++n) map.put(n, n);
  for (const int& key : map.keys()) {
    if (key % 2 == 0) map.remove(key);
    map.put(key + 100, 0);
  }
  CHECK(map.size() == 30);
  int sum = 0;
  for (const int& value : map.values()) sum += value;
  CHECK(sum == 100);
  for (const auto& [key, value] : map.entries()) map.put(key, value + 1);
  CHECK(*map.get(1) == 2);
  map.put_all(map.entries());
  CHECK(map.size() == 30);
  for (const auto& entry : map.entries()) map.remove(entry.key);
  CHECK_FALSE(lone.has(1));
}

TEST_CASE("C076: an empty value is an entry like any other", "[map_state]") {
  lone_state<map_state<std::string, std::vector<int>>> lone;
  lone.of(1).put("k", {});
  REQUIRE(lone.restore(2, lone.written(1)));
  for (const int key : {1, 2}) {
    CHECK(lone.of(key).contains("k"));
    REQUIRE(lone.of(key).get("k") != nullptr);
    CHECK(lone.of(key).get("k")->empty());
    CHECK(lone.of(key).entries().size() == 1);
    CHECK(listed(lone.of(key).keys()) == std::vector<std::string>{"k"});
    CHECK_FALSE(lone.of(key).empty());
  }
  lone.of(1).put_all(pairs<std::string, std::vector<int>>{});
  lone.of(3).put_all(pairs<std::string, std::vector<int>>{});
  CHECK_FALSE(lone.has(3));
}

TEST_CASE("a damaged map is not read", "[map_state]") {
  lone_state<map_state<std::string, std::int64_t>> lone;
  for (int n = 0; n < 20; ++n) lone.of(1).put(std::to_string(n), n);
  const auto bytes = lone.written(1);
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    CAPTURE(size);
    CHECK_FALSE(lone.restore(2, bytes.substr(0, size)));
  }
  lone.of(3).put("1", 1), lone.of(3).put("2", 2);
  auto two = lone.written(3);
  std::replace(two.begin() + 3, two.end(), '2', '1');
  CHECK_FALSE(lone.restore(4, two));
}

// -- with TTL ------------------------------------------------------------------------------------

/// Entries "a" (at 0), "b" (at 5) and "c" (at 8), with a lifetime of 10.
struct three_entries {
  three_entries(ttl_update update, ttl_visibility visibility)
      : rule{.lifetime = 10, .update = update, .visibility = visibility} {
    lone.set_ttl(rule);
    at(0).put("a", 1);
    at(5).put("b", 2);
    at(8).put("c", 3);
  }

  map_state<std::string, int>& at(std::int64_t time) {
    rule.now = rule.touch = time;
    return lone.of(1);
  }
  std::size_t stored() { return lone.has(1) ? lone.cell_of(1).size() : 0; }
  std::vector<std::string> keys(std::int64_t time) {
    auto found = listed(at(time).keys());
    std::sort(found.begin(), found.end());
    return found;
  }

  ttl_rule rule;
  lone_state<map_state<std::string, int>> lone;
};

using names = std::vector<std::string>;
constexpr auto on_write = ttl_update::on_create_and_write;
constexpr auto on_read = ttl_update::on_read_and_write;
constexpr auto never = ttl_visibility::never_return_expired;
constexpr auto once_more = ttl_visibility::return_expired_if_not_cleaned_up;

TEST_CASE("a read of an expired entry removes it", "[map_state][ttl]") {
  three_entries map{on_write, never};
  CHECK(*map.at(9).get("a") == 1);
  CHECK(map.at(10).get("a") == nullptr);
  CHECK(map.stored() == 2);
  CHECK(map.at(15).get("unknown") == nullptr);
  CHECK(map.stored() == 2);
  CHECK_FALSE(map.at(15).contains("b"));
  CHECK(map.stored() == 1);
  CHECK(map.keys(17) == names{"c"});
  CHECK(map.at(18).get("c") == nullptr);
  CHECK_FALSE(map.lone.has(1));
}

TEST_CASE("an expired entry is shown once more if it may be", "[map_state][ttl]") {
  three_entries map{on_write, once_more};
  REQUIRE(map.at(10).get("a") != nullptr);
  CHECK(map.at(10).get("a") == nullptr);
  CHECK(map.at(15).contains("b"));
  CHECK_FALSE(map.at(15).contains("b"));
  map.at(15).put("d", 4);
  CHECK(map.keys(18) == names{"c", "d"});
  CHECK(map.keys(18) == names{"d"});
  CHECK(map.at(25).size() == 1);
  CHECK_FALSE(map.at(25).empty());
  const int* last = map.at(25).get("d");
  REQUIRE(last != nullptr);
  CHECK(*last == 4);
  CHECK(map.at(25).empty());
}

TEST_CASE("reading refreshes entries where it should", "[map_state][ttl]") {
  three_entries map{on_read, never};
  CHECK(map.at(9).contains("a"));
  CHECK(map.at(15).get("b") == nullptr);
  CHECK(map.keys(17) == names{"a", "c"});
  CHECK(map.at(26).size() == 2);
  CHECK(map.keys(26) == names{"a", "c"});
  CHECK_FALSE(map.at(35).empty());
  CHECK(map.at(36).empty());
  CHECK(map.stored() == 2);
  CHECK(map.keys(36).empty());
  CHECK(map.stored() == 0);
}

TEST_CASE("a map in which all has expired is empty", "[map_state][ttl]") {
  three_entries map{on_write, never};
  CHECK(map.at(17).size() == 1);
  CHECK_FALSE(map.at(17).empty());
  CHECK(map.at(18).size() == 0);
  CHECK(map.at(18).empty());
  CHECK(map.keys(18).empty());
  CHECK_FALSE(map.lone.has(1));
  map.at(20).put("a", 1);
  CHECK(map.keys(20) == names{"a"});
}

TEST_CASE("writes give entries a new life, or a new beginning", "[map_state][ttl]") {
  three_entries map{on_write, never};
  const auto next = [](int& n) { return ++n; };
  CHECK(map.at(9).edit("a", next) == 2);
  CHECK(map.at(18).edit("a", next) == 3);
  CHECK(map.at(28).edit("a", next) == 1);
  CHECK(map.at(28).remove_if([](const std::string&, int) { return false; }) == 0);
  CHECK(map.stored() == 1);
  map.at(30).put_all(pairs<std::string, int>{{"x", 1}, {"a", 1}});
  CHECK(map.keys(39) == names{"a", "x"});
  CHECK(map.at(39).remove_if([](const std::string& key, int) { return key == "a"; }) == 1);
  map.at(39).remove("x");
  CHECK_FALSE(map.lone.has(1));
}

TEST_CASE("C065: reading a map in which nothing has expired writes nothing", "[map_state][ttl]") {
  ttl_rule rule{.lifetime = 1000};
  lone_state<map_state<int, int>> lone;
  lone.set_ttl(rule);
  for (int n = 0; n < 100; ++n) lone.of(1).put(n, n);
  const auto* at = lone.cell_of(1).elements().data();
  const auto bytes = lone.written(1, {.timed = true});
  for (int read = 0; read < 1000; ++read) {
    rule.now = rule.touch = read % 1000;
    const auto view = lone.of(1).entries();
    CHECK(view.size() == 100);
    CHECK(*lone.of(1).get(read % 100) == read % 100);
    CHECK(lone.of(1).contains(read % 100));
  }
  CHECK(lone.cell_of(1).elements().data() == at);
  CHECK(lone.written(1, {.timed = true}) == bytes);
}

TEST_CASE("stamps of a map are stored, given at restore, and dropped", "[map_state][ttl]") {
  three_entries map{on_write, never};
  map.at(12);
  const cell_format with_stamps{.stored_timed = true, .timed = true};
  const auto timed = map.lone.written(1, {.timed = true});
  const auto live = map.lone.written(1, {.timed = true, .keep_live_only = &map.rule});
  REQUIRE(map.lone.restore(2, timed, with_stamps));
  REQUIRE(map.lone.restore(3, live, with_stamps));
  CHECK(map.lone.cell_of(2).size() == 3);
  CHECK(map.lone.cell_of(3).size() == 2);
  map.at(17);
  CHECK(listed(map.lone.of(2).keys()) == names{"c"});

  lone_state<map_state<std::string, int>> untimed;
  REQUIRE(untimed.restore(1, timed, {.stored_timed = true}));
  CHECK(all(untimed.of(1).entries()) == pairs<std::string, int>{{"a", 1}, {"b", 2}, {"c", 3}});
  REQUIRE(map.lone.restore(4, untimed.written(1), {.timed = true, .restore_time = 50}));
  map.at(59);
  CHECK(map.lone.of(4).size() == 3);
  map.at(60);
  CHECK(map.lone.of(4).empty());
}

TEST_CASE("clean-up of a map leaves views and the other entries alone", "[map_state][ttl]") {
  ttl_rule rule{.lifetime = 10};
  lone_state<map_state<int, int>> lone;
  lone.set_ttl(rule);
  for (int n = 0; n < 300; ++n) {
    rule.now = rule.touch = n % 3;
    lone.of(1).put(n, n);
  }
  const auto before = lone.of(1).entries();
  rule.now = 11;
  CHECK_FALSE(lone.state.remove_expired(lone.cell_of(1), rule));
  CHECK(lone.of(1).size() == 100);
  bool right = true;
  for (int n = 0; n < 300; ++n) right = right && lone.of(1).contains(n) == (n % 3 == 2);
  CHECK(right);
  CHECK(before.size() == 300);
  rule.now = 12;
  CHECK(lone.state.remove_expired(lone.cell_of(1), rule));
}

}  // namespace
}  // namespace weir::testing
