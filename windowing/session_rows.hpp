// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "weir/state/keyed_rows.hpp"
#include "weir/state/value_state.hpp"
#include "weir/windowing/further_sessions.hpp"
#include "weir/windowing/session_span.hpp"

namespace weir::windowing {

namespace internal {

/// The states of one session: its window, then what `Cells` lists.
template <class Cells>
struct session_states {
  Cells* cells;
  state::value_state<session_span> span{"session"};

  auto uses_states() { return std::tuple_cat(state::states(span), cells->uses_states()); }
};

/// The states of a key: those of its first session, then the other sessions.
template <class Cells>
struct key_session_states {
  using row = state::layout_of<session_states<Cells>>;

  session_states<Cells> first;
  further_sessions<row> others{"further sessions"};

  auto uses_states() { return std::tuple_cat(first.uses_states(), state::states(others)); }
};

}  // namespace internal

/// The open sessions of all keys, with what `Cells` lists for each. A key has one row, with room
/// for one session, which is most often all that it has. Owned and used by one subtask; `cells`
/// must live longer.
template <class Key, class Cells>
class session_rows {
  using states = internal::key_session_states<Cells>;
  using table = state::keyed_rows<Key, states>;

 public:
  /// The cells of one session; in the row of a key others follow.
  using layout = typename states::row;
  using batch = typename table::batch;

  explicit session_rows(Cells& cells) : states_{{&cells}} {}

  void open(key_group_range groups, std::uint32_t max_parallelism) {
    table_.emplace(states_, groups, max_parallelism);
  }

  /// The sessions of the current key. Valid while it is that.
  class current {
   public:
    explicit current(states& of, std::byte* row) : states_{&of}, row_{row} {}

    /// Whether the row of the key has a session.
    bool has_first() const { return state::is_present(row_, 0); }

    /// Calls `use(row)` for each session.
    template <class Use>
    void for_each(Use&& use) const {
      if (has_first()) use(row_);
      if (const auto* others = states_->others.get())
        for (const auto& other : *others) use(other.get());
    }

    /// A row for one more session.
    std::byte* add(const session_span& span) {
      std::byte* const row = has_first() ? states_->others.add() : row_;
      layout::template create<0>(row, span);
      return row;
    }

    /// Removes a session. @pre row is one of its rows
    void remove(std::byte* row) {
      if (row != row_) return states_->others.remove(row);
      clear_first();
      if (const auto* others = states_->others.get()) {
        std::byte* const last = others->back().get();
        put_first(last);
        states_->others.remove(last);
      }
    }

    /// Puts the session at `from` where the one at `to` was, which is removed.
    void replace(std::byte* to, std::byte* from) {
      if (to == row_) {
        clear_first();
        return put_first(from);
      }
      layout::destroy(to);
      layout::relocate(from, to);
      state::head_of(from).present = state::presence::nothing;
    }

    /// Removes all of these sessions but the first one. Returns the row that it is in now.
    std::byte* keep_first(const std::vector<std::byte*>& rows) {
      // The row of the key goes last: another session moves into it.
      bool moves = false;
      for (std::size_t i = 1; i < rows.size(); ++i) {
        if (rows[i] == row_)
          moves = true;
        else
          remove(rows[i]);
      }
      if (!moves) return rows[0];
      replace(row_, rows[0]);
      remove(rows[0]);
      return row_;
    }

   private:
    static constexpr std::uint32_t cells = (1u << layout::count) - 1;

    /// Destroys the first session, and leaves the others.
    void clear_first() {
      auto& present = state::head_of(row_).present;
      const auto before = static_cast<std::uint32_t>(present);
      present = static_cast<state::presence>(before & cells);
      layout::destroy(row_);
      present = static_cast<state::presence>(before & ~cells);
    }

    /// Moves a session into the row of the key. @pre there is none
    void put_first(std::byte* from) {
      const auto head = state::head_of(row_);
      layout::relocate(from, row_);
      const auto moved = static_cast<std::uint32_t>(state::head_of(row_).present);
      state::head_of(row_) = {head.epoch, static_cast<state::presence>(
                                              static_cast<std::uint32_t>(head.present) | moved)};
      state::head_of(from).present = state::presence::nothing;
    }

    states* states_;
    std::byte* row_;
  };

  /// Makes the states of `cells` views of a session. @pre row is one of the current key
  [[gnu::always_inline]] static void attach(Cells& cells, std::byte* row) {
    state::attach_states<layout, 1>(cells, row);
  }

  /// The session of the key of `row` that `w` would extend, without touching another one; null if
  /// it would not. For a row that no state is attached to.
  [[gnu::always_inline]] static std::byte* only_touched(std::byte* row, time_window w) {
    const auto present = static_cast<std::uint32_t>(state::head_of(row).present);
    if ((present >> further & 1u) != 0) [[unlikely]]
      return only_touched_of_many(row, w);
    return (present & 1u) != 0 && intersects(span_of(row).window, w) ? row : nullptr;
  }

  /// Whether the row of a key has a session, and no further ones.
  static bool has_only_first(const std::byte* row) {
    return state::is_present(row, 0) && !state::is_present(row, further);
  }
  /// The key of a row that is not one of further sessions.
  static const Key& key_of(const std::byte* row) { return table::table_type::key_of(row); }

  static session_span& span_of(std::byte* row) { return layout::template value<0>(row); }

  /// Moves what is in the cell behind the span, which is that of `contents`, from one session
  /// behind that of another.
  template <class Contents>
  static void merge_contents(std::byte* into, std::byte* from, Contents& contents) {
    constexpr std::size_t at = 1;
    if (!state::is_present(from, at)) return;
    auto& moved = layout::template value<at>(from);
    if (!state::is_present(into, at)) {
      layout::template create<at>(into, std::move(moved));
    } else {
      std::apply(
          [&]<class S>(S& state) {
            S::merge_cell(layout::template value<at>(into), std::move(moved), state);
          },
          contents.uses_states());
    }
  }

  /// See `keyed_rows::batch`.
  batch make_batch() { return table_->make_batch(); }
  /// Makes `key` the current one, and calls `use(current, const Key&)`.
  template <class K, class Use>
  [[gnu::always_inline]] static void with_key(batch& in, const K& key, std::uint64_t hash,
                                              Use&& use) {
    in.with_key(key, hash, [&](states& s, const Key& stored) {
      use(current{s, state::attached_row(s)}, stored);
    });
  }

  void begin_snapshot(state::snapshot_stream& out) { table_->begin_snapshot(out, "sessions"); }
  bool snapshot_running() const { return table_->snapshotting(); }
  void sweep(std::size_t slots) { table_->sweep(slots); }
  void abort_snapshot() { table_->abort_snapshot(); }

  /// Restores the sessions of the own key groups, and calls `use(current, const Key&)` for each
  /// key. Errors: those of `keyed_rows`.
  template <class Use>
  status restore(const state::restored_chunks& chunks, Use&& use) {
    if (auto done = table_->restore(chunks, "sessions"); !done) return done;
    table_->for_each_key(
        [&](states& s, const Key& key) { use(current{s, state::attached_row(s)}, key); });
    return {};
  }

 private:
  /// The cell of the further sessions in the row of a key.
  static constexpr std::size_t further = layout::count;

  [[gnu::noinline]] static std::byte* only_touched_of_many(std::byte* row, time_window w) {
    std::byte* found = nullptr;
    std::size_t count = 0;
    const auto look_at = [&](std::byte* session) {
      if (!intersects(span_of(session).window, w)) return;
      found = session;
      ++count;
    };
    if (state::is_present(row, 0)) look_at(row);
    for (const auto& other : table::layout::template value<further>(row).all())
      look_at(other.get());
    return count == 1 ? found : nullptr;
  }

  states states_;
  std::optional<table> table_;
};

}  // namespace weir::windowing
