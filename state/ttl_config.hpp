// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "weir/core/result.hpp"
#include "weir/core/time.hpp"

namespace weir::state {

/// Which accesses begin the life of a state anew.
enum class ttl_update : std::uint8_t {
  disabled,             ///< The state lives for ever: as if it had no TTL.
  on_create_and_write,  ///< Creating and changing it.
  on_read_and_write,    ///< Reading it, too.
};

/// Whether a read may see what has expired but is still there.
enum class ttl_visibility : std::uint8_t {
  never_return_expired,
  return_expired_if_not_cleaned_up,  ///< Once: the read removes it.
};

/// The clock that a TTL goes by.
enum class ttl_clock : std::uint8_t {
  processing_time,
  event_time,  ///< Now is the watermark; an access counts as the later of it and the record's time.
};

/// Clean-up a few entries at a time, while the function works.
struct ttl_incremental_cleanup {
  std::size_t entries = 5;    ///< to look at in a step
  bool every_record = false;  ///< a step for each record, too, not only for each access

  friend bool operator==(const ttl_incremental_cleanup&, const ttl_incremental_cleanup&) = default;
};

/// Clean-up at times of its own, whether records come or not.
struct ttl_background_cleanup {
  std::size_t entries = 0;  ///< to look at in each period
  duration period{0};

  friend bool operator==(const ttl_background_cleanup&, const ttl_background_cleanup&) = default;
};

/// How long a state lives after it was touched last. What lives and dies as one: a value, an
/// element of a list, an entry of a map, the accumulator of a reducing or aggregating state. It is
/// expired when `last touch + lifetime <= now`. A value; made by `ttl`.
///
/// What has expired is removed when a read meets it. For what is never read there are two
/// clean-ups, both on by default: `default_incremental`, while the state is used, and
/// `default_background`, which comes to every entry, 100,000 a second in each subtask.
struct ttl_config {
  duration lifetime{0};
  ttl_update update = ttl_update::on_create_and_write;
  ttl_visibility visibility = ttl_visibility::never_return_expired;
  ttl_clock clock = ttl_clock::processing_time;

  bool full_snapshot = false;  ///< Snapshots leave out what has expired at their barrier.
  std::optional<ttl_incremental_cleanup> incremental{};
  std::optional<ttl_background_cleanup> background{};
  bool default_cleanup = true;  ///< Of each clean-up that is not chosen, the default is on.

  static constexpr ttl_incremental_cleanup default_incremental{5, false};
  static constexpr ttl_background_cleanup default_background{100'000, duration{1'000}};

  // Copies with one thing changed: `ttl(24h).with_update(...).cleanup_full_snapshot()`.

  ttl_config with_update(ttl_update chosen) const;
  ttl_config with_visibility(ttl_visibility chosen) const;
  ttl_config with_clock(ttl_clock chosen) const;

  /// Snapshots leave out what has expired at their barrier; the running state stays as it is.
  ttl_config cleanup_full_snapshot() const;
  /// Each access to the state looks at `entries` other entries; each record too, if wanted. There
  /// are no more than ten rounds over all entries in a lifetime.
  ttl_config cleanup_incrementally(std::size_t entries, bool every_record) const;
  /// Every `period` looks at `entries` entries.
  ttl_config cleanup_in_background(std::size_t entries, duration period) const;
  /// No clean-up but those that are chosen.
  ttl_config disable_cleanup_in_background() const;

  bool enabled() const noexcept { return update != ttl_update::disabled; }

  /// Errors: invalid_argument when the lifetime is not positive, or a clean-up looks at no entries
  /// or has no period.
  status validate() const;

  friend bool operator==(const ttl_config&, const ttl_config&) = default;
};

/// States live for `lifetime` after they were created or written to last. Milliseconds.
constexpr ttl_config ttl(duration lifetime) {
  ttl_config config;
  config.lifetime = lifetime;
  return config;
}

/// "86400000 ms by processing time"
std::string to_string(const ttl_config& config);

}  // namespace weir::state

namespace weir {
using state::ttl;
using state::ttl_clock;
using state::ttl_config;
using state::ttl_update;
using state::ttl_visibility;
}  // namespace weir
