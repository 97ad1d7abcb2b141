// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "weir/state/aggregating_state.hpp"
#include "weir/state/list_state.hpp"
#include "weir/state/map_state.hpp"
#include "weir/state/state.hpp"

namespace weir::testing {

// A function for each kind of state with a TTL: `put(i)`, for i = 1, 2, 3, writes the i-th value,
// and `get()` says what a read shows, "" if nothing. `after(i)` is what it shows after `put(i)`;
// the first and the third are written when nothing is there, the second over the first.

struct value_context {
  value_state<std::int64_t> s;
  explicit value_context(const ttl_config& c) : s{"s", {.ttl = c}} {}
  auto uses_states() { return states(s); }
  void put(int i) { s.update(i); }
  std::string get() const {
    const auto* v = s.value();
    return v == nullptr ? "" : std::to_string(*v);
  }
  static std::string after(int i) { return std::to_string(i); }
};

struct edited_value_context : value_context {
  using value_context::value_context;
  void put(int i) {
    s.edit([&](std::int64_t& v) { v += i; });
  }
  static std::string after(int i) { return i == 2 ? "3" : std::to_string(i); }
};

struct default_context {
  value_state_with_default<std::string> s;
  explicit default_context(const ttl_config& c) : s{"s", "", {.ttl = c}} {}
  auto uses_states() { return states(s); }
  void put(int i) { s.update("value " + std::to_string(i)); }
  std::string get() const { return s.value(); }
  static std::string after(int i) { return "value " + std::to_string(i); }
};

struct reducing_context {
  reducing_state<std::int64_t, std::plus<>> s;
  explicit reducing_context(const ttl_config& c) : s{"s", {.ttl = c}} {}
  auto uses_states() { return states(s); }
  void put(int i) { s.add(i == 1 ? 5 : i == 2 ? 7 : 6); }
  std::string get() const {
    const auto* v = s.get();
    return v == nullptr ? "" : std::to_string(*v);
  }
  static std::string after(int i) { return i == 1 ? "5" : i == 2 ? "12" : "6"; }
};

struct sum_from_three {
  struct accumulator {
    std::int64_t sum = 3;
  };
  void add(std::int64_t in, accumulator& a) const { a.sum += in; }
  void merge(const accumulator& from, accumulator& into) const { into.sum += from.sum; }
  std::string get_result(const accumulator& a) const { return std::to_string(a.sum); }
};

struct aggregating_context {
  aggregating_state<sum_from_three> s;
  explicit aggregating_context(const ttl_config& c) : s{"s", {.ttl = c}} {}
  auto uses_states() { return states(s); }
  void put(int i) { s.add(i == 1 ? 5 : i == 2 ? 7 : 6); }
  std::string get() const { return s.get().value_or(""); }
  static std::string after(int i) { return i == 1 ? "8" : i == 2 ? "15" : "9"; }
};

struct list_context {
  list_state<std::int64_t> s;
  explicit list_context(const ttl_config& c) : s{"s", {.ttl = c}} {}
  auto uses_states() { return states(s); }
  static std::vector<std::int64_t> values(int i) {
    return i == 1   ? std::vector<std::int64_t>{5, 7, 10}
           : i == 2 ? std::vector<std::int64_t>{8, 9, 11}
                    : std::vector<std::int64_t>{1, 4};
  }
  void put(int i) { s.update(values(i)); }
  template <class Range>
  static std::string text_of(const Range& range) {
    std::string text;
    for (auto v : range) text += std::to_string(v) + ' ';
    return text;
  }
  std::string get() const { return text_of(s.get()); }
  static std::string after(int i) { return text_of(values(i)); }
};

/// One entry of a map. Another one lives as long.
struct map_entry_context {
  map_state<std::string, std::int64_t> s;
  explicit map_entry_context(const ttl_config& c) : s{"s", {.ttl = c}} {}
  auto uses_states() { return states(s); }
  void put(int i) { s.put("key", i); }
  std::string get() const {
    const auto* v = s.get("key");
    return v == nullptr ? "" : std::to_string(*v);
  }
  static std::string after(int i) { return std::to_string(i); }
};

struct whole_map_context {
  map_state<std::int64_t, std::int64_t> s;
  explicit whole_map_context(const ttl_config& c) : s{"s", {.ttl = c}} {}
  auto uses_states() { return states(s); }
  static std::map<std::int64_t, std::int64_t> entries(int i) {
    return i == 1   ? std::map<std::int64_t, std::int64_t>{{1, 5}, {2, 7}}
           : i == 2 ? std::map<std::int64_t, std::int64_t>{{2, 8}, {3, 9}}
                    : std::map<std::int64_t, std::int64_t>{{9, 1}};
  }
  void put(int i) {
    s.clear();
    s.put_all(entries(i));
  }
  template <class Range>
  static std::string text_of(const Range& range) {
    std::map<std::int64_t, std::int64_t> sorted;
    for (const auto& [k, v] : range) sorted.emplace(k, v);
    std::string text;
    for (const auto& [k, v] : sorted) text += std::to_string(k) + ':' + std::to_string(v) + ' ';
    return text;
  }
  std::string get() const { return text_of(s.entries()); }
  static std::string after(int i) { return text_of(entries(i)); }
};

}  // namespace weir::testing
