// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>
#include <utility>

#include "weir/core/codec.hpp"
#include "weir/core/hash.hpp"
#include "weir/state/cell_format.hpp"
#include "weir/state/element_cell.hpp"
#include "weir/state/key_equal.hpp"
#include "weir/state/map_view.hpp"

namespace weir::state {

/// `key` as what finds an equal `K` by its hash: a number of another kind is converted.
template <class K, class Key>
constexpr decltype(auto) as_key_of(const Key& key) {
  using std::is_convertible_v, std::is_integral_v, std::string_view;
  constexpr bool strings =
      is_convertible_v<const K&, string_view> && is_convertible_v<const Key&, string_view>;
  constexpr bool numbers = is_integral_v<K> && is_integral_v<Key> &&
                           !weir::internal::is_character<K> && !weir::internal::is_character<Key>;
  if constexpr (!std::is_same_v<K, Key> && !strings && !numbers && is_convertible_v<const Key&, K>)
    return static_cast<K>(key);
  else
    return (key);
}

/// What a map state keeps for a key: entries, in the order described at `map_view`, found one by
/// one or by an index. One pointer wide. A `rule` is that of the state's TTL, null when it has
/// none; for a cell it is always the one or the other. Owned and used by one subtask.
///
/// Stored: `count:varint ([stamp:i64] key value)*`
template <class K, class V>
class map_cell : public element_cell<map_entry<K, V>, map_index> {
  using base = element_cell<map_entry<K, V>, map_index>;
  using base::elements_;

 public:
  using typename base::block;
  static constexpr std::size_t nowhere = map_index::nowhere;

  /// The place of the entry of `key`, or `nowhere`. `key` may be anything that is equal to a `K`
  /// and hashes like one: see `stable_hash`.
  template <class Key>
  std::size_t find(const Key& key) const {
    const auto& wanted = as_key_of<K>(key);
    const auto is_it = [&, entries = elements_.data()](std::size_t place) {
      return key_equal(entries[place].key, wanted);
    };
    if (is_indexed()) return index().find(stable_hash(wanted), is_it);
    for (std::size_t place = 0; place < this->size(); ++place)
      if (is_it(place)) return place;
    return nowhere;
  }

  /// @pre place < size(); until the next change
  const V& value(std::size_t place) const noexcept { return elements_.data()[place].value; }
  std::int64_t& stamp(std::size_t place) const noexcept { return elements_.stamps()[place]; }

  void put(K key, V value, const ttl_rule* rule = nullptr) {
    const auto place = find(key);
    if (place == nowhere) return insert(std::move(key), std::move(value), rule);
    make_unique();
    elements_.data()[place].value = std::move(value);
    if (rule != nullptr) stamp(place) = rule->touch;
  }

  /// The value of `key`, to be changed at once: if it is absent or has expired unseen, a new `V{}`.
  template <class Key>
  V& value_to_change(const Key& key, const ttl_rule* rule = nullptr);

  void remove(std::size_t place);

  /// Removes the entries for which `leaves(const K&, const V&)` holds. Returns how many there were.
  template <class Leaves>
  std::size_t remove_if(Leaves&& leaves) {
    return keep_if([&](std::size_t place) {
      const auto& [key, value] = std::as_const(elements_).data()[place];
      return !leaves(key, value);
    });
  }

  /// Removes what has expired. True when nothing is left.
  bool remove_expired(const ttl_rule& rule) {
    keep_if([&](std::size_t place) { return !rule.expired(stamp(place)); });
    return this->empty();
  }

  void write(byte_writer& out, const cell_format& format) const;
  static map_cell read(byte_reader& in, const cell_format& format);

 private:
  bool is_indexed() const noexcept { return elements_.capacity() > map_index::scanned; }
  map_index index() const noexcept { return {elements_.index(), elements_.capacity()}; }
  std::uint64_t hash_at(std::size_t place) const {
    return stable_hash(elements_.data()[place].key);
  }

  void make_unique() {
    if (elements_.make_unique()) [[unlikely]]
      build_index();
  }

  void insert(K key, V value, const ttl_rule* rule) {
    insert_stamped(std::move(key), std::move(value), rule != nullptr,
                   rule == nullptr ? 0 : rule->touch);
  }
  void insert_stamped(K key, V value, bool timed, std::int64_t stamp);

  template <class Keep>
  std::size_t keep_if(Keep keep);
  [[gnu::noinline]] void build_index();
};

template <class K, class V>
void map_cell<K, V>::insert_stamped(K key, V value, bool timed, std::int64_t stamp) {
  if (elements_.make_room(1, timed)) [[unlikely]]
    build_index();
  const auto place = this->size();
  elements_.append(map_entry<K, V>{std::move(key), std::move(value)});
  if (timed) elements_.stamps()[place] = stamp;
  if (is_indexed()) index().insert(hash_at(place), place);
}

template <class K, class V>
template <class Key>
V& map_cell<K, V>::value_to_change(const Key& key, const ttl_rule* rule) {
  auto place = find(key);
  if (place == nowhere) {
    place = this->size();
    insert(K(key), V{}, rule);
  }
  make_unique();
  V& value = elements_.data()[place].value;
  if (rule != nullptr) {
    if (rule->expired(stamp(place)) && !rule->shows_expired()) value = V{};
    stamp(place) = rule->touch;
  }
  return value;
}

template <class K, class V>
void map_cell<K, V>::remove(std::size_t place) {
  make_unique();
  const auto last = this->size() - 1;
  if (is_indexed()) {
    index().erase(hash_at(place), place, [this](std::size_t at) { return hash_at(at); });
    if (place != last) index().move(hash_at(last), last, place);
  }
  if (place != last) {
    elements_.data()[place] = std::move(elements_.data()[last]);
    if (elements_.timed()) stamp(place) = stamp(last);
  }
  elements_.truncate(last);
  if (elements_.shrink()) build_index();
}

template <class K, class V>
template <class Keep>
std::size_t map_cell<K, V>::keep_if(Keep keep) {
  struct guard {
    ~guard() {
      if (cell->size() != size) cell->build_index();
    }
    map_cell* cell;
    std::size_t size;
  };
  std::size_t removed = 0;
  {
    const guard rebuilds{this, this->size()};
    removed = elements_.keep_if(std::move(keep));
  }
  if (removed > 0 && elements_.shrink()) build_index();
  return removed;
}

template <class K, class V>
void map_cell<K, V>::build_index() {
  if (!is_indexed()) return;
  for (std::size_t place = 0; place < this->size(); ++place) index().insert(hash_at(place), place);
}

template <class K, class V>
void map_cell<K, V>::write(byte_writer& out, const cell_format& format) const {
  const bool all = format.keep_live_only == nullptr;
  out.varint(all ? this->size() : this->live(*format.keep_live_only));
  for (std::size_t place = 0; place < this->size(); ++place) {
    const auto at = format.timed ? stamp(place) : 0;
    if (!all && !format.keeps(at)) continue;
    format.write_stamp(out, at);
    const auto& [key, value] = elements_.data()[place];
    codec<K>::write(out, key);
    codec<V>::write(out, value);
  }
}

template <class K, class V>
map_cell<K, V> map_cell<K, V>::read(byte_reader& in, const cell_format& format) {
  map_cell cell;
  const auto count = in.varint();
  // Entries may be larger than their bytes: reserve no more memory than there is input.
  const auto reserved = std::min<std::uint64_t>(count, in.remaining() / sizeof(map_entry<K, V>));
  if (count > in.remaining() || count > block::max_size) in.fail();
  if (!in.failed() && reserved > 0) cell.elements_.make_room(reserved, format.timed);
  for (auto left = count; left > 0 && !in.failed(); --left) {
    const auto stamp = format.read_stamp(in);
    K key = codec<K>::read(in);
    V value = codec<V>::read(in);
    if (in.failed()) break;
    if (cell.find(key) != nowhere) in.fail();
    cell.insert_stamped(std::move(key), std::move(value), format.timed, stamp);
  }
  return cell;
}

}  // namespace weir::state
