// SPDX-License-Identifier: Apache-2.0
#include "weir/dataflow/timer_snapshot_format.hpp"

namespace weir::dataflow {
namespace {

constexpr std::uint8_t format_version = 1;

}  // namespace

void write_timer_header(byte_writer& out, std::string_view identity) {
  out.fixed(format_version);
  out.block(identity);
}

status read_timer_header(byte_reader& in, std::string_view identity) {
  const auto version = in.fixed<std::uint8_t>();
  const auto stored = in.block();
  if (in.failed()) return damaged_timers();
  if (version != format_version)
    return error{errc::corrupt, "timers: format " + std::to_string(version) +
                                    " is not known to this version of weir, which reads " +
                                    std::to_string(format_version)};
  if (stored != identity)
    return error{errc::invalid_argument,
                 "timers: the checkpoint has them for keys of type " + std::string{stored} +
                     ", the operator wants " + std::string{identity} +
                     "; restore with the former key type, or give the operator a new uid"};
  return {};
}

void write_timer_head(byte_writer& out, timer_row_head head) {
  out.fixed(static_cast<std::uint8_t>(head.domain));
  out.fixed(head.time);
}

timer_row_head read_timer_head(byte_reader& in) {
  const auto domain = in.fixed<std::uint8_t>();
  const auto time = in.fixed<std::int64_t>();
  if (domain > static_cast<std::uint8_t>(timer_domain::processing)) in.fail();
  if (in.failed()) return {timer_domain::event, 0};
  return {static_cast<timer_domain>(domain), time};
}

error damaged_timers() {
  return error{errc::corrupt, "timers: the bytes are damaged; restore from another checkpoint"};
}

}  // namespace weir::dataflow
