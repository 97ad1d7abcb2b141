// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "weir/core/bytes.hpp"
#include "weir/core/result.hpp"
#include "weir/state/snapshot_stream.hpp"
#include "weir/state/state_declaration.hpp"
#include "weir/windowing/time_window.hpp"

namespace weir::windowing {

// The snapshot of the windows of one operator:
//   "window/declarations"  unkeyed, from each subtask: a `state::stored_states`
//   "window"               by key group: rows of `start:i64 end:i64 key row`, see state::row_layout

inline constexpr std::string_view pane_section = "window";
inline constexpr std::string_view pane_declarations_section = "window/declarations";

std::string pane_row_prefix(const time_window& window);

/// Reads what `pane_row_prefix` wrote; `in.failed()` if it is no window.
time_window read_pane_row_prefix(byte_reader& in);

/// For each cell of the rows that are stored in `chunks`, the cell of a row as `declared`.
/// Errors: corrupt for damaged bytes; those of `state::match_states`.
result<state::cell_order> pane_cells(const state::restored_chunks& chunks,
                                     const state::stored_states& declared);

}  // namespace weir::windowing
