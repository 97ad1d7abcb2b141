// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

#include "weir/state/broadcast_map.hpp"
#include "weir/state/operator_state_handle.hpp"
#include "weir/state/state_handle.hpp"

namespace weir::state {

/// A broadcast state in the hands of the side that may change it: all subtasks get the same
/// broadcast records, and must make the same of them. Their order may differ between subtasks when
/// there are several senders, so what is left in the end must not depend on it: `max` is fine, "the
/// last one wins" is not. A reference to the state; valid during the call it was given to.
template <class K, class V>
class writable_broadcast_state {
 public:
  explicit writable_broadcast_state(broadcast_map<K, V>& map) : map_{&map} {}

  const std::string& name() const noexcept { return map_->name(); }

  /// Null: there is no such entry. Good until the next change.
  const V* get(const K& key) const { return map_->entries.find(key); }
  bool contains(const K& key) const { return get(key) != nullptr; }
  std::size_t size() const noexcept { return map_->entries.size(); }
  bool empty() const noexcept { return map_->entries.empty(); }

  /// The entries as they are now, by key: they stay, whatever is done to the state meanwhile.
  sorted_entries<K, V> entries() const { return map_->entries; }

  /// Adds the entry, or replaces its value.
  void put(K key, V value) { map_->entries.put(std::move(key), std::move(value)); }

  /// Does the same with all of `pairs`.
  template <class Pairs>
  void put_all(const Pairs& pairs) {
    for (const auto& [key, value] : pairs) put(key, value);
  }

  /// True if there was such an entry.
  bool remove(const K& key) { return map_->entries.remove(key); }

  void clear() { map_->entries.clear(); }

 private:
  broadcast_map<K, V>* map_;
};

/// A map that is the same in all subtasks of an operator, made of a broadcast stream. Through this
/// handle it can be read; what processes the broadcast stream gets it writable from its context.
/// Declare it as a member of a function and list it in `uses_states()`, or ask the operator state
/// store for it.
///
/// Each subtask stores its copy; a restored subtask gets one of them, also when there are more
/// subtasks than before. Copies that differ are warned of, with each checkpoint and at a restore.
/// They are compared by their bytes: containers without an order have different ones for equal
/// content.
/// Errors: every access throws `state_error` when the state is not listed in `uses_states()`.
template <class K, class V>
class broadcast_state : public operator_state_handle {
 public:
  using key_type = K;
  using mapped_type = V;
  using cell_type = broadcast_map<K, V>;
  static constexpr std::string_view kind = broadcast_kind;
  static constexpr redistribution mode = redistribution::identical;

  explicit broadcast_state(std::string name, state_options options = {})
      : operator_state_handle{std::move(name), std::move(options)} {}
  broadcast_state(const broadcast_state& other) : operator_state_handle{other} {}
  broadcast_state& operator=(const broadcast_state& other) {
    operator_state_handle::operator=(other);
    map_ = nullptr;
    return *this;
  }

  static std::string type() { return cell_type::type_of(); }

  /// Null: there is no such entry. Good until the next change.
  const V* get(const K& key) const { return map().entries.find(key); }
  bool contains(const K& key) const { return get(key) != nullptr; }
  std::size_t size() const { return map().entries.size(); }
  bool empty() const { return size() == 0; }

  /// The entries as they are now, by key: they stay, whatever is done to the state meanwhile.
  sorted_entries<K, V> entries() const { return map().entries; }

  /// For the engine. The state of a running function is `map`, which must outlive it.
  void bind(cell_type& map) noexcept { map_ = &map; }

  /// For the engine: contexts hand it to what processes the broadcast stream.
  writable_broadcast_state<K, V> writable_for_engine() const {
    return writable_broadcast_state<K, V>{map()};
  }

 private:
  cell_type& map() const {
    if (map_ == nullptr) [[unlikely]]
      fail_unbound();
    return *map_;
  }

  cell_type* map_ = nullptr;
};

}  // namespace weir::state
