// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <any>
#include <deque>
#include <map>
#include <memory>
#include <string>

#include "weir/core/log.hpp"
#include "weir/core/result.hpp"
#include "weir/state/broadcast_state.hpp"
#include "weir/state/operator_list_state.hpp"
#include "weir/state/states.hpp"
#include "weir/state/union_list_state.hpp"

namespace weir::state {

/// The states of one operator in one subtask that are not kept by key. A state is listed in a
/// function's `uses_states()`, or asked for by name: both are the same state. Owned and used by
/// the subtask; what it hands out lives as long as it.
///
/// What was stored of a state that nobody asks for is kept, and stored again.
class operator_state_store {
 public:
  operator_state_store() = default;
  operator_state_store(const operator_state_store&) = delete;
  operator_state_store& operator=(const operator_state_store&) = delete;

  /// Takes what subtask `self` of `parallelism` gets of `chunks`: with the parallelism of before,
  /// each its own elements of an even-split list, else a run of them (`even_split`, over the lists
  /// in the order of their names); of a union list all; of a broadcast state one of the copies.
  /// Warns of long union lists and of copies that differ. To be called once, before any state is
  /// changed.
  /// Errors: corrupt; invalid_argument if a state that is bound was stored as another kind or type.
  status restore(const restored_chunks& chunks, subtask_index self, std::uint32_t parallelism,
                 log_sink& log, const std::string& operator_name);

  /// Makes the states that `function` lists and that are not kept by key this store's. `function`
  /// must stay where it is.
  /// Errors: throws `state_error` as `list_state` does.
  template <has_states F>
  void bind(F& function) {
    std::apply([this](auto&... state) { (this->bind_one(state), ...); }, function.uses_states());
  }

  /// The state of that name; it begins empty if it was not stored.
  /// Errors: throws `state_error`, with both kinds or types, if there is another one under `name`.
  template <class T>
  state::operator_list_state<T>& list_state(const std::string& name) {
    return handle<state::operator_list_state<T>>(name);
  }
  template <class T>
  state::union_list_state<T>& union_list_state(const std::string& name) {
    return handle<state::union_list_state<T>>(name);
  }
  template <class K, class V>
  writable_broadcast_state<K, V> broadcast_state(const std::string& name) {
    return handle<state::broadcast_state<K, V>>(name).writable_for_engine();
  }

  /// Starts a snapshot of the states as they are now; one that is running is abandoned. O(states).
  /// `out` must live until `snapshotting()` is false.
  void begin_snapshot(snapshot_stream& out);

  /// Goes on with the snapshot by up to `elements` elements. Returns how many: fewer only when all
  /// chunks have been put.
  std::size_t sweep(std::size_t elements);

  /// True while chunks of the snapshot are missing.
  bool snapshotting() const noexcept { return !running_.empty(); }

  void abort_snapshot() noexcept { running_.clear(); }

 private:
  struct known_state {
    std::unique_ptr<operator_state_cell> cell;
    std::any handle;  // for those who ask by name
  };
  struct running_snapshot {
    std::unique_ptr<operator_state_writer> writer;
    std::unique_ptr<frozen_operator_state> content;
  };

  template <class State>
  void bind_one(State& state) {
    if constexpr (!keyed_state<State>) state.bind(cell_of<State>(known<State>(state.name())));
  }

  template <class State>
  State& handle(const std::string& name) {
    known_state& state = known<State>(name);
    if (auto* made = std::any_cast<State>(&state.handle)) return *made;
    auto& cell = cell_of<State>(state);
    auto& made = state.handle.emplace<State>(name);
    made.bind(cell);
    return made;
  }

  /// The state of that name, made if it is new.
  template <class State>
  known_state& known(const std::string& name) {
    if (const auto found = states_.find(name); found != states_.end()) {
      check_kind(*found->second.cell, State::kind, State::type());
      return found->second;
    }
    return add(std::make_unique<typename State::cell_type>(name, State::kind));
  }

  template <class State>
  static typename State::cell_type& cell_of(known_state& state) {
    auto* cell = dynamic_cast<typename State::cell_type*>(state.cell.get());
    if (cell == nullptr) fail_of_other_type(*state.cell, State::type());
    return *cell;
  }

  static void check_kind(const operator_state_cell& there, std::string_view kind,
                         const std::string& type);
  [[noreturn]] static void fail_of_other_type(const operator_state_cell& there,
                                              const std::string& type);
  known_state& add(std::unique_ptr<operator_state_cell> cell);
  status restore_into(operator_state_cell& cell);

  std::map<std::string, known_state> states_;
  std::map<std::string, restored_operator_state> unvisited_;
  std::deque<running_snapshot> running_;  // the states that are not all written
};

}  // namespace weir::state
