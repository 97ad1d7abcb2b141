// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <utility>

#include "weir/core/hash.hpp"
#include "weir/core/result.hpp"
#include "weir/state/keyed_rows.hpp"
#include "weir/state/namespaced_key.hpp"

namespace weir::state {

/// The keyed state of one function in one subtask, of which each key has one in every namespace:
/// in every window, say. For snapshots, restores and TTL see `rows()`. Owned and used by the
/// subtask; the function must live longer.
template <class Key, class Namespace, has_states Function, class Timing = untimed>
class namespaced_rows {
 public:
  using rows_type = keyed_rows<namespaced_key<Key, Namespace>, Function, Timing>;

  /// As `keyed_rows`.
  namespaced_rows(Function& function, key_group_range groups, std::uint32_t max_parallelism)
      : function_{&function}, rows_{function, groups, max_parallelism} {}

  /// Makes `key` the current key in `name_space` and calls `use(Function&, const Key&)`.
  /// @pre `hash` is the `stable_hash` of `key`
  template <class K, class N, class Use>
  void with(const K& key, const N& name_space, std::uint64_t hash, Use&& use) {
    rows_.with_key(
        namespaced_view<K, N>{key, name_space}, namespaced_hash(hash, stable_hash(name_space)),
        [&](Function& f, const namespaced_key<Key, Namespace>& stored) { use(f, stored.key); });
  }

  /// Merges what `key` has in `sources`, in their order, into what it has in `target`; afterwards
  /// it has nothing in the sources. Lists are concatenated, behind that of the target. What has
  /// expired takes no part, but in lists, whose elements keep their times, and where expired state
  /// may be returned.
  /// Errors: invalid_argument if the function has a state of a kind that cannot be merged; then
  /// nothing has changed. @pre not within `with`
  template <class K, class Range>
  status merge_namespaces(const K& key, const Namespace& target, const Range& sources);

  /// The rows of all keys in all namespaces.
  rows_type& rows() noexcept { return rows_; }
  const rows_type& rows() const noexcept { return rows_; }

 private:
  using layout = typename rows_type::layout;

  /// A cell on its way between rows.
  template <class State>
  struct taken_cell {
    using state_type = State;
    std::optional<typename State::cell_type> cell;
  };
  template <class List>
  struct taken_cells;
  template <class... State>
  struct taken_cells<std::tuple<State&...>> {
    using type = decltype(std::tuple_cat(
        std::declval<std::conditional_t<keyed_state<State>, std::tuple<taken_cell<State>>,
                                        std::tuple<>>>()...));
  };
  using cells = typename taken_cells<decltype(std::declval<Function&>().uses_states())>::type;

  template <class State>
  static constexpr bool can_merge = requires(typename State::cell_type& cell, State& state) {
    State::merge_cell(cell, std::move(cell), state);
  };

  status check_kinds();
  template <class K>
  void take(const K& key, std::uint64_t hash, const Namespace& source, cells& into);
  template <std::size_t I>
  bool takes_part(const std::byte* row) const;
  void put(std::byte* row, cells& merged);

  Function* function_;
  rows_type rows_;
};

template <class Key, class Namespace, has_states Function, class Timing>
status namespaced_rows<Key, Namespace, Function, Timing>::check_kinds() {
  std::string wrong;
  internal::each_keyed(*function_, [&]<class State>(State& state, auto) {
    if (!can_merge<State> && wrong.empty())
      wrong = "state \"" + state.name() + "\" is a " + std::string{State::kind} +
              " state, and namespaces can be merged only of list, reducing and aggregating states";
  });
  if (wrong.empty()) return {};
  return error{errc::invalid_argument, std::move(wrong)};
}

template <class Key, class Namespace, has_states Function, class Timing>
template <class K, class Range>
status namespaced_rows<Key, Namespace, Function, Timing>::merge_namespaces(const K& key,
                                                                           const Namespace& target,
                                                                           const Range& sources) {
  if (auto mergeable = check_kinds(); !mergeable) return mergeable;
  const auto hash = stable_hash(key);
  cells merged;
  for (const Namespace& source : sources) take(key, hash, source, merged);
  const bool found =
      std::apply([](const auto&... taken) { return (taken.cell.has_value() || ...); }, merged);
  if (!found) return {};
  const auto row_hash = namespaced_hash(hash, stable_hash(target));
  put(rows_.table_.find_or_insert(namespaced_view<K, Namespace>{key, target}, row_hash), merged);
  rows_.table_.trim();
  return {};
}

/// Adds what `key` has in `source` to `into`, and erases its row there.
template <class Key, class Namespace, has_states Function, class Timing>
template <class K>
void namespaced_rows<Key, Namespace, Function, Timing>::take(const K& key, std::uint64_t hash,
                                                             const Namespace& source, cells& into) {
  const auto row_hash = namespaced_hash(hash, stable_hash(source));
  std::byte* row = rows_.table_.find(namespaced_view<K, Namespace>{key, source}, row_hash);
  if (row == nullptr) return;
  internal::each_keyed(*function_, [&]<class State>(State& state, auto index) {
    if constexpr (can_merge<State>) {
      if (!takes_part<index()>(row)) return;
      auto& held = layout::template value<index()>(row);
      auto& taken = std::get<index()>(into).cell;
      if (taken)
        State::merge_cell(*taken, std::move(held), state);
      else
        taken.emplace(std::move(held));
    }
  });
  rows_.table_.erase(row, row_hash);
}

template <class Key, class Namespace, has_states Function, class Timing>
void namespaced_rows<Key, Namespace, Function, Timing>::put(std::byte* row, cells& merged) {
  internal::each_keyed(*function_, [&]<class State>(State& state, auto index) {
    if constexpr (can_merge<State>) {
      auto& from = std::get<index()>(merged).cell;
      if (!from) return;
      if (is_present(row, index()) && !takes_part<index()>(row))
        layout::template drop<index()>(row);
      if (is_present(row, index()))
        State::merge_cell(layout::template value<index()>(row), std::move(*from), state);
      else
        layout::template create<index()>(row, std::move(*from));
      if constexpr (layout::is_timed && State::row_stamp)
        if (const auto* ttl = rows_.rule_of(index()))
          layout::template stamp<index()>(row) = ttl->touch;
    }
  });
}

/// Whether the row has a value that is merged.
template <class Key, class Namespace, has_states Function, class Timing>
template <std::size_t I>
bool namespaced_rows<Key, Namespace, Function, Timing>::takes_part(const std::byte* row) const {
  if (!is_present(row, I)) return false;
  if constexpr (layout::is_timed && layout::template has_stamp<I>) {
    const auto* rule = rows_.rule_of(I);
    return rule == nullptr || rule->shows_expired() ||
           !rule->expired(layout::template stamp<I>(row));
  }
  return true;
}

}  // namespace weir::state
