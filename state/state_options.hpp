// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "weir/state/ttl_config.hpp"

namespace weir::state {

/// What can be chosen for any state: `{"spent", {.ttl = weir::ttl(24h)}}`.
struct state_options {
  /// How long the state lives after it was touched last; none: for ever. Keyed states only.
  std::optional<ttl_config> ttl{};

  /// `ttl`; none as well when its update type is `disabled`.
  std::optional<ttl_config> active_ttl() const {
    return ttl && ttl->enabled() ? ttl : std::nullopt;
  }
};

}  // namespace weir::state

namespace weir {
using state::state_options;
}
