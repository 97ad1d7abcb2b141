// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "weir/core/bytes.hpp"
#include "weir/core/result.hpp"
#include "weir/dataflow/timer.hpp"

namespace weir::dataflow {

/// The bytes of the timers of a key group in a snapshot:
///
///   chunk   := version:u8 identity:block row*
///   row     := domain:u8 time:i64 subject
///   subject := as written by the codec that `identity` names
inline constexpr std::string_view timer_section = "timers";

/// `identity` is that of the codec of the subjects.
void write_timer_header(byte_writer& out, std::string_view identity);

/// Errors: corrupt; invalid_argument if the subjects were written by another codec.
status read_timer_header(byte_reader& in, std::string_view identity);

/// What stands in a row before the subject.
struct timer_row_head {
  timer_domain domain;
  std::int64_t time;
};

void write_timer_head(byte_writer& out, timer_row_head head);

/// Fails `in` if the bytes are damaged.
timer_row_head read_timer_head(byte_reader& in);

/// The error for bytes that `in.failed()` to give.
error damaged_timers();

}  // namespace weir::dataflow
