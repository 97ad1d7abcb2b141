// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <utility>

#include "weir/core/result.hpp"
#include "weir/core/time.hpp"

namespace weir::windowing {

/// What the clocks of one place show: milliseconds since they showed 1970-01-01T00:00:00.
using local_time = std::chrono::local_time<duration>;

/// How the clocks of one place go: a zone of the IANA time zone database. A value; its rules are
/// loaded once, and shared by all copies. Any thread.
///
/// Before the first rule of a zone its clocks show local mean time. After the last year that the
/// system's database covers, which is 2037, they are set by the yearly rule of the years before; if
/// there is none, as where Ramadan counts, or beyond 2^62 ms from 1970, they are not set any more.
class time_zone {
 public:
  /// A stretch of time [begin, end) in which the clocks are ahead of UTC by `offset`, or behind it
  /// if that is negative. At `end`, which is `event_time::max()` if that is never, they are set.
  struct span {
    event_time begin;
    event_time end;
    duration offset;

    local_time local(event_time t) const {
      return local_time{duration{saturating_add(t.ms, offset.count())}};
    }
    event_time instant(local_time shown) const {
      return event_time{shown.time_since_epoch().count()} + -offset;
    }
  };

  /// Loads the rules of the zone with that name, as "Europe/Berlin", from the system's database.
  /// Blocking. Errors: not_found if it has no such zone, or there is no database.
  static result<time_zone> load(const std::string& name);

  /// The stretch that `t` lies in. Two that follow each other differ in their offsets.
  span span_of(event_time t) const;

  /// When the clocks first show `local` or later: if they are set past it, that is when they are
  /// set, and if they show it twice, it is the first time.
  event_time first_reached(local_time local) const;

 private:
  struct rules;  // defined in the .cpp

  explicit time_zone(std::shared_ptr<const rules> loaded) : rules_{std::move(loaded)} {}

  std::shared_ptr<const rules> rules_;
};

}  // namespace weir::windowing
