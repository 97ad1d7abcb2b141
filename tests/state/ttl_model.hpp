// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "weir/state/ttl_config.hpp"

namespace weir::testing {

/// The time of a model, in milliseconds.
struct model_time {
  std::int64_t clock = 0;
  std::int64_t watermark = 0;
  std::int64_t record = 0;
};

using optional_ttl = std::optional<ttl_config>;

/// Something that lives and dies as a whole. One without TTL ignores its stamp.
struct model_unit {
  std::int64_t value = 0;
  std::int64_t stamp = 0;
};

/// What one key has of one state, of whatever kind: the units, by a number; and the rules of TTL,
/// applied one by one.
class model_cell {
 public:
  std::map<std::int64_t, model_unit> units;

  static std::int64_t now(const ttl_config& c, const model_time& t) {
    return c.clock == ttl_clock::event_time ? t.watermark : t.clock;
  }
  static std::int64_t touch(const optional_ttl& c, const model_time& t) {
    if (!c) return 0;
    return c->clock == ttl_clock::event_time ? std::max(t.watermark, t.record) : t.clock;
  }
  static bool expired(const model_unit& u, const optional_ttl& c, const model_time& t) {
    return c && now(*c, t) - u.stamp >= c->lifetime.count();
  }
  static bool shows(const optional_ttl& c) {
    return c && c->visibility == ttl_visibility::return_expired_if_not_cleaned_up;
  }
  static bool refreshes(const optional_ttl& c) {
    return c && c->update == ttl_update::on_read_and_write;
  }

  /// A read of one unit.
  std::optional<std::int64_t> read(std::int64_t n, const optional_ttl& c, const model_time& t) {
    const auto at = units.find(n);
    if (at == units.end()) return std::nullopt;
    const auto value = at->second.value;
    if (!expired(at->second, c, t)) {
      if (refreshes(c)) at->second.stamp = std::max(at->second.stamp, touch(c, t));
      return value;
    }
    units.erase(at);
    return shows(c) ? std::optional{value} : std::nullopt;
  }

  void write(std::int64_t n, std::int64_t value, const optional_ttl& c, const model_time& t) {
    units[n] = {value, touch(c, t)};
  }

  /// The value that a change begins with.
  std::optional<std::int64_t> base(std::int64_t n, const optional_ttl& c, const model_time& t) {
    const auto at = units.find(n);
    if (at == units.end() || (expired(at->second, c, t) && !shows(c))) return std::nullopt;
    return at->second.value;
  }

  /// A look at all that could be read, which is no read.
  std::size_t visible(const optional_ttl& c, const model_time& t) const {
    return static_cast<std::size_t>(std::count_if(units.begin(), units.end(), [&](const auto& u) {
      return shows(c) || !expired(u.second, c, t);
    }));
  }

  void drop_expired(const optional_ttl& c, const model_time& t) {
    std::erase_if(units, [&](const auto& u) { return expired(u.second, c, t); });
  }
};

/// The states of one key, by the number of the state.
using model_row = std::array<model_cell, 6>;

}  // namespace weir::testing
