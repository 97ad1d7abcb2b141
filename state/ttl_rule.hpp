// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>

#include "weir/core/time.hpp"
#include "weir/state/ttl_config.hpp"

namespace weir::state {

/// The TTL of one state while its function runs, in milliseconds of its clock. The engine sets
/// `now` and `touch`; one for all handles of the state in a subtask.
struct ttl_rule {
  std::int64_t lifetime = 0;
  ttl_update update = ttl_update::on_create_and_write;
  ttl_visibility visibility = ttl_visibility::never_return_expired;

  std::int64_t now = 0;    ///< What expires is measured against this.
  std::int64_t touch = 0;  ///< The stamp of what is written now.

  std::uint64_t accesses = 0;  ///< How often the state was used since the last clean-up.

  /// Whether what was touched last at `stamp` has expired. A sum beyond the range is its end.
  bool expired(std::int64_t stamp) const noexcept { return saturating_add(stamp, lifetime) <= now; }

  /// Whether a read may return what has expired, while it removes it.
  bool shows_expired() const noexcept {
    return visibility == ttl_visibility::return_expired_if_not_cleaned_up;
  }

  bool refreshes_on_read() const noexcept { return update == ttl_update::on_read_and_write; }

  /// The stamp, after a read, of what had `stamp` and has not expired. A read never makes it die
  /// earlier: in event time a record may be older than the last one.
  std::int64_t after_read(std::int64_t stamp) const noexcept {
    return refreshes_on_read() ? std::max(stamp, touch) : stamp;
  }
};

}  // namespace weir::state
