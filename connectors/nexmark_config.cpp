// SPDX-License-Identifier: Apache-2.0
#include "weir/connectors/nexmark_config.hpp"

#include <cmath>
#include <string>

namespace weir::connectors {
namespace {

constexpr std::uint64_t max_group_size = 1'000'000;
constexpr std::int64_t max_base_time_ms = std::int64_t{1} << 60;
constexpr double max_event_time_us = 0x1.0p62;

status refuse(const std::string& text) { return error{errc::invalid_argument, "nexmark: " + text}; }

std::string in_range(const char* option, std::uint64_t low, std::uint64_t high) {
  return std::string{option} + " must be from " + std::to_string(low) + " to " +
         std::to_string(high);
}

}  // namespace

status nexmark_config::validate() const {
  if (!std::isfinite(events_per_second) || events_per_second <= 0) {
    return refuse("events_per_second must be above 0");
  }
  if (events > max_events) return refuse(in_range("events", 0, max_events));
  if (first_event_id > max_events) return refuse(in_range("first_event_id", 0, max_events));
  if (first_event_number > max_events) return refuse(in_range("first_event_number", 0, max_events));
  if (out_of_order_group_size < 1 || out_of_order_group_size > max_group_size) {
    return refuse(in_range("out_of_order_group_size", 1, max_group_size));
  }
  if (generators < 1) return refuse("generators must be at least 1");
  if (generators > 1 && events == 0) {
    return refuse("an unbounded stream cannot be that of several generators: set events");
  }
  if (generators > 1 && events < generators) {
    return refuse("each generator needs an event: raise events or lower generators");
  }
  if (base_time.ms < -max_base_time_ms || base_time.ms > max_base_time_ms) {
    return refuse("base_time is out of range");
  }
  const auto last = static_cast<double>(first_event_number + (events == 0 ? max_events : events));
  if ((last + max_group_size) * (1e6 / events_per_second * generators) > max_event_time_us) {
    return refuse("event time would overflow: raise events_per_second");
  }
  return {};
}

}  // namespace weir::connectors
