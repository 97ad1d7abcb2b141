// SPDX-License-Identifier: Apache-2.0
#include "weir/windowing/sliding_panes.hpp"

#include <algorithm>
#include <limits>
#include <string>

#include "weir/core/bytes.hpp"
#include "weir/windowing/pane_format.hpp"

namespace weir::windowing {
namespace {

// Sums of times and lengths that are whole.
__extension__ using wide = __int128;

using limits = std::numeric_limits<std::int64_t>;

constexpr std::string_view cuts_section = "window/cuts";

std::int64_t narrow(wide n) {
  return static_cast<std::int64_t>(std::clamp<wide>(n, limits::min(), limits::max()));
}

/// The number of a window. That below the lowest one is a number as well, so that counting down
/// comes to an end.
std::int64_t number_of(wide n) { return std::max(narrow(n), limits::min() + 1); }

/// The greatest n with n · step ≤ a. @pre step > 0
wide floor_quotient(wide a, std::int64_t step) {
  const wide n = a / step;
  return n * step > a ? n - 1 : n;
}

time_window between(wide start, wide end) { return {{narrow(start)}, {narrow(end)}}; }

std::string text_of(std::int64_t size, std::int64_t slide, std::int64_t offset) {
  return "windows of " + std::to_string(size) + " ms every " + std::to_string(slide) +
         " ms with offset " + std::to_string(offset) + " ms";
}

}  // namespace

sliding_panes::place sliding_panes::place_of(event_time t) const {
  // No window ends later than the range of times does: what comes at its very end goes before.
  const wide time = std::min(t.ms, limits::max() - 1);
  const wide newest = floor_quotient(time - offset_, slide_);
  const wide start = newest * slide_ + offset_;
  const wide whole = size_ / slide_, rest = size_ % slide_;
  if (time < start + rest)
    return {between(start, start + rest), number_of(newest - whole), number_of(newest)};
  return {between(start + rest, start + slide_), number_of(newest - whole + 1), number_of(newest)};
}

time_window sliding_panes::window(std::int64_t number) const {
  const wide start = static_cast<wide>(number) * slide_ + offset_;
  return between(start, start + size_);
}

std::int64_t sliding_panes::first_after(event_time watermark) const {
  if (watermark.ms >= limits::max() - 1) return limits::max();
  return number_of(floor_quotient(static_cast<wide>(watermark.ms) + 1 - size_ - offset_, slide_) +
                   1);
}

void sliding_panes::write(state::snapshot_stream& out) const {
  std::string bytes;
  byte_writer cuts{bytes};
  for (const std::int64_t length : {size_, slide_, offset_}) cuts.fixed(length);
  out.put({std::string{cuts_section}, std::nullopt, std::move(bytes), {}});
}

status sliding_panes::check(const state::restored_chunks& chunks) const {
  bool has_rows = false, is_told = false;
  for (const auto& chunk : chunks) {
    has_rows |= chunk.section == pane_section;
    if (chunk.section != cuts_section) continue;
    byte_reader in{chunk.bytes};
    const auto size = in.fixed<std::int64_t>();
    const auto slide = in.fixed<std::int64_t>();
    const auto offset = in.fixed<std::int64_t>();
    if (in.failed()) return error{errc::corrupt, "the lengths of sliding windows are damaged"};
    is_told = true;
    if (size == size_ && slide == slide_ && offset == offset_) continue;
    return error{errc::invalid_argument, "the stored state is of " + text_of(size, slide, offset) +
                                             ", these are " + text_of(size_, slide_, offset_) +
                                             ": records that were added up cannot be taken "
                                             "apart; give the operator another uid"};
  }
  if (has_rows && !is_told)
    return error{errc::invalid_argument,
                 "the stored state is not of sliding windows; give the operator another uid"};
  return {};
}

}  // namespace weir::windowing
