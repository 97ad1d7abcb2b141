// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "weir/core/codec.hpp"
#include "weir/state/map_cell.hpp"
#include "weir/state/state_handle.hpp"

namespace weir::state {

/// A map for each key. Declared, listed and used like a `value_state`. A map without entries takes
/// no memory. Its keys are any for which there is a `stable_hash` and a codec; one of strings is
/// searched with views, too.
///
/// With a TTL each entry expires by itself. A read of an entry that has expired removes it, and so
/// do `entries`, `keys` and `values`, which read all.
/// Errors: every access throws `state_error` where there is no current key, and when the state is
/// not listed; `std::length_error` beyond 2^30 entries.
template <class K, class V>
class map_state : public state_handle {
 public:
  using key_type = K;
  using mapped_type = V;
  static constexpr std::string_view kind = "map";
  static constexpr redistribution mode = redistribution::none;

  explicit map_state(std::string name, state_options options = {})
      : state_handle{std::move(name), std::move(options)} {}
  map_state(const map_state& other) : state_handle{other} {}
  map_state& operator=(const map_state& other) {
    state_handle::operator=(other);
    shown_.reset();
    return *this;
  }

  /// The value of `key`, until the next access; null when there is none.
  template <class Key = K>
  const V* get(const Key& key) const {
    if (present()) [[likely]] {
      const auto place = here().find(key);
      return place == nowhere ? nullptr : &here().value(place);
    }
    const auto* rule = absent_rule();
    return rule == nullptr ? nullptr : get_timed(key, *rule);
  }

  /// Whether there is an entry of `key`.
  template <class Key = K>
  bool contains(const Key& key) const {
    return get(key) != nullptr;
  }

  /// Whether `entries()` would show none. Does not count as a read for the TTL.
  bool empty() const {
    if (present()) [[likely]]
      return false;
    const auto* rule = absent_rule();
    if (rule == nullptr || !cell_present()) return true;
    return !rule->shows_expired() && !here().any_live(*rule);
  }

  /// How many entries there are, as `entries()` would show. Does not count as a read for the TTL.
  std::size_t size() const {
    if (present()) [[likely]]
      return here().size();
    const auto* rule = absent_rule();
    if (rule == nullptr || !cell_present()) return 0;
    return rule->shows_expired() ? here().size() : here().live(*rule);
  }

  /// The entries as they are now, whatever happens to the map later: it may be changed while one
  /// iterates over them. In the order described at `map_view`.
  map_view<K, V> entries() const { return view<whole_entry>(); }
  map_view<K, V, entry_key> keys() const { return view<entry_key>(); }
  map_view<K, V, entry_value> values() const { return view<entry_value>(); }

  /// Adds an entry, or replaces its value.
  void put(K key, V value) {
    if (present()) [[likely]]
      here().put(std::move(key), std::move(value));
    else
      put_absent(std::move(key), std::move(value));
  }

  /// Puts the entries of a range: of pairs, or of another map. An empty range does nothing.
  template <class Range>
  void put_all(Range&& range) {
    for (const auto& [key, value] : range) put(key, value);
  }

  /// Changes the value of `key` in place: returns `change(V&)`, which must not use this state. A
  /// value that is absent begins as `V{}`.
  template <class Key = K, class Change>
  decltype(auto) edit(const Key& key, Change&& change) {
    const auto* rule = present() ? nullptr : absent_rule();
    auto& cell = cell_present() ? here() : create<cell_type>();
    return std::invoke(std::forward<Change>(change), cell.value_to_change(key, rule));
  }

  /// Removes the entry of `key`, if there is one.
  template <class Key = K>
  void remove(const Key& key) {
    if (!cell_present()) return require_row();
    if (const auto place = here().find(key); place != nowhere) remove_at(place);
  }

  /// Removes the entries for which `leaves(const K&, const V&)` holds, which must not use this
  /// state; with a TTL those that have expired, too, and unseen. Returns for how many it held.
  template <class Leaves>
  std::size_t remove_if(Leaves&& leaves) {
    const auto* rule = present() ? nullptr : absent_rule();
    if (!cell_present()) return 0;
    if (rule != nullptr) here().remove_expired(*rule);
    const auto removed = here().remove_if(std::forward<Leaves>(leaves));
    if (here().empty()) clear();
    return removed;
  }

  /// Removes all entries.
  void clear() { drop<cell_type>(); }

  // -- asynchronously: see `state_future` --------------------------------------------------------

  auto async_get(K key) const {
    return this->later([this, key = std::move(key)]() mutable { return get(key); });
  }
  auto async_contains(K key) const {
    return this->later([this, key = std::move(key)]() mutable { return contains(key); });
  }
  auto async_empty() const {
    return this->later([this] { return empty(); });
  }
  auto async_size() const {
    return this->later([this] { return size(); });
  }
  auto async_entries() const {
    return this->later([this] { return entries(); });
  }
  auto async_keys() const {
    return this->later([this] { return keys(); });
  }
  auto async_values() const {
    return this->later([this] { return values(); });
  }
  auto async_put(K key, V value) {
    return this->later([this, key = std::move(key), value = std::move(value)]() mutable {
      return put(std::move(key), std::move(value));
    });
  }
  template <class Range>
  auto async_put_all(Range range) {
    return this->later([this, range = std::move(range)]() mutable { return put_all(range); });
  }
  template <class Change>
  auto async_edit(K key, Change change) {
    return this->later([this, key = std::move(key), change = std::move(change)]() mutable {
      return edit(key, change);
    });
  }
  auto async_remove(K key) {
    return this->later([this, key = std::move(key)]() mutable { return remove(key); });
  }
  template <class Leaves>
  auto async_remove_if(Leaves leaves) {
    return this->later([this, leaves = std::move(leaves)]() mutable { return remove_if(leaves); });
  }
  auto async_clear() {
    return this->later([this] { return clear(); });
  }

  // -- for the engine ----------------------------------------------------------------------------

  using cell_type = map_cell<K, V>;
  static constexpr bool row_stamp = false;
  static std::string type() { return codec_identity<K>() + " to " + codec_identity<V>(); }
  static void write_cell(byte_writer& out, const cell_type& cell, const cell_format& format) {
    cell.write(out, format);
  }
  static cell_type read_cell(byte_reader& in, const cell_format& format) {
    return cell_type::read(in, format);
  }
  static bool remove_expired(cell_type& cell, const ttl_rule& rule) {
    return cell.remove_expired(rule);
  }

 private:
  static constexpr std::size_t nowhere = map_index::nowhere;

  cell_type& here() const noexcept { return value_at_row<cell_type>(); }

  /// The TTL, or null. @pre !present()
  const ttl_rule* absent_rule() const {
    require_row();
    return ttl();
  }

  template <class Part>
  map_view<K, V, Part> view() const {
    if (present()) [[likely]]
      return map_view<K, V, Part>{here().elements()};
    const auto* rule = absent_rule();
    return map_view<K, V, Part>{rule == nullptr ? map_block<K, V>{} : read_all_timed(*rule)};
  }

  void remove_at(std::size_t place) const {
    here().remove(place);
    if (here().empty()) drop<cell_type>();
  }

  template <class Key>
  [[gnu::noinline]] const V* get_timed(const Key& key, const ttl_rule& rule) const;
  [[gnu::noinline]] map_block<K, V> read_all_timed(const ttl_rule& rule) const;

  [[gnu::noinline]] void put_absent(K key, V value) {
    const auto* rule = absent_rule();
    auto& cell = cell_present() ? here() : create<cell_type>();
    cell.put(std::move(key), std::move(value), rule);
  }

  // A value that was returned while its entry was removed.
  mutable std::unique_ptr<V> shown_;
};

template <class K, class V>
template <class Key>
const V* map_state<K, V>::get_timed(const Key& key, const ttl_rule& rule) const {
  const auto place = cell_present() ? here().find(key) : nowhere;
  if (place == nowhere) return nullptr;
  auto& stamp = here().stamp(place);
  if (!rule.expired(stamp)) {
    stamp = rule.after_read(stamp);
    return &here().value(place);
  }
  if (rule.shows_expired()) shown_ = std::make_unique<V>(here().value(place));
  remove_at(place);
  return rule.shows_expired() ? shown_.get() : nullptr;
}

/// All entries are read: what has expired goes, and is shown once more if it may be.
template <class K, class V>
map_block<K, V> map_state<K, V>::read_all_timed(const ttl_rule& rule) const {
  if (!cell_present()) return {};
  cell_type& cell = here();
  auto shown = rule.shows_expired() ? cell.elements() : map_block<K, V>{};
  if (cell.remove_expired(rule)) {
    drop<cell_type>();
    return shown;
  }
  if (rule.refreshes_on_read()) cell.refresh(rule);
  return rule.shows_expired() ? shown : cell.elements();
}

}  // namespace weir::state
