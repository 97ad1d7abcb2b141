// SPDX-License-Identifier: Apache-2.0
#include "weir/windowing/pane_format.hpp"

#include <cstdint>
#include <utility>

namespace weir::windowing {

std::string window_format<time_window>::prefix(const time_window& window) {
  std::string bytes;
  byte_writer out{bytes};
  out.fixed(window.start.ms);
  out.fixed(window.end.ms);
  return bytes;
}

time_window window_format<time_window>::read(byte_reader& in) {
  time_window window;
  window.start = {in.fixed<std::int64_t>()};
  window.end = {in.fixed<std::int64_t>()};
  if (window.start >= window.end) in.fail();
  return window;
}

result<state::cell_order> pane_cells(const state::restored_chunks& chunks,
                                     const state::stored_states& declared) {
  bool has_rows = false;
  bool is_declared = false;
  state::cell_order cells = state::same_order;
  for (const auto& chunk : chunks) {
    has_rows |= chunk.section == pane_section;
    if (chunk.section != pane_declarations_section) continue;
    byte_reader in{chunk.bytes};
    auto stored = state::stored_states::read(in);
    if (!stored) return std::move(stored).failure();
    auto matched = state::match_states(*stored, declared);
    if (!matched) return std::move(matched).failure();
    if (is_declared && cells != *matched)
      return error{errc::corrupt, "the subtasks declared different states"};
    cells = *matched;
    is_declared = true;
  }
  if (has_rows && !is_declared) return error{errc::corrupt, "the declarations are missing"};
  return cells;
}

}  // namespace weir::windowing
