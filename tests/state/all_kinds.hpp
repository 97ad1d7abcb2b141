// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "weir/core/random.hpp"
#include "weir/state/state.hpp"

namespace weir::testing {

/// An aggregate whose accumulator has memory of its own.
struct joined {
  using accumulator = std::string;
  void add(const std::string& in, std::string& into) const {
    into += (into.empty() ? "" : "-") + in;
  }
  void merge(const std::string& from, std::string& into) const { add(from, into); }
  std::string get_result(const std::string& a) const { return "<" + a + ">"; }
};

/// A function with a state of each kind.
struct all_kinds {
  explicit all_kinds(const state_options& options)
      : value{"value", options},
        defaulted{"defaulted", 7, options},
        sum{"sum", options},
        list{"list", options},
        map{"map", options},
        text{"text", options} {}
  auto uses_states() { return states(value, defaulted, sum, list, map, text); }

  value_state<std::string> value;
  value_state_with_default<std::int64_t> defaulted;
  reducing_state<std::int64_t, std::plus<>> sum;
  list_state<std::string> list;
  map_state<std::string, std::int64_t> map;
  aggregating_state<joined> text;
};

/// A function whose states can all be merged.
struct mergeable_kinds {
  explicit mergeable_kinds(const state_options& options)
      : sum{"sum", options}, list{"list", options}, text{"text", options} {}
  auto uses_states() { return states(sum, list, text); }

  reducing_state<std::int64_t, std::plus<>> sum;
  list_state<std::string> list;
  aggregating_state<joined> text;
};

/// What reading all states of a key shows.
struct shown_states {
  std::optional<std::string> value;
  std::int64_t defaulted = 7;
  std::optional<std::int64_t> sum;
  std::vector<std::string> list;
  std::map<std::string, std::int64_t> map;
  std::optional<std::string> text;

  friend bool operator==(const shown_states&, const shown_states&) = default;
};

template <class Function>
shown_states show(Function& f) {
  shown_states shown;
  if (const auto* sum = f.sum.get()) shown.sum = *sum;
  for (const auto& element : f.list.get()) shown.list.push_back(element);
  shown.text = f.text.get();
  if constexpr (requires { f.map; }) {
    if (const auto* value = f.value.value()) shown.value = *value;
    shown.defaulted = f.defaulted.value();
    for (const auto& [key, value] : f.map.entries()) shown.map.emplace(key, value);
  }
  return shown;
}

/// What the states of a key should be, of whatever kinds they are: each value with the time when it
/// was written last. `lifetime` is that of all.
class modelled_states {
 public:
  static inline std::int64_t lifetime = 0;

  /// Changes one state at random, here and in `f`, at time `now`.
  template <class Function>
  void change(Function& f, random_generator& random, std::int64_t now) {
    const auto word = std::to_string(random.below(1000)) + std::string(random.below(40), '.');
    const auto number = static_cast<std::int64_t>(8 + random.below(1000));
    now_ = now;
    switch (random.below(8)) {
      case 0: f.sum.clear(), sum_.reset(); break;
      case 1:
      case 2: f.sum.add(number), set(sum_, live(sum_) ? sum_->first + number : number); break;
      case 3:
      case 4:
        f.text.add(word);
        set(text_, (live(text_) ? text_->first + "-" : "") + word);
        break;
      case 5: f.text.clear(), text_.reset(); break;
      default: change_list(f, random, word);
    }
    if constexpr (requires { f.map; }) {
      change_value(f, random, word, number);
      change_map(f, random, std::to_string(random.below(30)), number);
    }
  }

  /// What should be seen at time `now`.
  shown_states seen(std::int64_t now) const {
    auto at = *this;
    at.now_ = now;
    shown_states seen;
    if (at.live(value_)) seen.value = value_->first;
    if (at.live(defaulted_)) seen.defaulted = defaulted_->first;
    if (at.live(sum_)) seen.sum = sum_->first;
    if (at.live(text_)) seen.text = "<" + text_->first + ">";
    for (const auto& [element, time] : list_)
      if (at.is_live(time)) seen.list.push_back(element);
    for (const auto& [key, entry] : map_)
      if (at.is_live(entry.second)) seen.map.emplace(key, entry.first);
    return seen;
  }

  /// Takes in `from`, which is empty afterwards.
  void merge(modelled_states& from, std::int64_t now) {
    now_ = from.now_ = now;
    if (from.live(sum_of(from))) set(sum_, (live(sum_) ? sum_->first : 0) + sum_of(from)->first);
    if (from.live(from.text_))
      set(text_, (live(text_) ? text_->first + "-" : "") + from.text_->first);
    list_.insert(list_.end(), from.list_.begin(), from.list_.end());
    from = {};
  }

 private:
  template <class T>
  using stamped = std::pair<T, std::int64_t>;
  template <class T>
  using held = std::optional<stamped<T>>;

  static const held<std::int64_t>& sum_of(const modelled_states& m) { return m.sum_; }

  bool is_live(std::int64_t time) const { return lifetime == 0 || time + lifetime > now_; }
  template <class T>
  bool live(const held<T>& value) const {
    return value && is_live(value->second);
  }
  template <class T>
  void set(held<T>& value, T now_it_is) {
    value.emplace(std::move(now_it_is), now_);
  }

  template <class Function>
  void change_list(Function& f, random_generator& random, const std::string& word) {
    std::vector<std::string> some(random.below(6), word);
    switch (random.below(6)) {
      case 0: f.list.clear(), list_.clear(); break;
      case 1: f.list.update(some), list_.clear(), add(some); break;
      case 2: f.list.add_all(some), add(some); break;
      default: f.list.add(word), add({word});
    }
  }
  void add(const std::vector<std::string>& some) {
    for (const auto& word : some) list_.emplace_back(word, now_);
  }

  void change_value(all_kinds& f, random_generator& random, const std::string& word,
                    std::int64_t number) {
    const auto more = [&](std::string& s) { s += word; };
    switch (random.below(6)) {
      case 0: f.value.clear(), value_.reset(); break;
      case 1: f.value.update(word), set(value_, word); break;
      case 2: f.value.edit(more), set(value_, (live(value_) ? value_->first : "") + word); break;
      case 3: f.defaulted.clear(), defaulted_.reset(); break;
      case 4: f.defaulted.update(number), set(defaulted_, number); break;
      default:
        f.defaulted.edit([&](std::int64_t& n) { n += number; });
        set(defaulted_, (live(defaulted_) ? defaulted_->first : 7) + number);
    }
  }

  void change_map(all_kinds& f, random_generator& random, const std::string& key,
                  std::int64_t number) {
    const auto found = map_.find(key);
    const bool there = found != map_.end() && is_live(found->second.second);
    switch (random.below(8)) {
      case 0: f.map.remove(key), map_.erase(key); break;
      case 1:
        f.map.edit(key, [&](std::int64_t& n) { n += number; });
        map_[key] = {(there ? found->second.first : 0) + number, now_};
        break;
      case 2: {
        if (!random.chance(1, 4)) break;
        f.map.remove_if([](const std::string& k, std::int64_t n) { return k < "2" || n % 3 == 0; });
        std::erase_if(map_, [](const auto& e) { return e.first < "2" || e.second.first % 3 == 0; });
        break;
      }
      case 3:
        if (random.chance(1, 8)) f.map.clear(), map_.clear();
        break;
      default: f.map.put(key, number), map_[key] = {number, now_};
    }
  }

  std::int64_t now_ = 0;
  held<std::string> value_;
  held<std::int64_t> defaulted_;
  held<std::int64_t> sum_;
  held<std::string> text_;
  std::vector<stamped<std::string>> list_;
  std::map<std::string, stamped<std::int64_t>> map_;
};

}  // namespace weir::testing
