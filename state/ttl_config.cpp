// SPDX-License-Identifier: Apache-2.0
#include "weir/state/ttl_config.hpp"

namespace weir::state {

ttl_config ttl_config::with_update(ttl_update chosen) const {
  auto changed = *this;
  changed.update = chosen;
  return changed;
}

ttl_config ttl_config::with_visibility(ttl_visibility chosen) const {
  auto changed = *this;
  changed.visibility = chosen;
  return changed;
}

ttl_config ttl_config::with_clock(ttl_clock chosen) const {
  auto changed = *this;
  changed.clock = chosen;
  return changed;
}

ttl_config ttl_config::cleanup_full_snapshot() const {
  auto changed = *this;
  changed.full_snapshot = true;
  return changed;
}

ttl_config ttl_config::cleanup_incrementally(std::size_t entries, bool every_record) const {
  auto changed = *this;
  changed.incremental = ttl_incremental_cleanup{entries, every_record};
  return changed;
}

ttl_config ttl_config::cleanup_in_background(std::size_t entries, duration period) const {
  auto changed = *this;
  changed.background = ttl_background_cleanup{entries, period};
  return changed;
}

ttl_config ttl_config::disable_cleanup_in_background() const {
  auto changed = *this;
  changed.default_cleanup = false;
  return changed;
}

status ttl_config::validate() const {
  if (!enabled()) return {};
  if (lifetime.count() <= 0)
    return error{errc::invalid_argument, "a TTL of " + std::to_string(lifetime.count()) +
                                             " ms: it must be positive; for a state without TTL "
                                             "leave the option out"};
  if (incremental && incremental->entries == 0)
    return error{errc::invalid_argument,
                 "cleanup_incrementally(0, …) would never find anything: look at 1 entry or more"};
  if (background && background->entries == 0)
    return error{errc::invalid_argument,
                 "cleanup_in_background(0, …) would never find anything: look at 1 entry or more"};
  if (background && background->period.count() <= 0)
    return error{errc::invalid_argument, "cleanup_in_background with a period of " +
                                             std::to_string(background->period.count()) +
                                             " ms: it must be positive"};
  return {};
}

std::string to_string(const ttl_config& config) {
  return std::to_string(config.lifetime.count()) +
         (config.clock == ttl_clock::event_time ? " ms by event time" : " ms by processing time");
}

}  // namespace weir::state
