// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "weir/core/key_groups.hpp"
#include "weir/state/row_table.hpp"
#include "weir/state/table_pool.hpp"
#include "weir/windowing/pane_format.hpp"

namespace weir::windowing {

/// What is in one window: a row for each key that has something in it. Owned by a `window_rows`.
template <class Key, class Window, class Layout>
struct window_pane {
  using layout = Layout;
  using table = state::row_table<Key, layout>;

  explicit window_pane(state::hash_range hashes) : rows{hashes} {}

  Window window;
  event_time timer = event_time::min();  ///< registered for its trigger; `min()`: none
  table rows;
};

/// The open windows of one operator and what is in them, a table a window: closing a window costs
/// nothing per key. Owned and used by one subtask.
///
/// Snapshot: takes time in proportion to the number of windows, not of keys; the rows follow in
/// sweeps, or when they are about to change. A window that is closed meanwhile lives on for the
/// snapshot only.
template <class Key, class Window, class Layout>
class window_rows {
 public:
  using pane = window_pane<Key, Window, Layout>;

  /// `cells` declares the cells of the rows.
  explicit window_rows(std::vector<state::state_declaration> cells)
      : declared_{codec_identity<Key>(), std::move(cells)} {}
  /// The same for rows of one cell.
  explicit window_rows(state::state_declaration cell)
      : window_rows{std::vector<state::state_declaration>{std::move(cell)}} {}

  /// To be called once, before all else.
  void open(key_group_range groups, std::uint32_t max_parallelism) {
    groups_ = groups;
    max_parallelism_ = max_parallelism;
    pool_.set_range(state::hashes_of(groups_, max_parallelism_));
  }

  std::size_t size() const noexcept { return panes_.size(); }

  /// Null if that window is not open.
  pane* find(const Window& window) {
    const auto at = panes_.find(window);
    return at == panes_.end() ? nullptr : at->second.get();
  }

  /// Of the windows that end after `t`, the one that ends first; null if there is none.
  pane* first_ending_after(event_time t)
    requires requires(const Window& w) { w.end; }
  {
    const auto at = panes_.upper_bound({event_time::max(), t});
    return at == panes_.end() ? nullptr : at->second.get();
  }

  /// Opens a window. It stays where it is until it is closed. @pre it is not open
  pane& insert(const Window& window) {
    auto& made = panes_[window];
    made = pool_.take();
    made->window = window;
    made->timer = event_time::min();
    return *made;
  }

  /// Closes a window that is open. What is in it goes in steps, see `tidy_up`.
  void erase(pane& closed) {
    const auto at = panes_.find(closed.window);
    auto held = std::move(at->second);
    panes_.erase(at);
    pool_.give_back(std::move(held));
  }

  /// Does away with some of what is in closed windows. To be called once a batch or more often.
  void tidy_up() {
    constexpr std::size_t slots = 16 * 1024;  // well under a millisecond
    pool_.tidy_up(slots);
  }

  /// Calls `use(pane&)` for all open windows, in the order in which they end.
  template <class Use>
  void for_each(Use&& use) {
    for (auto& [window, open] : panes_) use(*open);
  }

  /// Starts a snapshot of all windows as they are now. `out` must live until it ends.
  void begin_snapshot(state::snapshot_stream& out) {
    abort_snapshot();
    std::string bytes;
    byte_writer list{bytes};
    declared_.write(list);
    out.put({std::string{pane_declarations_section}, std::nullopt, std::move(bytes), {}});
    writer_.emplace(out, std::string{pane_section}, max_parallelism_);
    bool any = false;
    for (auto& [window, open] : panes_) {
      open->rows.begin_snapshot(*writer_, window_format<Window>::prefix(window));
      any |= open->rows.snapshotting();
    }
    if (!any) writer_.reset();
    swept_ = std::nullopt;
  }

  bool snapshot_running() const noexcept { return writer_.has_value(); }

  /// Looks at up to `slots` more slots for rows to save. Closed windows come first, then those that
  /// end first.
  void sweep(std::size_t slots) {
    if (!writer_) return;
    slots -= pool_.sweep(slots);
    if (pool_.snapshotting()) return;
    for (auto at = swept_ ? panes_.lower_bound(*swept_) : panes_.begin(); at != panes_.end();
         ++at) {
      swept_ = at->first;
      slots -= at->second->rows.sweep(slots);
      if (at->second->rows.snapshotting()) return;
    }
    writer_->flush();
    writer_.reset();
  }

  /// Abandons the snapshot that is running, if any.
  void abort_snapshot() {
    for (auto& [window, open] : panes_) open->rows.abort_snapshot();
    pool_.abort_snapshot();
    writer_.reset();
  }

  /// Opens the windows of a snapshot with the rows of the own key groups, whatever parallelism it
  /// was taken with. @pre no window is open
  /// Errors: corrupt; those of `state::match_states`. After an error the windows are good for
  /// nothing.
  status restore(const state::restored_chunks& chunks) {
    const auto cells = pane_cells(chunks, declared_);
    if (!cells) return cells.failure().within("windows");
    for (const auto& chunk : chunks) {
      if (chunk.section != pane_section) continue;
      if (!chunk.group) return error{errc::corrupt, "windows: rows without a key group"};
      if (!groups_.contains(*chunk.group)) continue;
      if (auto read = read_rows(chunk, *cells); !read)
        return std::move(read).failure().within("windows: key group " +
                                                std::to_string(chunk.group->value));
    }
    return {};
  }

 private:
  status read_rows(const state::snapshot_chunk& chunk, const state::cell_order& cells) {
    byte_reader in{chunk.bytes};
    pane* into = nullptr;
    while (in.remaining() > 0) {
      const auto window = window_format<Window>::read(in);
      if (in.failed()) return error{errc::corrupt, "a window is damaged"};
      if (into == nullptr || into->window != window) into = find(window);
      if (into == nullptr) into = &insert(window);
      const std::byte* const row = into->rows.restore_row(in, {cells});
      if (row == nullptr)
        return error{errc::corrupt, "a row is damaged, or its key is there twice"};
      const auto hash = stable_hash(pane::table::key_of(row));
      if (key_group_of(hash, max_parallelism_) != *chunk.group)
        return error{errc::corrupt,
                     "a key belongs to another group: was the max parallelism changed?"};
    }
    return {};
  }

  state::stored_states declared_;
  key_group_range groups_;
  std::uint32_t max_parallelism_ = 1;
  std::map<Window, std::unique_ptr<pane>> panes_;
  state::table_pool<pane> pool_;
  std::optional<state::keyed_chunk_writer> writer_;
  std::optional<Window> swept_;  // windows before it are
};

/// Windows of time in which the records of each key are added up: cell 0 is what they have come to.
template <class Key, class Accumulator>
using pane_set = window_rows<Key, time_window, state::row_layout<Accumulator>>;

}  // namespace weir::windowing
