// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "weir/core/bytes.hpp"
#include "weir/core/result.hpp"
#include "weir/state/snapshot_stream.hpp"
#include "weir/state/state_declaration.hpp"
#include "weir/windowing/global_window.hpp"
#include "weir/windowing/time_window.hpp"

namespace weir::windowing {

// The snapshot of the windows of one operator:
//   "window/declarations"  unkeyed, from each subtask: a `state::stored_states`
//   "window"               by key group: rows of `start:i64 end:i64 key row`, see
//   state::row_layout;
//                          without start and end if there is only one window

inline constexpr std::string_view pane_section = "window";
inline constexpr std::string_view pane_declarations_section = "window/declarations";

/// How the window that a stored row belongs to is written in front of it.
template <class Window>
struct window_format;

template <>
struct window_format<time_window> {
  static std::string prefix(const time_window& window);
  /// `in.failed()` if it is no window.
  static time_window read(byte_reader& in);
};

template <>
struct window_format<global_window> {
  static std::string prefix(const global_window&) { return {}; }
  static global_window read(byte_reader&) { return {}; }
};

/// For each cell of the rows that are stored in `chunks`, the cell of a row as `declared`.
/// Errors: corrupt for damaged bytes; those of `state::match_states`.
result<state::cell_order> pane_cells(const state::restored_chunks& chunks,
                                     const state::stored_states& declared);

}  // namespace weir::windowing
