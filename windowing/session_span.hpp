// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <string>

#include "weir/core/codec_base.hpp"
#include "weir/windowing/time_window.hpp"
#include "weir/windowing/trigger_timer_list.hpp"

namespace weir::windowing {

/// The window of an open session, and when its next timers come, in each domain: they come at that
/// time or before it was due, never after. A value. Stored: `start:i64 end:i64`
struct session_span {
  static constexpr std::int64_t never = std::numeric_limits<std::int64_t>::max();

  time_window window;
  std::array<std::int64_t, 2> armed{never, never};

  std::int64_t& armed_in(timer_domain domain) { return armed[static_cast<std::size_t>(domain)]; }
};

}  // namespace weir::windowing

template <>
struct weir::codec<weir::windowing::session_span> {
  using span = windowing::session_span;

  static void write(byte_writer& out, const span& s) {
    out.fixed(s.window.start.ms);
    out.fixed(s.window.end.ms);
  }
  static span read(byte_reader& in) {
    span s;
    s.window.start = {in.fixed<std::int64_t>()};
    s.window.end = {in.fixed<std::int64_t>()};
    if (s.window.end < s.window.start) in.fail();
    return s;
  }
  static std::string identity() { return "session"; }
};
