// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <utility>

#include "weir/core/bytes.hpp"
#include "weir/state/cell_format.hpp"
#include "weir/state/row_layout.hpp"
#include "weir/state/state_handle.hpp"

namespace weir::testing {

/// One keyed state with rows of its own, with TTL or without, and no table.
template <class State>
class lone_state {
  using cell = typename State::cell_type;
  using layout = state::row_layout<cell>;

 public:
  template <class... Args>
  explicit lone_state(Args&&... args) : state{"s", std::forward<Args>(args)...} {
    state.bind(0);
  }
  lone_state(const lone_state&) = delete;
  lone_state& operator=(const lone_state&) = delete;
  ~lone_state() {
    for (auto& [key, row] : rows_) layout::destroy(row.bytes);
  }

  /// The state lives by `rule` from now on. Called before it is used.
  void set_ttl(state::ttl_rule& rule) {
    timed_ = true;
    state.bind_ttl(rule, layout::size);
  }

  State& of(int key) {
    if (timed_)
      state.attach_timed(rows_[key].bytes, layout::offset(0), 0);
    else
      state.attach(rows_[key].bytes, layout::offset(0), 0);
    return state;
  }

  bool has(int key) { return state::is_present(rows_[key].bytes, 0); }
  cell& cell_of(int key) { return layout::template value<0>(rows_[key].bytes); }

  /// The cell of a key, as a snapshot has it.
  std::string written(int key, const state::cell_format& format = {}) {
    std::string bytes;
    byte_writer out{bytes};
    State::write_cell(out, cell_of(key), format);
    return bytes;
  }

  /// Gives a key without a cell the one that is stored. False when it is damaged.
  bool restore(int key, const std::string& bytes, const state::cell_format& format = {}) {
    byte_reader in{bytes};
    cell read = State::read_cell(in, format);
    if (in.failed() || in.remaining() > 0) return false;
    layout::template create<0>(rows_[key].bytes, std::move(read));
    return true;
  }

  State state;

 private:
  struct row {
    alignas(16) std::byte bytes[layout::size + sizeof(std::int64_t)]{};
  };

  bool timed_ = false;
  std::map<int, row> rows_;
};

}  // namespace weir::testing
